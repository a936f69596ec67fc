package investigate

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// overtaken is the story of a that gives up at 18.3, and of b that takes the lock at 24.5 through another server, whose clock is ahead by so much. The servers' audit logs have these
// names, and are of these servers; if there is one name, both are in one file.
func overtaken(ahead float64, names, servers []string) *logs {
	l := newLogs()
	l.ahead = map[string]float64{}
	l.renew("a", 0, 8)
	l.renew("b", 24.5, 50)
	sources := make([]evidence.Source, len(names))
	for i := range names {
		sources[i] = evidence.Source{Kind: evidence.Audit, File: names[i], Process: servers[i]}
	}
	for i := range l.e.Requests {
		q, own := &l.e.Requests[i], 0
		if q.Wrote.Holder == "b" {
			own = len(names) - 1
			d := time.Duration(ahead * float64(time.Second))
			q.Received, q.Answered = q.Received.Add(d), q.Answered.Add(d)
		}
		q.Source = own
		if sources[own].First.IsZero() {
			sources[own].First = q.Received
		}
		sources[own].Last = q.Answered
		if own > 0 {
			q.Source = len(l.e.Sources)
		}
	}
	l.e.Sources[0] = sources[0]
	l.e.Sources = append(l.e.Sources, sources[1:]...)
	l.say("a", 0.02, evidence.Acquired, acquires)
	l.say("b", 5, evidence.Tries, tries)
	l.say("b", 24.52, evidence.Acquired, acquires)
	return l
}

// TestClocks: logs have one clock only if they are parts of one that was rotated, by their names, of one server. That their times do not overlap shows nothing: each server has
// but its own leader's writes. Nothing that would need two clocks to agree is certain, or impossible.
func TestClocks(t *testing.T) {
	cases := map[string]struct {
		names, servers []string
		one            bool
	}{
		"one file":                 {[]string{"audit.log"}, []string{""}, true},
		"two files":                {[]string{"audit-0.log", "audit-1.log"}, []string{"", ""}, false},
		"two folders":              {[]string{"cp1/audit.log", "cp2/audit.log"}, []string{"", ""}, false},
		"two streams of one file":  {[]string{"audit.json", "audit.json"}, []string{"kube-apiserver-audit-1", "kube-apiserver-audit-2"}, false},
		"rotated":                  {[]string{"a/audit-2026-03-01T12-00-20.000.log.gz", "a/audit.log"}, []string{"", ""}, true},
		"rotated twice":            {[]string{"audit-2026-03-01T12-00-20.000.log", "audit-2026-03-01T12-30-00.000.log"}, []string{"", ""}, true},
		"rotated, in wrong order":  {[]string{"audit.log", "audit-2026-03-01T12-00-20.000.log"}, []string{"", ""}, false},
		"rotated, in two folders":  {[]string{"cp1/audit-2026-03-01T12-00-20.000.log", "cp2/audit.log"}, []string{"", ""}, false},
		"rotated, of two streams":  {[]string{"audit-2026-03-01T12-00-20.000.log", "audit.log"}, []string{"x", "y"}, false},
		"numbered":                 {[]string{"audit.log.2.gz", "audit.log.1"}, []string{"", ""}, true},
		"numbered, in wrong order": {[]string{"audit.log.1", "audit.log.2"}, []string{"", ""}, false},
		"dated":                    {[]string{"audit.log-20260301", "audit.log"}, []string{"", ""}, true},
	}
	for name, test := range cases {
		for thaws, want := range map[float64]Verdict{18.3: Impossible, 40: Certain} {
			l := overtaken(0, test.names, test.servers)
			why := deadline
			if want == Impossible {
				why = canceled
			}
			l.say("a", thaws, evidence.Lost, why)
			s, err := Tell(&l.e, lock, nil)
			require.NoError(t, err)
			require.Len(t, s.Pairs, 1, name)
			if test.one {
				assert.Equal(t, want, s.Pairs[0].Worked.Verdict, name)
				continue
			}
			assert.Equal(t, Possible, s.Pairs[0].Worked.Verdict, name)
			assert.Contains(t, strings.Join(s.Notes, "\n"), "not known to be of one API server", name)
			f := Count(&l.e, s)
			assert.InDelta(t, 2, f.Gap.Seconds(), 0.1, "%s: between two logs no time is known", name)
			assert.Equal(t, Tally{1, true}, f.Transitions, name)
		}
	}
}

