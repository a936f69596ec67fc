package bubble

import (
	"fmt"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// A run is given up once it can be seen that it will never go on, not once it has taken long. The runtime stops the program for a look
// at all goroutines. The run is stuck where no goroutine of the whole program runs or could run, and one of the bubble waits for
// something that does not count as rest for testing/synctest: then virtual time stands still, and no goroutine of the bubble can
// change that. A slow run is not taken for a stuck one: a goroutine that computes runs, and one that waits for a processor could run.
// Only something from outside could still set the run going: a goroutine outside of the bubble that sleeps, or a client of a socket
// on which the program listens. A run may not wait for such things, as the documentation says; to be sure all the same, the program
// must look the same ten times in a row.
const looksTold, looksStuck = 5, 2 * looksTold

// watch looks at the run in real time until over is closed. Each time that no request has been sent for b.patience, it prints to
// b.talk, once, what keeps virtual time from going on. Once nothing will let virtual time go on, it sends the reason to stuck and
// returns.
func (b *Bubble) watch(over <-chan struct{}, stuck chan<- string) {
	before, silent := b.requests.Load(), 0
	last, same := "", 0
	for {
		select {
		case <-over:
			return
		case <-time.After(b.patience / looksTold):
		}
		if now := b.requests.Load(); now != before {
			before, silent, last = now, 0, ""
			continue
		}
		all := goroutines.All()
		if silent++; silent == looksTold {
			suspects := b.keepers(all)
			fmt.Fprintf(b.talk, "electiontest: scenario %s has stood still for %v of real time: %s. Those that could be it:\n%s\n",
				b.scenario, b.patience, diagnosis(suspects), goroutines.Text(suspects))
		}
		now := b.rest(all)
		if now == "" || now != last {
			last, same = now, 0
			continue
		}
		if same++; same == looksStuck {
			keepers := b.keepers(all)
			stuck <- fmt.Sprintf("virtual time stands still for ever: %s. Who waits:\n%s%s", diagnosis(keepers), goroutines.Text(keepers),
				holders(b.among(all, (*goroutines.Stack).Durable), keepers))
			return
		}
	}
}
