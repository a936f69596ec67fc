package investigate

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	lock = evidence.Lock{Resource: "leases", Namespace: "shop", Name: "manager"}
)

const goAgent = "manager/v1 (linux/amd64) kubernetes/abc"

// after returns a time so many seconds after noon.
func after(seconds float64) time.Time {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

// logs builds evidence: an audit log, and the logs of pods whose clocks are ahead of the server's.
type logs struct {
	e       evidence.Evidence
	ahead   map[string]float64
	version int
	agent   string
}

func newLogs() *logs {
	l := &logs{ahead: map[string]float64{"a": 3, "b": -2}, agent: goAgent}
	l.e.Sources = []evidence.Source{{File: "audit.log", Kind: evidence.Audit}}
	return l
}

// write has a holder write at a time of the server, 10 ms after it stamped the record.
func (l *logs) write(holder string, at float64) {
	l.version++
	r := &evidence.Record{Holder: holder, Duration: 15 * time.Second, Renew: after(at - 0.01 + l.ahead[holder])}
	q := evidence.Request{
		Place: evidence.Place{Line: len(l.e.Requests) + 1}, Lock: lock, Verb: "update", Agent: l.agent, Received: after(at), Answered: after(at + 0.01),
		Status: 200, Wrote: r, Saw: r, Sent: fmt.Sprint(l.version), Got: fmt.Sprint(l.version + 1),
	}
	l.e.Requests = append(l.e.Requests, q)
}

// renew has a holder write every two seconds.
func (l *logs) renew(holder string, from, until float64) {
	for at := from; at <= until; at += 2 {
		l.write(holder, at)
	}
}

// say has a pod write a line at a time of the server, after a silence if that is a second later than the line before.
func (l *logs) say(pod string, at float64, step evidence.Step, text string) {
	source := -1
	for i := range l.e.Sources {
		if l.e.Sources[i].Process == pod {
			source = i
		}
	}
	stamp := after(at + l.ahead[pod])
	if source < 0 {
		source = len(l.e.Sources)
		l.e.Sources = append(l.e.Sources, evidence.Source{File: pod + ".log", Kind: evidence.Log, Process: pod, First: stamp})
	}
	s := &l.e.Sources[source]
	if before := s.Last; !before.IsZero() && stamp.Sub(before) >= time.Second {
		l.e.Silences = append(l.e.Silences, evidence.Silence{Place: evidence.Place{Source: source, Line: int(s.Lines) + 1}, From: before, Until: stamp})
	}
	s.Lines++
	s.Last = stamp
	l.e.Sayings = append(l.e.Sayings, evidence.Saying{Place: evidence.Place{Source: source, Line: int(s.Lines)}, At: stamp, Unit: time.Microsecond, Lock: lock, Step: step, Text: text})
}

const (
	tries    = "attempting to acquire leader lease shop/manager..."
	acquires = "successfully acquired lease shop/manager"
	deadline = "failed to renew lease shop/manager: context deadline exceeded"
	canceled = "failed to renew lease shop/manager: context canceled"
)

// frozen is the story of a that stands still while b takes over; it says so at a later time, for a reason.
func frozen(gaveUp float64, why string) *logs { return newLogs().freeze(gaveUp, why) }

func (l *logs) freeze(gaveUp float64, why string) *logs {
	l.renew("a", 1, 9)
	l.say("a", 1.02, evidence.Acquired, acquires)
	l.say("b", 1.5, evidence.Tries, tries)
	l.renew("b", 30, 60)
	l.say("b", 30.02, evidence.Acquired, acquires)
	if why != "" {
		l.say("a", gaveUp, evidence.Lost, why)
	}
	return l
}

// coarse makes the lock of all requests a ConfigMap, whose records have whole seconds, and returns that lock.
func (l *logs) coarse() evidence.Lock {
	lock := evidence.Lock{Resource: "configmaps", Namespace: "shop", Name: "manager"}
	for i := range l.e.Requests {
		q := &l.e.Requests[i]
		q.Lock = lock
		r := *q.Wrote
		r.Renew = r.Renew.Truncate(time.Second)
		q.Wrote, q.Saw = &r, &r
	}
	return lock
}

func TestVerdicts(t *testing.T) {
	beside := frozen(40, deadline)
	for i, at := range map[int]float64{1: 1, 4: 40} { // the program's own lines, in whole seconds by a's clock, right after its finer ones
		line := beside.e.Sayings[0]
		line.Line, line.Step, line.Text, line.At, line.Unit = i+1, evidence.Observed, "new leader elected", after(at+3), time.Second
		beside.e.Sayings = append(beside.e.Sayings, line)
	}
	beside.e.Sayings[3].Line = 4
	metadata, foreign, partial, set, twice := frozen(40, deadline), frozen(40, deadline), frozen(40, deadline), frozen(40, deadline), frozen(40, deadline)
	relayed, backwards, coarse := frozen(40, deadline), frozen(40, deadline), frozen(30.5, deadline)
	relayed.e.Sayings[0].Relayed = true
	backwards.e.Sayings[2].Line = 0
	for i := range coarse.e.Sayings {
		coarse.e.Sayings[i].Unit = time.Second
	}
	for i := range metadata.e.Requests {
		metadata.e.Requests[i].Wrote, metadata.e.Requests[i].Saw, metadata.e.Requests[i].Got = nil, nil, ""
		foreign.e.Requests[i].Agent = "fabric8-kubernetes-client/6.9"
	}
	partial.e.Requests = append(partial.e.Requests[:5:5], partial.e.Requests[6:]...) // b's first write is lost
	set.e.Requests[3].Wrote.Renew = after(70)                                        // stamped long after it was received
	for i := range twice.e.Requests {
		twice.e.Requests[i].Got = "" // as the level Request logs it
	}
	for name, test := range map[string]struct {
		logs  *logs
		pairs []Verdict
	}{
		"frozen, thaws after the takeover":   {frozen(40, deadline), []Verdict{Certain}},
		"coarse stamps beside finer ones":    {beside, []Verdict{Certain}},
		"gave up before the takeover":        {frozen(20, deadline), []Verdict{Possible}},
		"gave up too close to tell":          {frozen(30.021, deadline), []Verdict{Possible}},
		"told to stop":                       {frozen(40, canceled), []Verdict{Possible}},
		"told to stop before":                {frozen(20, canceled), []Verdict{Impossible}},
		"killed":                             {frozen(0, ""), []Verdict{Possible}},
		"audit log at Metadata":              {metadata, nil},
		"audit log at Request":               {twice, []Verdict{Possible}},
		"another client":                     {foreign, []Verdict{Possible}},
		"a write of the takeover is missing": {partial, []Verdict{Possible}},
		"stamps of the runtime":              {relayed, []Verdict{Possible}},
		"stamps against the lines' order":    {backwards, []Verdict{Possible}},
		"stamps too coarse to tell":          {coarse, []Verdict{Possible}},
		"a clock that was set":               {set, []Verdict{Possible}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Tell(&test.logs.e, lock, nil)
			require.NoError(t, err)
			var got []Verdict
			for _, p := range s.Pairs {
				got = append(got, p.Worked.Verdict)
				assert.NotEmpty(t, p.Worked.Chain)
				assert.Equal(t, Possible, p.Believed.Verdict)
			}
			assert.Equal(t, test.pairs, got)
		})
	}
}

