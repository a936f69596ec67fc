package investigate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// inferred returns the timing of that name, nil if there is none.
func inferred(t *testing.T, l *logs, name string) *Timing {
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	for i := range s.Timings {
		if s.Timings[i].Name == name {
			return &s.Timings[i]
		}
	}
	return nil
}

// took has the server answer all requests so long after it received them.
func (l *logs) took(d time.Duration) *logs {
	for i := range l.e.Requests {
		l.e.Requests[i].Answered = l.e.Requests[i].Received.Add(d)
	}
	return l
}

// TestRetryPeriod: renewals between which nothing failed bound it from above, and others do not: they may be of one poll.
func TestRetryPeriod(t *testing.T) {
	x := inferred(t, frozen(40, deadline).took(0), "RetryPeriod")
	require.NotNil(t, x)
	assert.Nil(t, x.Low)
	assert.WithinRange(t, noon.Add(*x.High), noon.Add(2*time.Second), noon.Add(2003*time.Millisecond))
	assert.Equal(t, 2*time.Second, x.Likely)
	assert.True(t, x.Inferred)

	hurried := newLogs()
	hurried.renew("a", 1, 9)
	hurried.write("a", 9.5) // at once, after an answer that did not come
	hurried.say("a", 1.02, evidence.Acquired, acquires)
	hurried.say("a", 9.4, evidence.Failed, "Failed to update lock optimistically: timeout, falling back to slow path")
	hurried.say("a", 30, evidence.Lost, deadline)
	x = inferred(t, hurried.took(0), "RetryPeriod")
	require.NotNil(t, x)
	assert.Equal(t, 2*time.Second, x.Likely)

	for name, l := range map[string]*logs{"no log of the process": newLogs(), "another client": newLogs(), "another elector": newLogs()} {
		l.renew("a", 1, 9)
		switch name {
		case "another client":
			l.say("a", 1.02, evidence.Acquired, acquires)
			for i := range l.e.Requests {
				l.e.Requests[i].Agent = "fabric8-kubernetes-client/6.9"
			}
		case "another elector":
			l.say("a", 1.02, evidence.Acquired, "Leading")
		}
		l.say("a", 30, evidence.Observed, "new leader elected: b")
		assert.Nil(t, inferred(t, l, "RetryPeriod"), name)
	}
}

// TestAnsweredLate: RetryPeriod counts from the answer, which the audit log has, unless the client asked for something else before.
// Where messages may have been under way for long, no value is likely.
func TestAnsweredLate(t *testing.T) {
	late := func() *logs {
		l := frozen(40, deadline).took(500 * time.Millisecond)
		l.e.Requests[0].Answered = l.e.Requests[0].Received.Add(10 * time.Millisecond) // before it said that it has acquired the lock
		return l
	}
	x := inferred(t, late(), "RetryPeriod")
	assert.InDelta(t, 1.501, x.High.Seconds(), 0.002)
	assert.Equal(t, 1500*time.Millisecond, x.Likely)

	asked := late()
	for _, at := range []float64{1.005, 3.2, 5.2, 7.2} {
		q := asked.e.Requests[0]
		q.Verb, q.Wrote, q.Saw, q.Sent, q.Got, q.Received, q.Answered = "get", nil, nil, "", "", after(at), after(at+0.001)
		asked.e.Requests = append(asked.e.Requests, q)
	}
	x = inferred(t, asked, "RetryPeriod")
	assert.InDelta(t, 2.001, x.High.Seconds(), 0.002, "it had perhaps given up the first renewal")

	far := frozen(40, deadline).took(0)
	far.e.Sayings[0].At = after(1.5 + far.ahead["a"])
	x = inferred(t, far, "RetryPeriod")
	assert.InDelta(t, 2.001, x.High.Seconds(), 0.002)
	assert.Zero(t, x.Likely)
}

// TestRenewDeadline: who gives up at it bounds it from above, and who goes on after a refusal from below.
func TestRenewDeadline(t *testing.T) {
	x := inferred(t, frozen(21.02, deadline), "RenewDeadline")
	require.NotNil(t, x)
	assert.Nil(t, x.Low)
	assert.InDelta(t, 12.03, x.High.Seconds(), 0.02, "RetryPeriod is in it")
	assert.Zero(t, x.Likely, "10 s if its last renewal was answered, 12 s if not")
	assert.Nil(t, inferred(t, frozen(21.02, canceled), "RenewDeadline"), "it was told to stop")

	refused := func(l *logs, between bool) *logs {
		for _, at := range []float64{11, 13, 15, 19} {
			q := l.e.Requests[4]
			r := *q.Wrote
			r.Renew = after(at - 0.01 + l.ahead["a"])
			q.Wrote, q.Saw, q.Got, q.Status, q.Received, q.Answered = &r, nil, "", 503, after(at), after(at)
			l.e.Requests = append(l.e.Requests, q)
		}
		if between { // then one of them may have been applied
			l.e.Requests[5].Sent = "0"
		}
		return l
	}
	tries := func(between bool) *logs { return refused(frozen(21.02, deadline), between) }
	x = inferred(t, tries(false), "RenewDeadline")
	require.NotNil(t, x.Low)
	assert.InDelta(t, 8, x.Low.Seconds(), 0.02)
	assert.Equal(t, 10*time.Second, x.Likely)
	assert.Nil(t, inferred(t, tries(true), "RenewDeadline").Low)

	for name, tell := range map[string]func(*logs){
		"it says so": func(l *logs) {
			l.say("a", 9.3, evidence.Failed, "Failed to update lease optimistically, falling back to slow path")
			l.say("a", 21.02, evidence.Lost, deadline)
		},
		"it reads":   func(l *logs) { l.read("", 9.3, 200) },
		"a conflict": func(l *logs) { l.e.Requests[len(l.e.Requests)-1].Status = 409 },
	} {
		l := tries(false)
		if name == "it says so" {
			l = refused(frozen(0, ""), false)
		}
		tell(l)
		x := inferred(t, l, "RenewDeadline")
		require.NotNil(t, x, name)
		assert.NotNil(t, x.High, name)
		assert.Zero(t, x.Likely, "no RetryPeriod is in the bound, perhaps, since its last renewal had no answer: %s", name)
	}
}

