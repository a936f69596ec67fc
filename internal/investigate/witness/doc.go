// Package witness makes logs of elections whose truth is known, and judges what is concluded from them.
//
// It simulates a random plan and writes down what a real API server and real processes would have logged of it. It also keeps what
// really happened: who worked when. Judge compares the two. It knows nothing of how conclusions are drawn.
package witness