// TestOffsets: the true offset is within the bounds, and these are as wide as the round trip and what clocks may drift.
func TestOffsets(t *testing.T) {
	s, err := Tell(&frozen(40, deadline).e, lock, nil)
	require.NoError(t, err)
	require.Len(t, s.Offsets, 2)
	for i, ahead := range []time.Duration{3 * time.Second, -2 * time.Second} {
		o := s.Offsets[i]
		require.NotNil(t, o.Low)
		require.NotNil(t, o.High)
		assert.LessOrEqual(t, *o.Low, -ahead)
		assert.GreaterOrEqual(t, *o.High, -ahead)
		assert.Less(t, *o.High-*o.Low, 80*time.Millisecond)
	}
}

func TestSpans(t *testing.T) {
	s, err := Tell(&frozen(40, deadline).e, lock, nil)
	require.NoError(t, err)
	worked := s.Terms[0].Worked
	assert.WithinDuration(t, after(1.02), worked.Start.High, 20*time.Millisecond)
	assert.False(t, worked.Start.High.Before(after(1.02)))
	assert.WithinDuration(t, after(40), worked.End.Low, 60*time.Millisecond)
	assert.False(t, worked.End.Low.After(after(40)))
	assert.Zero(t, worked.End.High)
	assert.False(t, s.Terms[0].Belief.End.Low.After(after(9)), "it may have read later that it holds the lock no longer")
	assert.Equal(t, after(30), s.Terms[1].Worked.Start.Low)
}

