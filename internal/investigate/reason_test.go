package investigate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
)

// client has a log of a process, whose lines begin with klog's letter and stamp.
func client(lines ...string) string {
	for i, line := range lines {
		stamp, text, _ := strings.Cut(line, " ")
		lines[i] = "E0715 " + stamp + " 1 leaderelection.go:1] " + text
	}
	return strings.Join(lines, "\n") + "\n"
}

// toldLeaders tells the story of the tutorial's logs, under their names.
func toldLeaders(t *testing.T, files []string) *investigate.Story {
	r := read.New(read.Options{})
	for i, name := range []string{"audit.log", "manager-a.log", "manager-b.log"} {
		require.NoError(t, r.Read(read.File{Name: name, Reader: strings.NewReader(files[i])}))
	}
	parts := investigate.Parts(r.Evidence())
	require.Len(t, parts, 1)
	s, err := investigate.Tell(parts[0].Evidence, parts[0].Lock, nil)
	require.NoError(t, err)
	return s
}

// TestReasons: where no write is logged, the loss has the reason that its own log says before it, and none where the log says
// none; a process that never led has the last error.
func TestReasons(t *testing.T) {
	const (
		acquired = "09:00:00.000000 successfully acquired lease shop/manager"
		lost     = "09:10:00.000000 failed to renew lease shop/manager: timed out waiting for the condition"
		overdue  = "client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline"
		server   = `09:09:59.000000 Failed to update lock: etcdserver: request timed out`
		slow     = `09:09:59.500000 error retrieving resource lock shop/manager: Get "https://u:hunter2@10.0.0.1/leases/manager?timeout=5s": context deadline exceeded`
	)
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"two":     {[]string{acquired, "09:01:00.000000 Failed to update lock: connection refused", server, slow, lost}, []string{"etcdserver: request timed out", "context deadline exceeded"}},
		"its own": {[]string{acquired, "09:10:00.000000 failed to renew lease shop/manager: context deadline exceeded"}, []string{"context deadline exceeded"}},
		"none":    {[]string{acquired, lost, "09:10:01.000000 Failed to release lock: resource name may not be empty"}, nil},
		"timeout": {[]string{acquired, `09:09:59.000000 error retrieving resource lock shop/manager: Get "https://10.0.0.1/leases/manager?timeout=5s": context canceled`, lost}, nil},
		"limiter at the end": {[]string{acquired, server, slow, "09:10:00.000000 Failed to update lock optimistically: " + overdue, "09:10:00.000000 error retrieving resource lock shop/manager: " + overdue, lost},
			[]string{"etcdserver: request timed out", "context deadline exceeded"}},
		"limiter before": {[]string{acquired, "09:09:57.000000 error retrieving resource lock shop/manager: " + overdue, "09:10:00.000000 error retrieving resource lock shop/manager: " + overdue, lost}, []string{"rate limiter"}},
		"told":           {[]string{acquired, server, "09:10:00.000000 failed to renew lease shop/manager: context canceled"}, nil},
		"long ago":       {[]string{acquired, "09:01:00.000000 Failed to update lock: connection refused", lost}, nil},
		"never led":      {[]string{`09:00:00.000000 error retrieving resource lock shop/manager: leases.coordination.k8s.io "manager" is forbidden: User "u" cannot get`}, []string{"is forbidden"}},
		"standby":        {[]string{`09:00:00.000000 error retrieving resource lock shop/manager: EOF`, "09:00:01.000000 lock is held by b_1 and has not yet expired"}, nil},
	} {
		_, stories := told(t, client(c.lines...))
		require.Len(t, stories, 1, name)
		if c.want == nil {
			assert.Empty(t, stories[0].Reasons, name)
			continue
		}
		require.Len(t, stories[0].Reasons, 1, name)
		r := stories[0].Reasons[0]
		assert.Equal(t, name == "never led", r.At.Low.IsZero(), name)
		if assert.Len(t, r.Said, len(c.want), name) {
			for i, want := range c.want {
				assert.Contains(t, r.Said[i].Text, want, name)
				assert.NotContains(t, r.Said[i].Text, "hunter2")
			}
		}
	}
	_, stories := told(t, leaders(t)...)
	assert.Empty(t, stories[0].Reasons, "with an audit log the cause is looked for in all logs")
}

