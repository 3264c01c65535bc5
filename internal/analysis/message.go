package analysis

// Message is a message between processes of which both ends are known.
type Message struct {
	From, To       int   // threads; From is the first thread of the sending process
	Sender, Target int   // ranks
	Sent, Received int64 // ns on the clock of the trace
	Tag, Bytes     uint32
}

// report calls the Message callback for a message that a thread received.
func (a *replay) report(t *thread, sender uint32, sent, received int64, tag, bytes uint32) {
	if a.options.Message == nil || sent == 0 || !a.counts(sent) || !a.counts(received) {
		return
	}
	if from, known := a.definitions.everywhere[sender]; known {
		a.options.Message(Message{
			from, t.index, a.definitions.rankNumber(sender), int(a.rank),
			sent, received, tag, bytes,
		})
	}
}