func TestCauses(t *testing.T) {
	refused := frozen(40, deadline)
	q := refused.e.Requests[4]
	q.Received, q.Answered, q.Status = after(11), after(11), 429
	refused.e.Requests = append(refused.e.Requests, q)
	once, twice := frozen(40, deadline), frozen(40, deadline) // as a server logs a request whose client has been killed
	q.Status = 500
	once.e.Requests = append(once.e.Requests, q)
	twice.e.Requests = append(twice.e.Requests, q, q)
	twice.e.Requests[len(twice.e.Requests)-1].Received, twice.e.Requests[len(twice.e.Requests)-1].Answered = after(13), after(13)
	still, short, late := frozen(50, deadline), frozen(40, deadline), frozen(50, canceled)
	for l, until := range map[*logs]float64{still: 53, short: 43, late: 53} {
		l.e.Silences = []evidence.Silence{{Place: evidence.Place{Source: 1, Line: 2}, From: after(12), Until: after(until)}}
	}
	quiet := frozen(20, deadline) // it gave up in time, and then had nothing to say
	quiet.e.Silences = []evidence.Silence{{Place: evidence.Place{Source: 1, Line: 2}, From: after(23), Until: after(63)}}
	released := frozen(11, canceled)
	released.version = 5
	released.e.Requests = released.e.Requests[:5]
	released.write("", 11)
	for name, test := range map[string]struct {
		logs  *logs
		cause Cause
	}{"429": {refused, Throttled}, "500": {once, Unknown}, "500, again": {twice, Failing}, "stood still": {still, StoodStill}, "perhaps": {short, Unknown}, "told to stop": {frozen(20, canceled), ShutDown}, "told to stop after the next write": {late, Unknown}, "quiet": {quiet, Unknown}, "nothing seen": {frozen(40, deadline), Unknown}, "shut down": {released, ShutDown}} {
		t.Run(name, func(t *testing.T) {
			s, err := Tell(&test.logs.e, lock, nil)
			require.NoError(t, err)
			require.Len(t, s.Losses, 1)
			assert.Equal(t, test.cause, s.Losses[0].Cause)
		})
	}
}

// TestGaveUpForNoKnownReason: that no cause is known is said, with what the process itself says of the end.
func TestGaveUpForNoKnownReason(t *testing.T) {
	for why, want := range map[string]string{deadline: "its own log says that it gave up at its deadline, and nothing logged shows why it could not renew: the server logged no write of it meanwhile", "": ""} {
		s, err := Tell(&frozen(20, why).e, lock, nil)
		require.NoError(t, err)
		require.Len(t, s.Losses, 1)
		assert.Equal(t, Unknown, s.Losses[0].Cause)
		if want == "" {
			assert.Len(t, s.Losses[0].Chain, 2)
			continue
		}
		require.Len(t, s.Losses[0].Chain, 3)
		assert.Equal(t, want, s.Losses[0].Chain[2].Text)
	}
}

