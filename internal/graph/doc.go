// Package graph follows what threads do and what they wait for, and finds the critical path of a
// run and the causes of its waits.
//
//	g := graph.New(2, 0)
//	g.Spend(0, loop, 700)            // thread 0 is 700 ns in the loop
//	last := g.Mark(0)                // and arrives at the barrier
//	g.Spend(1, loop, 400)
//	g.Causes(1, 700, last, blame)    // thread 1 waits 300 ns, because of the loop of thread 0
//	g.Wait(1, 700, last, barrier)    // and goes on
//
// # Chains
//
// The chain of a thread is its critical path: what had to happen, one after the other, for the
// thread to be where it is. A thread that did not wait lengthens its own chain. A thread that
// waited for a point of another thread goes on with the chain of that point. So a chain has no gap
// and is as long as the time since the start of the run, and the chain of the thread that ends
// last is the critical path of the run.
//
// All chains together are a tree, because they have a common begin. A node is the end of a piece
// of a chain. It holds how long the piece was at each place and thread, not in which order, so a
// node whose only heir is another node becomes part of that. This bounds the memory by the number
// of threads and points, whatever the number of events.
//
// # Causes
//
// Where thread B waits for a point of thread A, both chains begin in a last common node: there the
// two met for the last time, directly or through others. From there on both are equally long but
// for the wait. The wait is blamed on the places at which A's chain was longer than B's, in
// proportion, as the delays of Böhme et al. are (Identifying the root causes of wait states in
// large-scale parallel applications, ICPP 2010). What both did alike delays nobody.
//
// # Changes
//
// With a change, each point has two times: when it was and when it would be. Who waits for whom
// follows from the first one. On the second one a thread that waits goes on once what it waits for
// is there, and what is left of the wait takes as long as it did. Chains then consist of times as
// they would be, and have no gap either.
package graph
