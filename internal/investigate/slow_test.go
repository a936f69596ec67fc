package investigate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestSlowThoughAccepted: a server that takes a write so late that its client has given it up was slow; so was one that reads so late.
func TestSlowThoughAccepted(t *testing.T) {
	for name, test := range map[string]struct {
		write, read float64 // how long the server worked on the last write and on a read after it
		says        bool    // the log says that a request had no answer
		want        Cause
		text        string
	}{
		"the write":       {9, 0.01, true, Slow, "the server worked on its last write, which it accepted, and on what its client asked for afterwards, for up to 9s"},
		"the read":        {0.01, 8, true, Slow, "the server worked on its last write, which it accepted, and on what its client asked for afterwards, for up to 8s"},
		"neither":         {0.01, 0.01, true, Unreachable, ""},
		"nothing is said": {9, 8, false, Unknown, ""},
	} {
		l := frozen(0, "")
		l.e.Requests[4].Answered = after(9 + test.write)
		if test.says {
			l.say("a", 14, evidence.Failed, "Failed to update lock: context deadline exceeded")
		}
		l.say("a", 19, evidence.Lost, deadline)
		l.read("10.0.0.1", 14.5, 200)
		l.e.Requests[len(l.e.Requests)-1].Answered = after(14.5 + test.read)
		s, err := Tell(&l.addressed().e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
		if test.text != "" {
			assert.Equal(t, test.text, s.Losses[0].Chain[2].Text, name)
		}
	}
}

// TestSlowBeforeRelease: the server was slow, too, if the process that gave its last write up released the lock at once: its own clock
// shows that it gave up first. If it does not say before the release that it gave up, it was told to stop.
func TestSlowBeforeRelease(t *testing.T) {
	for said, want := range map[float64]Cause{11.015: Slow, 11.0185: ShutDown} {
		l := frozen(0, "")
		l.e.Requests[4].Answered = after(11.5)
		l.e.Requests, l.version, l.ahead[""] = l.e.Requests[:5:5], 5, l.ahead["a"]
		l.write("", 11.02)
		l.e.Requests[5].Wrote.Renew = after(11.018 + l.ahead["a"])
		l.renew("b", 30, 40)
		l.say("a", said, evidence.Failed, "Failed to update lease optimistically, falling back to slow path: context deadline exceeded")
		l.say("a", said, evidence.Lost, deadline)
		l.addressed().e.Requests[5].From = "10.0.0.1"
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses)
		assert.Equal(t, want, s.Losses[0].Cause, said)
	}
}

// TestFailedSlowly: of requests that the server failed, the report says how long it worked on them, if that was long.
func TestFailedSlowly(t *testing.T) {
	for took, want := range map[float64]string{7: "; it worked on one of them for 7s, so that it was slow, too", 0.5: ""} {
		l := frozen(20, deadline)
		for _, at := range []float64{11, 16} {
			q := l.e.Requests[4]
			q.Received, q.Answered, q.Status = after(at), after(at+took), 504
			l.e.Requests = append(l.e.Requests, q)
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, Failing, s.Losses[0].Cause)
		assert.Equal(t, "all of its writes that were received meanwhile were refused: the API server failed (500 and above)"+want, s.Losses[0].Chain[2].Text)
	}
}

// TestFlowSchema: if requests were refused with 429, the report names the flow schema that the client's log names, unless they had been authorized: then it was
// something else that refused them.
func TestFlowSchema(t *testing.T) {
	for decision, named := range map[string]bool{"": true, "allow": false} {
		l := frozen(0, "")
		l.say("a", 12, evidence.Waited, `Waited for 1.001s due to server-side throttling, FlowSchema UID: "e1b1-55", request: PUT:https://10.96.0.1/leases/manager`)
		l.say("a", 21, evidence.Lost, deadline)
		for i := range l.e.Requests {
			l.e.Requests[i].Decision = "allow"
		}
		q := l.e.Requests[4]
		q.Received, q.Answered, q.Status, q.Decision = after(11), after(11), 429, decision
		l.e.Requests = append(l.e.Requests, q)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.Equal(t, Throttled, s.Losses[0].Cause)
		assert.Equal(t, named, strings.Contains(s.Losses[0].Chain[2].Text, `its own log names the flow schema whose UID is "e1b1-55"`), s.Losses[0].Chain[2].Text)
		assert.Len(t, s.Losses[0].Chain[2].Places, map[bool]int{true: 2, false: 1}[named])
	}
}
