package machine_test

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
)

// A host performs what Step asks for, and tells the machine the results. This one plays a lock service that has no lock
// yet: the candidate reads it, creates it and leads.
func Example() {
	m := machine.New(machine.Config{
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		},
		Identity: "a", Profile: machine.Strict,
	})
	now := machine.Now{Wall: machine.WallOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))}
	inputs := []machine.Input{{Kind: machine.Started}}
	for len(inputs) > 0 && !m.IsLeader() {
		outputs := m.Step(now, &inputs[0], nil)
		inputs = inputs[1:]
		for _, o := range outputs {
			if o.Kind != machine.Send {
				continue // timers to set, work to start, callbacks to make
			}
			answer := machine.Response{ID: o.Request.ID, Outcome: machine.Done}
			if o.Request.Verb == machine.Get {
				answer.Outcome = machine.NotFound
			}
			fmt.Println("request:", o.Request.Verb)
			inputs = append(inputs, machine.Input{Kind: machine.Responded, Response: answer})
		}
		now.Mono = now.Mono.Add(time.Millisecond)
	}
	fmt.Println("leader:", m.Leader())
	// Output:
	// request: get
	// request: create
	// leader: a
}
