package graph

import "encoding/binary"

// reader reads the log of a process, one step ahead.
type reader struct {
	*Process
	index int
	text  []byte
	count uint32 // points so far
	time  int64  // of the last one
	cuts  []cut

	readies   [remembered]*node
	nextReady int
	sentTo    uint32

	// The next step, and when it happens.
	ended    bool
	kind     byte
	at       int64
	cut      uint32
	channel  Channel
	to       uint32
	met      Meeting
	made     uint32 // the point that it makes
	place    int32
	thread   uint32
	gone     uint64
	received []Channel
	meets    bool
}

// cut is a point of the log.
type cut struct {
	number uint32
	*node
}

// point returns a point by its number, or nil. There are few that are not freed, and mostly it is
// one of the last.
func (p *reader) point(number uint32) *node {
	for i := len(p.cuts) - 1; i >= 0; i-- {
		if p.cuts[i].number == number {
			return p.cuts[i].node
		}
	}
	return nil
}

func (j *joiner) free(p *reader, number uint32) {
	for i := range p.cuts {
		if p.cuts[i].number == number {
			j.release(p.cuts[i].node)
			p.cuts = append(p.cuts[:i], p.cuts[i+1:]...)
			return
		}
	}
}

func (p *reader) number() uint64 {
	if len(p.text) > 0 && p.text[0] < 0x80 {
		v := p.text[0]
		p.text = p.text[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(p.text)
	p.text = p.text[n:]
	return v
}

func (p *reader) word() uint32 { return uint32(p.number()) }

func (p *reader) signed() int64 {
	v := p.number()
	return int64(v>>1) ^ -int64(v&1)
}

// advance reads until the next step that happens at a time.
func (j *joiner) advance(p *reader) error {
	for {
		if len(p.text) == 0 {
			var err error
			if p.text, err = p.Next(); err != nil {
				return err
			}
			if len(p.text) == 0 {
				j.finish(p)
				return nil
			}
		}
		p.kind = p.text[0]
		p.text = p.text[1:]
		switch p.kind {
		case stepCut:
			j.readCut(p)
		case stepFree:
			j.free(p, p.word())
		default:
			p.readStep()
			return nil
		}
	}
}

// finish releases what a process holds whose log has ended.
func (j *joiner) finish(p *reader) {
	p.ended = true
	for _, c := range p.cuts {
		j.release(c.node)
	}
	for _, n := range p.readies {
		j.release(n)
	}
	p.cuts, p.readies = nil, [remembered]*node{}
}

func (j *joiner) readCut(p *reader) {
	p.time += p.signed()
	before := p.point(p.word())
	j.text.clear()
	for range p.number() {
		place, thread, time := int32(p.signed()), p.Threads[p.word()], p.signed()
		p.Place(place, time, func(place int32, time int64) { j.text.add(place, thread, time) })
	}
	p.count++
	if before != nil {
		p.cuts = append(p.cuts, cut{p.count, j.after(before, p.time)})
	}
}

func (p *reader) readMeeting() {
	p.met = Meeting{
		Group: p.word(), Number: p.word(), Need: Need(p.word()), Root: p.word() != 0,
	}
}

// readStep reads the rest of a step.
func (p *reader) readStep() {
	p.cut = p.word()
	if n := p.point(p.cut); n != nil {
		p.at = n.real
	}
	switch p.kind {
	case stepSend:
		p.to, p.channel = p.word(), Channel{Group: p.word(), Tag: p.word()}
	case stepMeet:
		p.readMeeting()
	case stepGo:
		p.count++
		p.made = p.count
		p.at += int64(p.number())
		p.time = p.at
		p.place, p.thread = int32(p.signed()), p.word()
		p.gone += p.number()
		p.received = p.received[:0]
		for range p.number() {
			p.received = append(p.received, Channel{From: p.word(), Group: p.word(), Tag: p.word()})
		}
		if p.meets = p.number() != 0; p.meets {
			p.readMeeting()
		}
	}
}
