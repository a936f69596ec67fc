// Package electiontest runs scenarios on your own code, in its own tests.
package electiontest