// TestRemedyForSlowAnswers: a request timeout that is advised is longer than the answers took that were seen. The write that took the
// lock is no write of another meanwhile.
func TestRemedyForSlowAnswers(t *testing.T) {
	for took, want := range map[float64]time.Duration{0.02: 2 * time.Second, 3.2: 5 * time.Second} {
		l := frozen(20, deadline)
		q := l.e.Requests[4]
		q.Received, q.Answered, q.Status = after(11), after(21), 504
		l.e.Requests = append(l.e.Requests, q)
		l.read("10.0.0.1", 32, 200)
		l.e.Requests[len(l.e.Requests)-1].Answered = after(32 + took)
		l.read("10.0.0.1", 34+took, 200) // so that it had that answer
		for i := range l.e.Requests {
			if r := l.e.Requests[i].Wrote; r == nil || r.Holder == "a" {
				l.e.Requests[i].From = "10.0.0.1"
			}
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.Equal(t, Slow, s.Losses[0].Cause)
		require.NotNil(t, s.Losses[0].Remedy)
		assert.Equal(t, want, s.Losses[0].Remedy.RequestTimeout)
		assert.NotContains(t, s.Losses[0].Chain[2].Text, "another")
	}
}

// TestForeignCauses: of a client that is not client-go nothing is said that only client-go's deadline implies.
func TestForeignCauses(t *testing.T) {
	for agent, cause := range map[string]Cause{goAgent: StoodStill, "OpenAPI-Generator/31.0.0/python": Unknown} {
		still := frozen(50, deadline)
		still.e.Silences = []evidence.Silence{{Place: evidence.Place{Source: 1, Line: 2}, From: after(12), Until: after(53)}}
		refused := frozen(40, deadline)
		q := refused.e.Requests[4]
		q.Received, q.Answered, q.Status = after(11), after(11), 429
		refused.e.Requests = append(refused.e.Requests, q)
		for _, l := range []*logs{still, refused} {
			for i := range l.e.Requests {
				l.e.Requests[i].Agent, l.e.Requests[i].From = agent, "10.0.0.1"
			}
		}
		s, err := Tell(&still.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, cause, s.Losses[0].Cause, agent)
		s, err = Tell(&refused.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, Throttled, s.Losses[0].Cause, agent)
		assert.Equal(t, agent == goAgent, s.Losses[0].Remedy != nil, agent)
	}
}

func TestNothingOfTheLock(t *testing.T) {
	_, err := Tell(&evidence.Evidence{}, lock, nil)
	assert.EqualError(t, err, "want a lock that the logs name, got leases shop/manager")
}

func TestTimings(t *testing.T) {
	s, err := Tell(&frozen(40, deadline).e, lock, &Options{RenewDeadline: 10 * time.Second})
	require.NoError(t, err)
	require.Len(t, s.Timings, 3)
	assert.Equal(t, 14*time.Second+1, *s.Timings[0].Low)
	assert.Equal(t, 16*time.Second-1, *s.Timings[0].High)
	assert.Equal(t, "RenewDeadline", s.Timings[1].Name)
	assert.False(t, s.Timings[1].Inferred)
	assert.Equal(t, "RetryPeriod", s.Timings[2].Name)
	assert.True(t, s.Timings[2].Inferred)
}

// TestServers: audit logs of the same time may be of servers whose clocks differ. Those of a rotated log are not.
func TestServers(t *testing.T) {
	for overlaps, want := range map[bool]Verdict{false: Certain, true: Possible} {
		l := frozen(40, deadline)
		parts := []evidence.Source{{Kind: evidence.Audit, File: "audit-2026-03-01T12-00-20.000.log"}, {Kind: evidence.Audit, File: "audit.log"}}
		for i := range l.e.Requests {
			q := &l.e.Requests[i]
			part := 0
			if overlaps && i%2 == 1 || !overlaps && i >= len(l.e.Requests)/2 {
				part = 1
			}
			x := &parts[part]
			if x.First.IsZero() {
				x.First = q.Received
			}
			x.Last = q.Answered
			q.Source = len(l.e.Sources) + part
		}
		l.e.Sources = append(l.e.Sources, parts...)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, want, s.Pairs[len(s.Pairs)-1].Worked.Verdict, "overlaps: %v", overlaps)
		if !overlaps { // a request of another lock that had begun when the file was rotated
			other := l.e.Requests[len(l.e.Requests)/2]
			other.Lock.Name, other.Received = "other", parts[0].Last.Add(-time.Second)
			l.e.Sources[other.Source].First = other.Received
			l.e.Requests = append(l.e.Requests, other)
			s, err = Tell(&l.e, lock, nil)
			require.NoError(t, err)
			assert.Equal(t, Certain, s.Pairs[len(s.Pairs)-1].Worked.Verdict, "rotated")
		}
	}
}

