package investigate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestDeparture: who releases the lock, or stands for election again, without a word that it gave up was told to stop, or has ended.
func TestDeparture(t *testing.T) {
	story := func(release bool, says ...func(*logs)) *logs {
		l := newLogs()
		l.renew("a", 1, 9)
		l.say("a", 0.9, evidence.Tries, tries)
		l.say("a", 1.02, evidence.Acquired, acquires)
		for _, say := range says {
			say(l)
		}
		if release {
			l.ahead[""] = l.ahead["a"]
			l.write("", 10.5)
		}
		l.renew("b", 30, 40)
		for i := range l.e.Requests {
			l.e.Requests[i].From = map[bool]string{true: "10.0.0.2", false: "10.0.0.1"}[l.e.Requests[i].Wrote.Holder == "b"]
		}
		l.say("a", 50, evidence.Observed, "new leader elected: b")
		return l
	}
	say := func(at float64, step evidence.Step, text string) func(*logs) {
		return func(l *logs) { l.say("a", at, step, text) }
	}
	coarse := func(l *logs) {
		l.say("a", 10.2, evidence.Lost, deadline)
		s := &l.e.Sayings[len(l.e.Sayings)-1]
		s.At, s.Unit = s.At.Truncate(5*time.Second), 5*time.Second // before or after its last write
	}
	other := story(true)
	other.e.Requests[5].From = "10.0.0.2"
	cut := story(true)
	cut.e.Sources[1].Last = after(9 + cut.ahead["a"])
	for name, test := range map[string]struct {
		logs *logs
		want Cause
	}{
		"releases":                       {story(true), ShutDown},
		"releases after its deadline":    {story(true, say(10.2, evidence.Lost, deadline)), Unknown},
		"releases, told to stop":         {story(true, say(10.2, evidence.Lost, canceled)), ShutDown},
		"a line that is too coarse":      {story(true, coarse), Released},
		"its log has ended before":       {cut, Released},
		"another process releases":       {other, Undone},
		"stands for election again":      {story(false, say(12, evidence.Tries, tries)), Ended},
		"says that it lost":              {story(false, say(12, evidence.Ends, "leader election lost")), ShutDown},
		"says that it lost, and gave up": {story(false, say(11, evidence.Lost, deadline), say(12, evidence.Ends, "leader election lost")), Unknown},
		"stands for election too late":   {story(false, say(31, evidence.Tries, tries)), Silent},
		"ours says why":                  {story(false, say(12, evidence.Lost, "Gave up renewing the lease: context canceled")), ShutDown},
		"ours gave up":                   {story(false, say(12, evidence.Lost, "Gave up renewing the lease: context deadline exceeded")), Unknown},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
	}
}

// TestTakenPatchesAreNoConflicts: a client that renews by patches, whose records no audit log has, was not refused all the time if one
// of them was taken.
func TestTakenPatchesAreNoConflicts(t *testing.T) {
	for _, taken := range []bool{false, true} {
		l := newLogs()
		l.renew("a", 1, 9)
		for i, at := range []float64{11, 13, 15} {
			l.write("a", at)
			q := &l.e.Requests[len(l.e.Requests)-1]
			q.Wrote, q.Saw, q.Verb, q.Status = nil, nil, "patch", 409
			if taken && i < 2 {
				q.Status = 200
			}
		}
		l.renew("b", 30, 40)
		for i := range l.e.Requests {
			q := &l.e.Requests[i]
			q.From = "10.0.0.1"
			if q.Wrote != nil && q.Wrote.Holder == "b" {
				q.From = "10.0.0.2"
			}
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.Len(t, s.Losses, 1)
		assert.Equal(t, !taken, s.Losses[0].Cause == Conflicts, "%v", s.Losses[0])
	}
}

// TestStoppedAndReleased: a holder that released the lock because it was told to stop, or says that it could not, had stopped by then:
// its log does not say before that it gave up. A release of which the log shows nothing else is told all the same, and bounds nothing.
func TestStoppedAndReleased(t *testing.T) {
	story := func(release bool, says ...string) *logs {
		l := newLogs()
		l.renew("a", 1, 9)
		l.say("a", 0.9, evidence.Tries, tries)
		l.say("a", 1.02, evidence.Acquired, acquires)
		for i, text := range says {
			step := evidence.Failed
			if text == deadline {
				step = evidence.Lost
			}
			l.say("a", 20+float64(i), step, text)
		}
		if release {
			l.ahead[""] = l.ahead["a"]
			l.write("", 10.5)
		}
		l.say("b", 1.5, evidence.Tries, tries)
		l.renew("b", 30, 40)
		l.say("b", 30.02, evidence.Acquired, acquires)
		for i := range l.e.Requests {
			l.e.Requests[i].From = map[bool]string{true: "10.0.0.2", false: "10.0.0.1"}[l.e.Requests[i].Wrote.Holder == "b"]
		}
		return l
	}
	goesOn := story(true)
	goesOn.say("a", 12, evidence.Observed, "new leader elected: b")
	for name, test := range map[string]struct {
		logs  *logs
		cause Cause
		want  Verdict
	}{
		"its log goes on":           {goesOn, ShutDown, Impossible},
		"its log has ended":         {story(true), Released, Possible},
		"could not release":         {story(false, "Failed to release lock: context deadline exceeded"), ShutDown, Impossible},
		"could not read, v0.37":     {story(false, "error retrieving resource lock: context deadline exceeded"), ShutDown, Impossible},
		"could not read, v0.33":     {story(false, "error retrieving resource lock shop/manager: context deadline exceeded"), Unreachable, Possible},
		"gave up, could not either": {story(false, deadline, "Failed to release lock: context deadline exceeded"), Unknown, Possible},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.cause, s.Losses[0].Cause, name)
		assert.Greater(t, len(s.Losses[0].Chain), 2, name)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
	}
}
