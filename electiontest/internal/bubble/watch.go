package bubble

import (
	"fmt"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// A run is given up once it can be seen never to go on, not once it has taken long. The runtime stops the program for a look
// at all goroutines. Where none of the whole program runs or could run, and one of the bubble waits for what is no rest to
// testing/synctest, neither time nor a goroutine of the bubble can change anything any more. On a busy machine a goroutine
// that waits for a processor could run, and whatever takes long does so. What remains is what comes from elsewhere: a
// goroutine outside of the bubble that sleeps, or a client of a socket that is listened on. So the same has to be seen in ten
// looks, with nothing else in between; the run may not wait for such things, as its documentation says.
const looksTold, looksStuck = 5, 2 * looksTold

// watch tells, in real time, what keeps virtual time from going on, and ends the run where nothing will.
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
