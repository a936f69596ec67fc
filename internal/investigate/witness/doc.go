// Package witness makes logs of elections whose truth is known.
//
// It simulates a random plan and writes down what a real API server and real processes would have logged of it. Its tests judge
// what is concluded from these logs by what really happened (Judge), and know nothing of how conclusions are drawn.
package witness
