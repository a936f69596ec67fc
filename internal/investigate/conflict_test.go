package investigate

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// again has a ask to write after its last write, as a copy of that one which was stamped and received so much later, and meets a conflict.
func (l *logs) again(stamped, received float64) *evidence.Request {
	q := l.e.Requests[4]
	r := *q.Wrote
	r.Renew = r.Renew.Add(time.Duration(stamped * float64(time.Second)))
	q.Place.Line, q.Wrote, q.Saw, q.Got, q.Status = len(l.e.Requests)+1, &r, nil, "", 409
	q.Received, q.Answered = after(9+received), after(9.01+received)
	l.e.Requests = append(l.e.Requests, q)
	return &l.e.Requests[len(l.e.Requests)-1]
}

// TestConflictWithItself: a holder that was to replace what its own last write had replaced had no answer to that write. Nobody else is
// to blame for that: the server was slow, or an answer was lost.
func TestConflictWithItself(t *testing.T) {
	const all = "all of its writes that were received meanwhile were refused because of conflicts (409)"
	const itself = all + " with its own last write: they were to replace the version that it had replaced, so that no answer to it had come in time"
	const unsure = all + "; whether with somebody else's write, or with its own that had no answer, is not known"
	for name, test := range map[string]struct {
		change func(l *logs)
		want   Cause
		text   string
	}{
		"its own":           {func(l *logs) { l.again(2, 2) }, Unreachable, itself},
		"its own, slow":     {func(l *logs) { l.e.Requests[4].Answered = after(15); l.again(2, 2) }, Slow, itself + "; the server worked on its writes for up to 6s"},
		"of one attempt":    {func(l *logs) { l.read("10.0.0.1", 10.5, 200); l.again(0, 2) }, Unreachable, itself},
		"sent with it":      {func(l *logs) { l.again(0, 2) }, Conflicts, unsure},
		"sent before it":    {func(l *logs) { l.again(-1, 2) }, Unknown, ""},
		"version not known": {func(l *logs) { l.again(2, 2).Sent = "" }, Conflicts, unsure},
		"changed nothing":   {func(l *logs) { l.e.Requests[4].Got = l.e.Requests[4].Sent; l.again(2, 2) }, Conflicts, all},
		"another's":         {func(l *logs) { l.again(2, 2).Sent = l.e.Requests[4].Got }, Conflicts, all},
		"another's, logged": {func(l *logs) {
			q := l.e.Requests[4]
			q.Verb, q.Wrote, q.Saw, q.Status, q.Received, q.Answered = "patch", nil, nil, 200, after(10), after(10.01)
			q.From, q.Agent, q.User = "192.168.1.9", "kubectl-annotate/v1", "alice"
			l.e.Requests = append(l.e.Requests, q)
			l.again(2, 2).Sent = l.e.Requests[4].Got
		}, Conflicts, all + ": kubectl-annotate/v1 (user alice, from 192.168.1.9) had written the object"},
	} {
		l := frozen(0, "").addressed()
		test.change(l)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, "%s: %v", name, s.Losses[0])
		if test.text != "" && assert.Greater(t, len(s.Losses[0].Chain), 2, name) {
			assert.Equal(t, test.text, s.Losses[0].Chain[2].Text, name)
		}
		for _, link := range s.Losses[0].Chain {
			if test.want != Conflicts {
				assert.NotContains(t, link.Text, "somebody else", name)
			}
		}
	}
}

// TestUnauthenticated: a request that the server could not authenticate is that of whoever asks from there with that agent. So
// something came from the holder, and it is why the term ended; if several users ask from there, the report does not say that nothing
// came.
func TestUnauthenticated(t *testing.T) {
	for name, test := range map[string]struct {
		other string // who else asked from a's address, if anybody
		want  Cause
	}{"one user": {"", Rejected}, "several users": {"guest", Unknown}} {
		l := frozen(0, "").addressed()
		for i := range l.e.Requests {
			l.e.Requests[i].User = "manager"
		}
		for at := range 3 {
			q := l.again(2, float64(2+2*at))
			q.User, q.Wrote, q.Status = "", nil, 401
		}
		if test.other != "" {
			l.read("10.0.0.1", 0.5, 200)
			l.e.Requests[len(l.e.Requests)-1].User = test.other
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
		assert.NotContains(t, fmt.Sprint(s.Losses[0].Chain), "nothing", name)
		if test.want == Rejected {
			assert.Len(t, s.Losses[0].Chain[2].Places, 3)
			assert.Equal(t, []int{8, 5, 3}, []int{s.Processes[0].Writes, s.Processes[0].Accepted, s.Processes[0].Refused})
		}
	}
}

// TestRefusedReads: a holder that must read before it writes loses the lock by refused reads, if its log says that reading failed.
func TestRefusedReads(t *testing.T) {
	for text, want := range map[string]Cause{"error retrieving resource lock shop/manager: Unauthorized": Rejected, "": Unknown} {
		l := frozen(0, "").addressed()
		l.read("10.0.0.1", 12, 401)
		l.read("10.0.0.1", 14, 401)
		if text != "" {
			l.say("a", 12.1, evidence.Failed, text)
		}
		l.say("a", 20, evidence.Lost, deadline)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses)
		assert.Equal(t, want, s.Losses[0].Cause, text)
	}
}

// TestAskedLater: what a process asks after it gave up, or no sooner than the next holder writes, has not ended its term.
func TestAskedLater(t *testing.T) {
	refused := func(l *logs, received float64) {
		q := l.again(received, received)
		q.Sent, q.Status = l.e.Requests[4].Got, 403
	}
	for name, test := range map[string]struct {
		change func(l *logs)
		want   Cause
	}{
		"before it gave up":    {func(l *logs) { refused(l, 10) }, Forbidden},
		"after it gave up":     {func(l *logs) { refused(l, 12) }, Unknown},
		"both":                 {func(l *logs) { refused(l, 10); refused(l, 12) }, Forbidden},
		"meets the next write": {func(l *logs) { l.again(10, 20.995).Sent = l.e.Requests[4].Got }, Unknown},
		"answered late, too":   {func(l *logs) { refused(l, 12); l.e.Requests[len(l.e.Requests)-1].Answered = after(29) }, Unknown},
	} {
		l := frozen(20, deadline).addressed()
		test.change(l)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
		if test.want == Unknown && name != "meets the next write" {
			assert.Contains(t, s.Losses[0].Chain[2].Text, "the server logged no write of it before its term was over", name)
		}
	}
}