// TestParts: each lock has what is about it; one that only logs of processes name is taken for a Lease.
func TestParts(t *testing.T) {
	one, two := evidence.Lock{Resource: "configmaps", Namespace: "n", Name: "a"}, evidence.Lock{Namespace: "n", Name: "b"}
	e := &evidence.Evidence{
		Sources:   []evidence.Source{{Kind: evidence.Log, Process: "p"}},
		Requests:  []evidence.Request{{Lock: one}},
		Sayings:   []evidence.Saying{{Lock: two}, {Lock: evidence.Lock{Namespace: "n", Name: "a"}}, {}},
		Snapshots: []evidence.Snapshot{{Lock: one}},
	}
	parts := Parts(e)
	require.Len(t, parts, 2)
	assert.Equal(t, one, parts[0].Lock)
	assert.Equal(t, []int{1, 1, 1}, []int{len(parts[0].Evidence.Requests), len(parts[0].Evidence.Sayings), len(parts[0].Evidence.Snapshots)})
	two.Resource = "leases"
	assert.Equal(t, two, parts[1].Lock)
	assert.Len(t, parts[1].Evidence.Sayings, 1)
	for _, p := range parts {
		_, err := Tell(p.Evidence, p.Lock, nil)
		require.NoError(t, err)
	}
}

// TestAtMost: the pod's own log shows when its work's context had ended at the latest.
func TestAtMost(t *testing.T) {
	stands := frozen(0, "")
	stands.say("a", 45, evidence.Tries, tries)
	lost := frozen(41, deadline)
	lost.say("a", 45, evidence.Ends, "leader election lost")
	for name, l := range map[string]*logs{"told to stop": frozen(45, canceled), "stands for election again": stands, "said that it lost": lost} {
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotNil(t, s.Pairs[0].Worked.AtMost, name)
		assert.InDelta(t, 15, s.Pairs[0].Worked.AtMost.Seconds(), 0.1, name)
		assert.WithinDuration(t, after(45), s.Terms[0].Worked.End.High, 100*time.Millisecond, name)
	}
	s, err := Tell(&frozen(40, deadline).e, lock, nil)
	require.NoError(t, err)
	assert.Nil(t, s.Pairs[0].Worked.AtMost, "it may release the lock first, while its work goes on")
}

// TestFurtherApart: a leader that stands still may work together with any that comes after it.
func TestFurtherApart(t *testing.T) {
	l := frozen(90, deadline)
	l.ahead["c"] = 1
	l.renew("c", 75, 95)
	l.say("c", 75.02, evidence.Acquired, acquires)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	var certain [][2]int
	for _, p := range s.Pairs {
		if p.Worked.Verdict == Certain {
			certain = append(certain, [2]int{p.Old, p.New})
		}
	}
	assert.Equal(t, [][2]int{{0, 1}, {0, 2}}, certain)
	assert.Len(t, s.Pairs, 3)
}

// TestTrying: until when a leader worked follows from what it says while it tries to renew, but not from what it may say of a release.
func TestTrying(t *testing.T) {
	const reads, writes = "error retrieving resource lock shop/manager: timeout", "Failed to update lock: timeout"
	for name, test := range map[string]struct {
		lines []string
		want  Verdict
	}{
		"writes":             {[]string{writes}, Certain},
		"reads":              {[]string{reads}, Possible},
		"reads twice":        {[]string{reads, reads}, Certain},
		"reads, then writes": {[]string{reads, writes}, Certain},
		"is told to stop":    {[]string{"Failed to update lock: context canceled"}, Possible},
		"releases":           {[]string{"Failed to release lock: timeout"}, Possible},
	} {
		l := frozen(0, "")
		for i, text := range test.lines {
			l.say("a", 32+float64(i), evidence.Failed, text)
		}
		l.say("a", 50, evidence.Observed, "new leader elected: b")
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
	}
}

// TestTryingUntilItGaveUp: a process that says that it gave up renewing had not read the record in order to release it: it does that
// afterwards. Whoever says only that it has lost may have.
func TestTryingUntilItGaveUp(t *testing.T) {
	for name, test := range map[string]struct {
		read string
		step evidence.Step
		last string
		want Verdict
	}{
		"gave up":                {"timeout", evidence.Lost, "failed to renew lease shop/manager: timed out waiting for the condition", Certain},
		"gave up when told":      {"timeout", evidence.Lost, "Failed to renew lease: context canceled", Certain},
		"the request was ended":  {"context canceled", evidence.Lost, "Failed to renew lease: context canceled", Possible},
		"lost":                   {"timeout", evidence.Ends, "leader election lost", Possible},
		"gave up, who knows how": {"timeout", evidence.Lost, "lost the lease", Possible},
	} {
		l := frozen(0, "")
		l.say("a", 32, evidence.Failed, "error retrieving resource lock shop/manager: "+test.read)
		l.say("a", 50, test.step, test.last)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
	}
}

