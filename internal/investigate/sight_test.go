package investigate

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// snapshot has somebody see the Lease.
func (l *logs) snapshot(holder string, acquired, renewed float64, transitions int) {
	l.e.Snapshots = append(l.e.Snapshots, evidence.Snapshot{
		Place: evidence.Place{Line: len(l.e.Snapshots) + 1}, Lock: lock,
		Record: evidence.Record{Holder: holder, Duration: 15 * time.Second, Acquire: after(acquired), Renew: after(renewed), Transitions: transitions},
	})
}

// TestSightings: Leases, events and metrics alone show who held the lock, and how many terms between are not seen; work they do not show.
func TestSightings(t *testing.T) {
	l := newLogs()
	l.snapshot("a", 0, 10, 3)
	l.snapshot("a", 0, 12, 3)
	l.snapshot("", 12, 13, 3)
	l.snapshot("b", 60, 72, 6)
	l.e.Notices = []evidence.Notice{{Lock: lock, Identity: "c", First: after(30), At: after(90), Count: 2, Unit: time.Second, Leads: true}}
	for _, at := range []float64{0, 30, 60} {
		l.e.Samples = append(l.e.Samples, evidence.Sample{Process: "a", Name: lock.Name, At: after(at), Age: time.Minute, Leads: at < 60})
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, []Sighting{
		{Sign: Leads, Holder: "a", First: Instant{after(-60), after(10)}, Last: Instant{after(-30), after(40)}, Times: 2, Transitions: -1, Places: []evidence.Place{{}}},
		{Sign: Idle, Holder: "a", First: Instant{after(0), after(70)}, Last: Instant{after(0), after(70)}, Times: 1, Transitions: -1, Places: []evidence.Place{{}}},
		{Sign: Held, Holder: "a", First: Instant{after(0), after(0.000001)}, Last: Instant{after(12), after(12.000001)}, Times: 2, Transitions: 3, Places: []evidence.Place{{Line: 1}, {Line: 2}}},
		{Sign: Freed, First: Instant{after(13), after(13.000001)}, Last: Instant{after(13), after(13.000001)}, Times: 1, Transitions: 3, Places: []evidence.Place{{Line: 3}}},
		{Sign: Began, Holder: "c", First: Instant{after(30), after(31)}, Last: Instant{after(90), after(91)}, Times: 2, Transitions: -1, Places: []evidence.Place{{}}},
		{Sign: Held, Holder: "b", First: Instant{after(60), after(60.000001)}, Last: Instant{after(72), after(72.000001)}, Times: 1, Transitions: 6, Places: []evidence.Place{{Line: 4}}},
	}, s.Sightings)
	assert.Equal(t, 2, s.Unseen, "terms with 4 and 5 transitions")
	assert.Empty(t, s.Verdict())
	f := Count(&l.e, s)
	assert.Equal(t, []any{3, Tally{3, true}}, []any{f.Holders, f.Transitions})
}

// TestSightingsOfOthers: of another client than client-go each object is seen by itself: it may keep no acquireTime.
func TestSightingsOfOthers(t *testing.T) {
	l := newLogs()
	l.agent = "okhttp/4"
	l.write("a", 0)
	l.snapshot("a", 0, 10, 3)
	l.snapshot("a", 0, 12, 3)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.Len(t, s.Sightings, 2)
	assert.Equal(t, s.Sightings[0].Last, s.Sightings[0].First)
}

// TestCounts: a count of transitions below zero is none.
func TestCounts(t *testing.T) {
	l := newLogs()
	l.snapshot("b", -5, -4, -1<<31)
	l.snapshot("a", 0, 10, 1<<31-1)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Zero(t, s.Unseen)
	f := Count(&l.e, s)
	assert.Equal(t, []any{2, Tally{}}, []any{f.Holders, f.Transitions})
}

// TestMetricsOfOneLock: samples of an election whose name several locks have are of none of them.
func TestMetricsOfOneLock(t *testing.T) {
	other := evidence.Lock{Resource: "leases", Namespace: "other", Name: lock.Name}
	e := &evidence.Evidence{Snapshots: []evidence.Snapshot{{Lock: lock}}, Samples: []evidence.Sample{{Name: lock.Name, Process: "a"}}}
	assert.Len(t, Parts(e)[0].Evidence.Samples, 1)
	e.Snapshots = append(e.Snapshots, evidence.Snapshot{Lock: other})
	for _, p := range Parts(e) {
		assert.Empty(t, p.Evidence.Samples)
	}
}