// TestUsual: what people write is near what the logs show, or nothing is likely.
func TestUsual(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		2013 * time.Millisecond: 2 * time.Second, 2 * time.Second: 2 * time.Second, 2300 * time.Millisecond: 0, 7504 * time.Millisecond: 7500 * time.Millisecond,
		302 * time.Millisecond: 300 * time.Millisecond, 380 * time.Millisecond: 0, 50 * time.Millisecond: 0, 26020 * time.Millisecond: 26 * time.Second, -1: 0,
	} {
		assert.Equal(t, want, usual(d), "%v", d)
	}
}

// TestRefusedUnread: a server that refuses a request before it reads it logs no record. It says by whom the request was refused in so
// far as it had been authorized.
func TestRefusedUnread(t *testing.T) {
	refused := func(status int, decision string) *logs {
		l := frozen(21.02, deadline)
		for i := range l.e.Requests {
			l.e.Requests[i].From, l.e.Requests[i].Decision = map[bool]string{true: "10.0.0.1", false: "10.0.0.2"}[i < 5], "allow"
		}
		for _, at := range []float64{11, 13} {
			q := l.e.Requests[4]
			q.Wrote, q.Saw, q.Sent, q.Got, q.Status, q.Decision, q.Received, q.Answered = nil, nil, "", "", status, decision, after(at), after(at)
			l.e.Requests = append(l.e.Requests, q)
		}
		return l
	}
	shared := refused(429, "")
	for i := range shared.e.Requests {
		shared.e.Requests[i].From = "10.0.0.1"
	}
	silent := refused(429, "")
	for i := range silent.e.Requests {
		silent.e.Requests[i].Decision = ""
	}
	for name, test := range map[string]struct {
		logs  *logs
		cause Cause
		says  string
	}{
		"before it was authorized":   {refused(429, ""), Throttled, "API priority and fairness"},
		"after it was authorized":    {refused(429, "allow"), Throttled, "an admission plugin"},
		"a server that does not say": {silent, Throttled, ""},
		"forbidden":                  {refused(403, "forbid"), Forbidden, ""},
		"two holders at one address": {shared, Unknown, ""},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.Len(t, s.Losses, 1, name)
		assert.Equal(t, test.cause, s.Losses[0].Cause, name)
		text := ""
		for _, link := range s.Losses[0].Chain {
			text += link.Text
		}
		assert.Contains(t, text, test.says, name)
		if test.says == "" {
			assert.NotContains(t, text, "authorized", name)
		}
	}
}

// TestWaited: a client's log says whether its own limiter held a request back, or the server had asked it to wait.
func TestWaited(t *testing.T) {
	for reason, want := range map[string]Cause{
		"Waited before sending request (14s): client-side throttling, not priority and fairness":                                              Limited,
		"Waited for 14s due to client-side throttling, not priority and fairness":                                                             Limited,
		"Waited for 1.0005s due to client-side throttling, not priority and fairness":                                                         Unknown,
		"Waited before sending request: client-side throttling":                                                                               Unknown,
		`Waited before sending request (1s): retries: 1, retry-after: 1s - retry-reason: due to server-side throttling, FlowSchema UID: "7f"`: Throttled,
		"Waited before sending request (1s): retries: 1, retry-after: 1s - retry-reason: 503":                                                 Unknown,
	} {
		l := frozen(0, "")
		l.say("a", 15, evidence.Waited, reason)
		l.say("a", 21, evidence.Lost, deadline)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, want, s.Losses[0].Cause, reason)
	}
}

// TestWaitedForAnUnknownLease: without the lease's duration, nobody knows whether a wait was too long.
func TestWaitedForAnUnknownLease(t *testing.T) {
	l := frozen(0, "")
	for i := range l.e.Requests {
		for _, r := range []*evidence.Record{l.e.Requests[i].Wrote, l.e.Requests[i].Saw} {
			if r != nil {
				r.Duration = 0
			}
		}
	}
	l.say("a", 15, evidence.Waited, "Waited for 1.2s due to client-side throttling, not priority and fairness")
	l.say("a", 21, evidence.Lost, deadline)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.NotEmpty(t, s.Losses)
	assert.Equal(t, Unknown, s.Losses[0].Cause)
}