// TestCoarse: where records have whole seconds, the lines of the logs still say when a leader began.
func TestCoarse(t *testing.T) {
	l := newLogs()
	l.ahead = map[string]float64{"a": 3.5, "b": -2.5} // so that each begins in the second in which it says so
	l.freeze(40, deadline)
	l.e.Requests[0].Verb = "create"
	coarse := l.coarse()
	s, err := Tell(&l.e, coarse, nil)
	require.NoError(t, err)
	assert.Equal(t, Certain, s.Pairs[0].Worked.Verdict)
	l.e.Requests[0].Verb = "update" // then writes may be missing before
	s, err = Tell(&l.e, coarse, nil)
	require.NoError(t, err)
	assert.Equal(t, Possible, s.Pairs[0].Worked.Verdict)
}

// TestMoreCauses: each is said where the logs show it, and not where they do not.
func TestMoreCauses(t *testing.T) {
	unheard := func(text string, at float64) *logs {
		l := frozen(0, "")
		l.say("a", at, evidence.Failed, text)
		l.say("a", 21, evidence.Lost, deadline)
		return l
	}
	slowly, failing, seized, gone := frozen(20, deadline), frozen(20, deadline), frozen(20, deadline), frozen(20, deadline)
	for l, status := range map[*logs]int{slowly: 409, failing: 503} {
		q := l.e.Requests[4]
		q.Received, q.Answered, q.Status = after(11), after(13), status
		if l == slowly {
			more := q
			q.Status, more.Received, more.Answered = 403, after(15), after(17)
			l.e.Requests = append(l.e.Requests, more)
		}
		l.e.Requests = append(l.e.Requests, q)
	}
	for i := range seized.e.Requests[5:] {
		q := &seized.e.Requests[5+i]
		q.Received, q.Answered = q.Received.Add(-15*time.Second), q.Answered.Add(-15*time.Second)
		q.Wrote.Duration = 5 * time.Second
	}
	gone.e.Requests[5].Verb, gone.e.Requests[5].Sent = "create", ""
	ended := frozen(0, "")
	ended.e.Sources = append(ended.e.Sources, evidence.Source{File: "a.previous.log", Kind: evidence.Log, Process: "a", First: after(15), Last: after(95)})
	ended.e.Sayings = append(ended.e.Sayings, evidence.Saying{
		Place: evidence.Place{Source: len(ended.e.Sources) - 1, Line: 1}, At: after(18), Unit: time.Microsecond, Lock: lock, Step: evidence.Tries, Text: tries,
	})
	const overdue = "client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline"
	refusedToTheEnd, endless := frozen(0, ""), frozen(0, "")
	refusedToTheEnd.say("a", 19, evidence.Failed, "error retrieving resource lock shop/manager: dial tcp 10.96.0.1:443: connect: connection refused")
	refusedToTheEnd.say("a", 20.999, evidence.Failed, "Failed to update lock optimistically: "+overdue+", falling back to slow path")
	refusedToTheEnd.say("a", 20.9991, evidence.Failed, "error retrieving resource lock shop/manager: "+overdue)
	refusedToTheEnd.say("a", 21, evidence.Lost, deadline)
	endless.say("a", 15, evidence.Failed, "error retrieving resource lock shop/manager: "+overdue)
	for name, test := range map[string]struct {
		logs *logs
		want Cause
	}{
		"no answers":           {unheard("Failed to update lock: context deadline exceeded", 15), Unreachable},
		"no answer afterwards": {unheard("Failed to update lock: context deadline exceeded", 30.5), Unknown},
		"another failure":      {unheard("Failed to update lock: the object has been modified", 15), Unknown},
		"rate limiter":         {unheard("error retrieving resource lock shop/manager: client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline", 15), Limited},
		"limiter, too late":    {unheard("error retrieving resource lock shop/manager: client rate limiter Wait returned an error: context deadline exceeded", 15), Unknown},
		"limiter, at the end":  {unheard("error retrieving resource lock shop/manager: "+overdue, 20.999), Unknown},
		"refused, to the end":  {refusedToTheEnd, Unreachable},
		"limiter, no end":      {endless, Unknown},
		"slow":                 {slowly, Slow},
		"failing":              {failing, Failing},
		"seized":               {seized, Seized},
		"deleted":              {gone, Gone},
		"ended":                {ended, Ended},
		"gave up":              {frozen(20, deadline), Unknown},
		"told to stop":         {frozen(20, canceled), ShutDown},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
	}
}