// TestForWhomElse: the cause of a loss says for how many other locks the server was slow, or refused requests, meanwhile.
func TestForWhomElse(t *testing.T) {
	for status, want := range map[int]string{429: "requests about other locks (2) were refused (429), too", 404: "requests about other locks (2) were slow, too"} {
		l := frozen(20, deadline)
		q := l.e.Requests[4]
		q.Status, q.Received, q.Answered = status, after(15), after(17)
		l.e.Requests = append(l.e.Requests, q)
		for i, name := range []string{"x", "y", "y", "later"} {
			o := evidence.Request{Place: evidence.Place{Line: 100 + i}, Lock: evidence.Lock{Resource: "leases", Namespace: "n", Name: name}, Verb: "update", Status: status, Received: after(12), Answered: after(14)}
			if name == "later" {
				o.Received, o.Answered = after(50), after(52)
			}
			l.e.Requests = append(l.e.Requests, o)
		}
		for _, p := range Parts(&l.e) {
			if p.Lock != lock {
				continue
			}
			s, err := Tell(p.Evidence, lock, nil)
			require.NoError(t, err)
			found := false
			for _, link := range s.Losses[0].Chain {
				if strings.Contains(link.Text, want) {
					found = true
					assert.Equal(t, 100, link.Places[len(link.Places)-1].Line)
				}
			}
			assert.True(t, found, "%d: %v", status, s.Losses[0])
		}
	}
}

// TestMetricsAlone: where nothing but metrics names an election, it is taken for that of a Lease in the namespace of the series. Samples of a name that two locks have are
// nobody's.
func TestMetricsAlone(t *testing.T) {
	e := &evidence.Evidence{Sources: []evidence.Source{{File: "prom.json", Kind: evidence.Metrics}}}
	for i, namespace := range []string{"shop", "shop", "bank"} {
		e.Samples = append(e.Samples, evidence.Sample{Place: evidence.Place{Line: i + 1}, At: noon, Process: "manager-a", Name: "manager", Namespace: namespace, Leads: true})
	}
	parts := Parts(e)
	require.Len(t, parts, 2)
	for i, want := range []struct {
		namespace string
		samples   int
	}{{"bank", 1}, {"shop", 2}} {
		assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: want.namespace, Name: "manager"}, parts[i].Lock)
		assert.Len(t, parts[i].Evidence.Samples, want.samples)
		s, err := Tell(parts[i].Evidence, parts[i].Lock, nil)
		require.NoError(t, err)
		assert.NotEmpty(t, s.Sightings)
	}
	for _, namespace := range []string{"shop", "bank"} {
		e.Notices = append(e.Notices, evidence.Notice{Lock: evidence.Lock{Resource: "leases", Namespace: namespace, Name: "manager"}, At: noon, Unit: time.Second, Identity: "a"})
	}
	for _, p := range Parts(e) {
		assert.Empty(t, p.Evidence.Samples)
	}
}

// TestFiguresOfPods: of what no audit log has, the processes' lines show what happened at least, and nothing is 0.
func TestFiguresOfPods(t *testing.T) {
	l := newLogs()
	l.say("a", 1, evidence.Acquired, acquires)
	for i, text := range []string{"the server answered 429", "TooManyRequests", "the object has been modified", "etcdserver: request timed out",
		`Put "https://10.0.0.1:429/x?timeout=5s": context deadline exceeded`, "client rate limiter Wait returned an error: context deadline exceeded"} {
		l.say("a", 2+float64(i), evidence.Failed, "Failed to update lock: "+text)
	}
	l.say("a", 10, evidence.Lost, deadline)
	l.say("b", 20, evidence.Acquired, acquires)
	l.say("b", 30, evidence.Lost, deadline)
	l.say("a", 40, evidence.Acquired, acquires)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	f := Count(&l.e, s)
	assert.Equal(t, []Tally{{Least: 1}, {Least: 1}, {Least: 2}, {Least: 2}}, []Tally{f.Transitions, f.Conflicts, f.Throttled, f.Failed})

	l.e.Requests = []evidence.Request{{Lock: lock, Verb: "update", Status: 429}} // at the level Metadata
	s, err = Tell(&l.e, lock, nil)
	require.NoError(t, err)
	f = Count(&l.e, s)
	assert.Equal(t, []Tally{{Least: 1}, {0, true}, {1, true}, {0, true}}, []Tally{f.Transitions, f.Conflicts, f.Throttled, f.Failed})
}
