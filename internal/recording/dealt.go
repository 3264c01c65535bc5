package recording

import "errors"

// dealt converts a record of what handing out a loop's chunks has cost. Its words are the cost of
// counting dealtOwn chunks, with the number of chunks in the low bits; iterations; the time in the
// runtime; the iterations of the loop before the thread's last chunk, and those in it. It writes
// six counters, the last chunk's iterations last.
func (c *converter) dealt(now uint64) error {
	words := c.words
	c.words = c.words[:0]
	if len(words) != 5 {
		return nil
	}
	chunks := words[0] & (1<<chunkBits - 1)
	own := c.clock.span(words[0]>>chunkBits) * float64(chunks) / dealtOwn
	return errors.Join(
		c.point(loopChunks, chunks, now),
		c.point(loopIterations, words[1], now),
		c.point(chunkMeasuring, uint64(own+0.5), now),
		c.point(chunkDispatch, uint64(c.clock.span(words[2])+0.5), now),
		c.point(beforeLast, words[3], now),
		c.point(inLast, words[4], now))
}

// These are the width of the number of chunks in a word, and the chunks of which a word has the
// cost of counting: REC_DEALT_OWN in ompt_bridge.
const (
	chunkBits = 32
	dealtOwn  = 254
)

// span returns a number of ticks in ns.
func (c *clock) span(ticks uint64) float64 { return min(float64(ticks)*c.length, latest) }
