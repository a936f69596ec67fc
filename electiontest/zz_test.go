package electiontest

import (
	"fmt"
	"testing"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

type lister struct{ tag string }

func (l lister) Observe(e *trace.Event) {
	if e.At > 50e9 && e.Kind != trace.RequestApplied {
		fmt.Println(l.tag, time.Duration(e.At), e.Kind, e.Candidate, e.Holder, e.Fault, e.Verb, e.Cause)
	}
}

func TestZZ(t *testing.T) {
	s := still(scenariotest.Random(scenariotest.Environment{Profile: machine.ClientGo, MaxDriftPPM: 9000}).Example(313), 313, true)
	scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{lister{"sim"}}})
	out := Options{Clock: true}.play(t, s, ours)
	for i := range out.events {
		lister{"kit"}.Observe(&out.events[i])
	}
}