// TestOnlyItsOwnAttempts: anybody may ask to write a holder's name. What another client asked for, and was refused, shows nothing of the holder.
func TestOnlyItsOwnAttempts(t *testing.T) {
	for name, test := range map[string]struct {
		user string
		want Verdict
	}{"its own": {"", Certain}, "another's": {"admin", Possible}} {
		l := frozen(0, "")
		l.say("a", 50, evidence.Observed, "new leader elected: b")
		r := &evidence.Record{Holder: "a", Duration: 15 * time.Second, Renew: after(38)}
		l.e.Requests = append(l.e.Requests, evidence.Request{Place: evidence.Place{Line: len(l.e.Requests) + 1}, Lock: lock, Verb: "update", Agent: l.agent, User: test.user,
			Received: after(36), Answered: after(36.01), Status: 409, Wrote: r, Sent: "1"})
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
	}
}

// TestWhatAWriteReplaces: a process that is started again under the same name may read the record that the last write of the one before
// replaces, while that is under way. So its line does not end the belief.
func TestWhatAWriteReplaces(t *testing.T) {
	l := newLogs()
	l.ahead = map[string]float64{}
	l.write("b", 1)
	l.write("a", 20)
	l.e.Requests[1].Answered = after(26)
	l.say("a", 21, evidence.Tries, tries)
	l.say("a", 21.5, evidence.Held, "lock is held by b and has not yet expired")
	l.e.Sayings[len(l.e.Sayings)-1].Identity = "b"
	l.write("c", 60)
	l.say("a", 70, evidence.Observed, "new leader elected: c")
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Zero(t, s.Terms[1].Belief.End.High)
	l.say("a", 71, evidence.Held, "lock is held by c and has not yet expired")
	l.e.Sayings[len(l.e.Sayings)-1].Identity = "c"
	s, err = Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.NotZero(t, s.Terms[1].Belief.End.High)
}

// TestShortTermOfWholeSeconds: a holder that dies in the second in which it acquired a ConfigMap stamped its first renewal as late as the
// write that acquired it. The renewal shows by its place which term it is, unless the first write may have failed.
func TestShortTermOfWholeSeconds(t *testing.T) {
	for text, test := range map[string]struct {
		at   float64
		want Verdict
	}{
		"": {0, Certain},
		"error initially creating leader election record: already exists": {30.105, Certain},
		"error retrieving resource lock shop/manager: timed out":          {30.105, Certain},
		"Failed to update lock: timed out":                                {30.105, Possible},
		"Failed to update lock: timed out long before":                    {2, Certain},
	} {
		l := newLogs()
		l.renew("a", 1, 9)
		l.say("a", 1.02, evidence.Acquired, acquires)
		l.say("b", 1.5, evidence.Tries, tries)
		if text != "" {
			l.say("b", test.at, evidence.Failed, text)
		}
		l.write("b", 30.1)
		l.say("b", 30.11, evidence.Acquired, acquires)
		l.write("b", 30.13)
		l.say("a", 40, evidence.Lost, deadline)
		l.e.Requests[0].Verb, l.e.Requests[0].Sent = "create", ""
		s, err := Tell(&l.e, l.coarse(), nil)
		require.NoError(t, err)
		require.Len(t, s.Pairs, 1)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, text)
	}
}

// TestCreationFailed: a creation that was applied, and of which the log says that it failed, has not acquired the lock. The second write has,
// and it was made before the line.
func TestCreationFailed(t *testing.T) {
	l := newLogs()
	l.say("a", 1, evidence.Tries, tries)
	l.write("a", 1.1)
	l.e.Requests[0].Verb, l.e.Requests[0].Sent = "create", ""
	l.say("a", 1.2, evidence.Failed, "error initially creating leader election record: timed out")
	l.write("a", 1.5)
	l.say("a", 1.52, evidence.Acquired, acquires)
	l.renew("a", 3.5, 9.5)
	l.say("a", 9.6, evidence.Lost, canceled)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.Len(t, s.Offsets, 1)
	assert.GreaterOrEqual(t, *s.Offsets[0].High, -3*time.Second)
}
