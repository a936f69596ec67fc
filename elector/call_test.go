package elector

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// hanging is a lock whose calls return when the test lets them.
type hanging struct {
	service
	returns map[machine.Verb]chan struct{}
}

func (h *hanging) ask(_ context.Context, r *machine.Request) (machine.Response, uint64, error) {
	<-h.returns[r.Verb]
	return machine.Response{ID: r.ID, Outcome: machine.Done}, 0, nil
}

// TestCallBesideAWatch: a watch that hangs is healthy, and its end does not hide from Check that another call hangs. That call is
// over as soon as it has returned, even if nobody takes its answer.
func TestCallBesideAWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lock := &hanging{returns: map[machine.Verb]chan struct{}{machine.Watch: make(chan struct{}), machine.Get: make(chan struct{})}}
		le := newElector(LeaderElectionConfig{Profile: Strict, RenewDeadline: time.Second, Clock: clock.RealClock{}}, new(machine.Machine), lock)
		answers := make(chan *reply, 2)
		go le.call(t.Context(), machine.Request{ID: 1, Verb: machine.Watch}, answers)
		time.Sleep(time.Hour)
		assert.NoError(t, le.Check(0), "a watch may take as long as it likes")
		go le.call(t.Context(), machine.Request{ID: 2, Verb: machine.Get}, answers)
		time.Sleep(time.Hour)
		close(lock.returns[machine.Watch])
		synctest.Wait()
		assert.Error(t, le.Check(0), "only the watch was answered")
		close(lock.returns[machine.Get])
		synctest.Wait()
		assert.NoError(t, le.Check(0))
	})
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
