package scaling

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Count is what a run is asked for: so many threads, in each of so many ranks of MPI.
type Count struct {
	Ranks   int // 0: the program has no ranks
	Threads int
}

// largest is more than any machine has.
const largest = 1 << 20

// ParseCount reads a number of threads, or ranks and threads such as 4x2.
func ParseCount(text string) (Count, error) {
	ranks, threads, several := strings.Cut(text, "x")
	if !several {
		ranks, threads = "", ranks
	}
	var c Count
	for _, part := range []struct {
		text string
		to   *int
	}{{ranks, &c.Ranks}, {threads, &c.Threads}} {
		if part.text == "" && part.to == &c.Ranks && !several {
			continue
		}
		n, err := strconv.Atoi(part.text)
		if err != nil || n < 1 || n > largest {
			return Count{}, fmt.Errorf("%q is neither a number of threads, such as 4, nor ranks "+
				"and threads, such as 2x4", text)
		}
		*part.to = n
	}
	return c, nil
}

// Processors returns how many threads there are in all.
func (c Count) Processors() int { return max(1, c.Ranks) * c.Threads }

func (c Count) String() string {
	if c.Ranks == 0 {
		return strconv.Itoa(c.Threads)
	}
	return fmt.Sprintf("%dx%d", c.Ranks, c.Threads)
}

// Words returns the count for a sentence.
func (c Count) Words() string {
	text := strconv.Itoa(c.Threads) + " threads"
	if c.Threads == 1 {
		text = "1 thread"
	}
	switch c.Ranks {
	case 0:
		return text
	case 1:
		return "1 rank x " + text
	}
	return fmt.Sprintf("%d ranks x %s", c.Ranks, text)
}

// MarshalText gives the count its form in JSON.
func (c Count) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// compare orders counts by processors.
func (c Count) compare(d Count) int {
	return cmp.Or(cmp.Compare(c.Processors(), d.Processors()), cmp.Compare(c.Ranks, d.Ranks))
}
