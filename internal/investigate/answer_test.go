package investigate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	_ "interregnum/internal/few/garbage"
)

const vague = "failed to renew lease shop/manager: timed out waiting for the condition"

// reading are the logs of a that stands still while b takes over, and then reads the record at the given times.
func reading(at ...float64) *logs {
	l := frozen(0, "")
	for _, x := range at {
		l.read("10.0.0.1", x, 200)
	}
	return l
}

// verdictOf returns whether the holders of the first two terms worked at once. Holders that are named in from write from there, all
// others from addresses of their own.
func verdictOf(t *testing.T, l *logs, lock evidence.Lock, from map[string]string) Verdict {
	address := map[string]string{"a": "10.0.0.1", "b": "10.0.0.2", "c": "10.0.0.3"}
	for holder, x := range from {
		address[holder] = x
	}
	for i := range l.e.Requests {
		if r := l.e.Requests[i].Wrote; r != nil {
			l.e.Requests[i].From = address[r.Holder]
		}
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.NotEmpty(t, s.Pairs)
	return s.Pairs[0].Worked.Verdict
}

// TestReads: whoever reads the record twice after it has acquired the lock, or once before it says that it gave up, tries to renew it, and
// works. It may be told to stop after the last read but one, since a release reads the record, too.
func TestReads(t *testing.T) {
	gaveUp, failed, foreign := reading(31), reading(31, 33, 35), reading(31, 33, 35)
	gaveUp.say("a", 40, evidence.Lost, vague)
	failed.say("a", 30.5, evidence.Failed, "error retrieving resource lock shop/manager: context deadline exceeded")
	foreign.say("a", 5, evidence.Failed, "Failed to update lock: another one's")
	foreign.e.Sayings[len(foreign.e.Sayings)-1].Lock = evidence.Lock{}
	ended := reading(31, 33, 35)
	ended.say("a", 30.5, evidence.Tries, tries)
	released, lost := reading(31, 33, 35), reading(31, 33, 35)
	conflict := released.e.Requests[4]
	conflict.Status, conflict.Got, conflict.Wrote, conflict.Received, conflict.Answered = 409, "", &evidence.Record{Renew: after(35)}, after(32), after(32.01)
	released.e.Requests = append(released.e.Requests, conflict)
	lost.e.Requests = append(lost.e.Requests[:8:8], lost.e.Requests[9:]...)
	together := reading(31, 33, 35)
	together.e.Requests[len(together.e.Requests)-3].Answered = after(34)
	for name, test := range map[string]struct {
		logs *logs
		from map[string]string
		want Verdict
	}{
		"several":                          {reading(31, 33, 35), nil, Certain},
		"one, which may be of a release":   {reading(31), nil, Possible},
		"one before b began":               {reading(25, 31), nil, Possible},
		"one, and it gave up":              {gaveUp, nil, Certain},
		"a read failed before":             {failed, nil, Possible},
		"something of another lock failed": {foreign, nil, Possible},
		"b wrote from there, too":          {reading(31, 33, 35), map[string]string{"b": "10.0.0.1"}, Possible},
		"a read while it renewed":          {reading(5, 31, 33, 35), nil, Possible},
		"a read before its lease was over": {reading(20, 31, 33, 35), nil, Possible},
		"it stood for election before":     {ended, nil, Possible},
		"after its log":                    {reading(51, 53, 55), nil, Possible},
		"two reads at once":                {together, nil, Possible},
		"it releases the lock in between":  {released, map[string]string{"": "10.0.0.1"}, Possible},
		"a request is missing":             {lost, nil, Possible},
	} {
		t.Run(name, func(t *testing.T) {
			test.logs.say("a", 50, evidence.Observed, "new leader elected")
			assert.Equal(t, test.want, verdictOf(t, test.logs, lock, test.from))
		})
	}
}

// TestAnswered: a process says that it has acquired the lock when it has the answer, which bounds its clock.
func TestAnswered(t *testing.T) {
	l := newLogs()
	l.say("a", 0.5, evidence.Tries, tries)
	l.renew("a", 1, 9)
	l.say("a", 1.02, evidence.Acquired, acquires)
	l.e.Requests[0].Verb, l.e.Requests[0].Answered = "create", after(1.015)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.NotNil(t, s.Offsets[0].Low)
	assert.InDelta(t, -3.005, s.Offsets[0].Low.Seconds(), 0.001)
}

// TestDeleted: a leader whose object was deleted and created anew acquired the lock by its first write, since nothing failed before it says so.
func TestDeleted(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		at   float64
		want Verdict
	}{
		"nothing failed":               {"", 0, Certain},
		"something failed before":      {"error initially creating leader election record: the server answered 409", 0.9, Certain},
		"something failed in between":  {"Failed to update lock: context deadline exceeded", 1.005, Possible},
		"something of nobody's failed": {"Failed to update lock: context deadline exceeded", 1.005, Possible},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogs()
			l.say("a", 0.5, evidence.Tries, tries)
			if test.text != "" {
				l.say("a", test.at, evidence.Failed, test.text)
				if name == "something of nobody's failed" {
					l.e.Sayings[len(l.e.Sayings)-1].Lock = evidence.Lock{}
				}
			}
			l.write("a", 1)
			l.say("a", 1.02, evidence.Acquired, acquires)
			l.version += 5 // the object was deleted
			l.say("b", 1.5, evidence.Tries, tries)
			l.renew("b", 2, 20)
			l.say("b", 2.02, evidence.Acquired, acquires)
			for _, i := range []int{0, 1} {
				l.e.Requests[i].Verb, l.e.Requests[i].Sent = "create", ""
			}
			refused := l.e.Requests[0] // its renewal, of the object that is gone
			r := *refused.Wrote
			r.Renew = after(4.99)
			refused.Verb, refused.Status, refused.Got, refused.Wrote, refused.Received, refused.Answered = "update", 409, "", &r, after(2), after(2.01)
			l.e.Requests = append(l.e.Requests, refused)
			l.say("a", 8, evidence.Lost, deadline)
			assert.Equal(t, test.want, verdictOf(t, l, lock, nil))
		})
	}
}