// TestContradictions: times that one clock cannot have shown, if electors of client-go wrote, show that there are two.
func TestContradictions(t *testing.T) {
	read := func(l *logs, version string, at float64) {
		l.read("", at, 200)
		l.e.Requests[len(l.e.Requests)-1].Got = version
	}
	for name, test := range map[string]struct {
		ahead  float64
		change func(l *logs)
		note   string
	}{
		"early":                 {-7, nil, "took the lock before the lease of 15s had run out"},
		"before what it read":   {-17, nil, "before the one that it replaced"},
		"read before it was":    {0, func(l *logs) { read(l, "7", 23) }, "found the record of the write at audit.log:6 before"},
		"read after it was":     {0, func(l *logs) { read(l, "5", 30) }, "found a record that the write at audit.log:5 had replaced before"},
		"a shorter lease":       {-7, func(l *logs) { l.shorten(9 * time.Second) }, ""},
		"a cache of some other": {0, func(l *logs) { read(l, "5", 30); l.e.Requests[len(l.e.Requests)-1].Agent = "other/v1" }, ""},
		"a write changes nothing": {0, func(l *logs) {
			read(l, "6", 7)
			l.e.Requests[4].Sent = "6"
		}, ""},
		"a write of that second may be missing": {-7, func(l *logs) { l.e.Requests[4].Sent = "0" }, ""},
		"nothing of that":                       {0, func(l *logs) { read(l, "6", 23); read(l, "7", 24.6) }, ""},
	} {
		l := overtaken(test.ahead, []string{"audit.log"}, []string{""})
		if test.change != nil {
			test.change(l)
		}
		l.say("a", 40, evidence.Lost, deadline)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		notes := strings.Join(s.Notes, "\n")
		if test.note == "" {
			assert.Equal(t, Certain, s.Pairs[0].Worked.Verdict, name)
			assert.NotContains(t, notes, "two clocks", name)
			continue
		}
		assert.Equal(t, Possible, s.Pairs[0].Worked.Verdict, name)
		assert.Contains(t, notes, test.note, name)
		assert.Contains(t, notes, "two clocks", name)
		assert.NotEqual(t, Seized, s.Losses[0].Cause, name)
	}
}

// shorten gives b's records that lease.
func (l *logs) shorten(lease time.Duration) {
	for i := range l.e.Requests {
		if r := l.e.Requests[i].Wrote; r.Holder == "b" {
			r.Duration = lease
		}
	}
}

// TestSpread: that a server's clock is ahead of another's contradicts nothing. But it makes clocks of two hosts seem apart, which is said.
func TestSpread(t *testing.T) {
	for ahead, said := range map[float64]bool{0: false, 3: true} {
		l := overtaken(ahead, []string{"audit.log"}, []string{""})
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		notes := strings.Join(s.Notes, "\n")
		assert.Equal(t, said, strings.Contains(notes, "the clocks of a and b are 2.9"), notes)
	}
}

// TestTwoClusters: what two clusters have written of locks of one name shows nothing for certain, though no UID tells them apart.
func TestTwoClusters(t *testing.T) {
	beside := func(change func(other *evidence.Request)) *Story {
		l, other := frozen(40, deadline), newLogs()
		other.renew("c", 0.5, 9)
		for _, q := range other.e.Requests {
			own := *q.Wrote
			q.Wrote, q.Saw, q.Line = &own, &own, q.Line+100
			change(&q)
			l.e.Requests = append(l.e.Requests, q)
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		return s
	}
	for name, test := range map[string]struct {
		mixed  bool
		change func(q *evidence.Request)
	}{
		"the same versions":  {true, func(*evidence.Request) {}},
		"later versions":     {false, func(q *evidence.Request) { q.Sent, q.Got = "9"+q.Sent, "9"+q.Got }},
		"a count that falls": {false, func(q *evidence.Request) { q.Sent, q.Got, q.Wrote.Transitions = "", "", 7 }},
	} {
		s := beside(test.change)
		assert.Equal(t, Possible, s.Verdict(), name)
		assert.Equal(t, test.mixed, s.Mixed, name)
		assert.Contains(t, strings.Join(s.Notes, " "), "Nothing is certain, and nothing impossible", name)
	}
}

// TestShuffled: a log whose lines are out of order shows nothing, and the notes say that this is why.
func TestShuffled(t *testing.T) {
	l := frozen(40, deadline)
	for i := range l.e.Sayings {
		if s := &l.e.Sayings[i]; s.Step == evidence.Lost {
			s.Line = 0
		}
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Possible, s.Verdict())
	assert.Contains(t, strings.Join(s.Notes, " "), "The log of a is out of order, or its clock was set: the line at a.log:1 is stamped before one that it follows")
}

// TestLevelRequest: without the answers, of which an audit log of the level Request has none, what records and clocks show is certain all the same, and two clusters
// are told apart by the versions that were sent.
func TestLevelRequest(t *testing.T) {
	l := frozen(40, deadline)
	l.say("b", 61, evidence.Lost, deadline)
	for i := range l.e.Requests {
		l.e.Requests[i].Got, l.e.Requests[i].Saw = "", nil
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Certain, s.Verdict())
	l.e.Requests[2].Sent = "90"
	s, err = Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Possible, s.Verdict())
	assert.Contains(t, strings.Join(s.Notes, " "), "replaced an earlier version")
}
