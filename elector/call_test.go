package elector

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// TestCallBesideAWatch: the answer of a watch does not hide from Check that another call hangs.
func TestCallBesideAWatch(t *testing.T) {
	sent := func(id uint64, verb machine.Verb) []machine.Output {
		return []machine.Output{{Kind: machine.Send, Request: &machine.Request{ID: id, Verb: verb}}}
	}
	answered := func(id uint64) *machine.Input {
		return &machine.Input{Kind: machine.Responded, Response: machine.Response{ID: id, Outcome: machine.Done}}
	}
	le := &LeaderElector{}
	le.noteCall(1, &machine.Input{}, sent(1, machine.Watch))
	assert.False(t, le.asking, "a watch may take as long as it likes")
	le.noteCall(2, &machine.Input{}, sent(2, machine.Get))
	assert.True(t, le.asking)
	le.noteCall(3, answered(1), nil)
	assert.True(t, le.asking, "only the watch was answered")
	le.noteCall(4, answered(2), sent(3, machine.Refresh))
	assert.True(t, le.asking)
	assert.EqualValues(t, 4, le.askedAt)
	le.noteCall(5, answered(3), nil)
	assert.False(t, le.asking)
}

// TestReportTo: a Run may set where dropped messages are reported while those of the Run before still wait. The race
// detector sees the rest.
func TestReportTo(t *testing.T) {
	tell, hold, got := &teller{}, make(chan struct{}), make(chan int, 1)
	tell.reportTo(func(int) { t.Error("reported to the Run before") })
	tell.tell(func() { <-hold })
	for range mostTold + 5 {
		tell.tell(func() {})
	}
	tell.reportTo(func(dropped int) { got <- dropped })
	close(hold)
	assert.Contains(t, []int{5, 6}, <-got)
}
