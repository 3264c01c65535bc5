package analysis

// Message is a message between processes, of which both ends are known.
type Message struct {
	From, To       int   // threads; of the sending process it is the first one
	Sender, Target int   // ranks
	Sent, Received int64 // ns on the clock of the trace
	Tag, Bytes     uint32
}

// told tells of a message that a thread has received.
func (a *replay) told(t *thread, sender uint32, sent, received int64, tag, bytes uint32) {
	if a.options.Message == nil || sent == 0 {
		return
	}
	if from, known := a.definitions.everywhere[sender]; known {
		a.options.Message(Message{
			from, t.index, a.definitions.rankNumber(sender), int(a.rank),
			sent, received, tag, bytes,
		})
	}
}