// TestNamedHolders: a log in which others hold the lock says who held it.
func TestNamedHolders(t *testing.T) {
	_, stories := told(t, client("09:00:00.000000 attempting to acquire leader lease shop/manager...", "09:00:00.100000 lock is held by a_1 and has not yet expired",
		"09:00:02.100000 lock is held by a_1 and has not yet expired", "09:00:04.100000 lock is held by c_1 and has not yet expired"))
	require.Len(t, stories, 1)
	s := stories[0].Sightings
	require.Len(t, s, 2)
	assert.Equal(t, investigate.Named, s[0].Sign)
	assert.Equal(t, []string{"a_1", "c_1"}, []string{s[0].Holder, s[1].Holder})
	assert.Equal(t, []string{"file-0", "file-0"}, []string{s[0].By, s[1].By})
	assert.Equal(t, 2, s[0].Times)
	assert.Equal(t, 2*time.Second, s[0].Last.Low.Sub(s[0].First.Low))
}

// TestResources: a lock that logs alone name is kept in the resource that their errors name.
func TestResources(t *testing.T) {
	for text, want := range map[string]string{
		`Failed to update lock: Put "https://10.0.0.1/api/v1/namespaces/shop/configmaps/manager": EOF`: "configmaps",
		`Failed to update lock: EOF`: "leases",
		`error retrieving resource lock shop/manager: the server has asked for the client to provide credentials (get endpoints manager)`: "endpoints",
	} {
		_, stories := told(t, client("09:00:00.000000 successfully acquired lease shop/manager", "09:00:01.000000 "+text))
		require.Len(t, stories, 1, text)
		assert.Equal(t, want, stories[0].Lock.Resource, text)
	}
}

// TestNewestFirst: of logs with the newest line first the same is told as of the logs themselves, also where coarse stamps stand beside fine ones.
func TestNewestFirst(t *testing.T) {
	files := leaders(t)
	for i := 1; i < len(files); i++ {
		files[i] += "I0301 12:01:40.000000 1 x.go:1] other\nI0301 12:01:41.000000 1 x.go:1] other\n"
	}
	want := toldLeaders(t, files)
	require.Equal(t, investigate.Certain, want.Verdict())
	for i := 1; i < len(files); i++ {
		lines := strings.Split(strings.TrimSpace(files[i]), "\n")
		slices.Reverse(lines)
		files[i] = strings.Join(lines, "\n") + "\n"
	}
	got := toldLeaders(t, files)
	assert.Equal(t, want.Verdict(), got.Verdict())
	for k := range want.Terms {
		assert.Equal(t, want.Terms[k].Worked.Start, got.Terms[k].Worked.Start)
		assert.Equal(t, want.Terms[k].Worked.End, got.Terms[k].Worked.End)
	}
	zap := []string{"2026-07-15T09:16:20Z\tERROR\tsetup\tproblem running manager\t{\"error\": \"leader election lost\"}", "I0715 09:16:20.412219 1 x.go:1] failed to renew lease shop/manager: timed out",
		"I0715 09:12:03.200000 1 x.go:1] successfully acquired lease shop/manager", "I0715 09:12:00.100000 1 x.go:1] attempting to acquire leader lease shop/manager..."}
	_, stories := told(t, strings.Join(zap, "\n"))
	require.Len(t, stories[0].Sightings, 2)
	at := time.Date(2026, 7, 15, 9, 12, 3, 200000000, time.UTC)
	assert.Equal(t, investigate.Instant{Low: at, High: at.Add(time.Microsecond)}, stories[0].Sightings[0].First)
}

// TestOtherZone: nothing is concluded from a log whose stamps have no zone, if the process stamped no record in the time of its log.
func TestOtherZone(t *testing.T) {
	files := leaders(t)
	s := toldLeaders(t, files)
	require.Equal(t, investigate.Certain, s.Verdict())
	require.NotContains(t, strings.Join(s.Notes, "\n"), "--zone")
	files[1] = strings.ReplaceAll(files[1], "I0301 12:", "I0301 14:")
	s = toldLeaders(t, files)
	assert.Equal(t, investigate.Possible, s.Verdict())
	assert.Contains(t, strings.Join(s.Notes, "\n"), "say --zone")
	for i := range s.Terms {
		for _, link := range s.Terms[i].Worked.Why {
			for _, place := range link.Places {
				assert.NotEqual(t, 1, place.Source, link.Text)
			}
		}
	}
}
