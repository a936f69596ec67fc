package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
	"interregnum/simlock/fakekube"
)

// TestLastEvent: elector waits for the event of its end, however slow the way is, but not for ever.
func TestLastEvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slow time.Duration
		want []string
	}{
		"slow": {500 * time.Millisecond, []string{"a became leader", "a stopped leading"}},
		"dead": {time.Hour, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var server fakekube.Server
			server.Inject(fakekube.Fault{User: "a", Resource: "events", Request: c.slow})
			p := start(t, &server, "a")
			electorproc.Eventually(t, "leads", p.leads)
			since := time.Now()
			p.delete()
			require.Equal(t, exitDone, <-p.code)
			require.Less(t, time.Since(since), flushAtMost+2*time.Second)
			require.ElementsMatch(t, c.want, messages(t, &server))
		})
	}
}

// TestEventAfterFailure: the end of a term is recorded about the lock object also where the last look at that has failed.
func TestEventAfterFailure(t *testing.T) {
	t.Parallel()
	var server fakekube.Server
	p := start(t, &server, "a")
	electorproc.Eventually(t, "leads", p.leads)
	server.Inject(fakekube.Fault{Verb: "get", Resource: "leases", Status: http.StatusInternalServerError})
	p.delete()
	require.Equal(t, exitDone, <-p.code)
	require.ElementsMatch(t, []string{"a became leader", "a stopped leading"}, messages(t, &server))
}

// TestEventsForbidden: an event that is refused is no reason not to lead, and the verb that is missing is named.
func TestEventsForbidden(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"create", "patch"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			var server fakekube.Server
			server.Inject(fakekube.Fault{Resource: "events", Verb: verb, Status: http.StatusForbidden})
			// The second term's events are the first's again: those are patched.
			p := start(t, &server, "a", "--restart", "--exec", "exit 1")
			want := lacks(verb, "events", "reports.")
			want = want[:len(`the service account may not `+verb+` events "reports.`)]
			electorproc.Eventually(t, "said", func() bool {
				log := p.err.String()
				return contains(log, escaped(want), escaped(`its Role lacks the verb "`+verb+`" on events`))
			})
		})
	}
}
