package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/elector/kubelock"
	"interregnum/internal/electorproc"
	"interregnum/simlock/fakekube"
)

func contains(text string, all ...string) bool {
	for _, want := range all {
		if !strings.Contains(text, want) {
			return false
		}
	}
	return true
}

// changes are the lines of --observe.
func changes(t *testing.T, out string) (all []change) {
	t.Helper()
	for line := range strings.Lines(out) {
		var c change
		require.NoError(t, json.Unmarshal([]byte(line), &c), line)
		require.NotZero(t, c.Time)
		all = append(all, c)
	}
	return all
}

func holdersOf(t *testing.T, out string) (holders []string) {
	for _, c := range changes(t, out) {
		holders = append(holders, c.Holder)
	}
	return holders
}

// TestObserve: each change of holder is a line, over watches that break and versions that expire.
func TestObserve(t *testing.T) {
	t.Parallel()
	for _, kind := range lockKinds {
		if pair(kind) {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var server fakekube.Server
			o := start(t, &server, "observer", "--observe", "--lock-kind", kind)
			for i, id := range []string{"a", "b", "c"} {
				p := start(t, &server, id, "--lock-kind", kind)
				renewals := regexp.MustCompile(`result="ok",verb="update"} [2-9]`)
				electorproc.Eventually(t, "has renewed, which is no change", func() bool {
					_, text := p.get("/metrics")
					return renewals.MatchString(text)
				})
				electorproc.Eventually(t, "seen", func() bool {
					_, text := o.get("/leader")
					return strings.Contains(text, fmt.Sprintf(`{"holder":%q,"id":"observer","leading":false}`, id))
				})
				switch i {
				case 1:
					server.DropWatches()
				case 2:
					server.Compact()
					server.DropWatches()
				}
				p.delete()
				require.Equal(t, exitDone, <-p.code)
				electorproc.Eventually(t, "nobody", func() bool {
					_, text := o.get("/leader")
					return strings.Contains(text, `{"holder":""`)
				})
			}
			require.Equal(t, []string{"a", "", "b", "", "c", ""}, holdersOf(t, o.out.String()))
			last := changes(t, o.out.String())[4]
			require.Equal(t, 2, *last.Transitions-*changes(t, o.out.String())[0].Transitions)
			require.NotNil(t, last.AcquireTime)
			_, text := o.get("/metrics")
			require.Contains(t, text, `interregnum_elector_transitions_total{name="reports"} 3`)
			for _, path := range []string{"/healthz", "/readyz"} {
				code, text := o.get(path)
				require.Equal(t, http.StatusOK, code, text)
			}
			o.delete()
			require.Equal(t, exitDone, <-o.code)
		})
	}
}

// TestObserveForbidden: the verb that is missing is named, in the log and by /readyz, and is tried again.
func TestObserveForbidden(t *testing.T) {
	t.Parallel()
	resources := map[string]string{
		kubelock.LeasesResourceLock: "leases.coordination.k8s.io", kubelock.ConfigMapsResourceLock: "configmaps",
	}
	for kind, resource := range resources {
		for _, verb := range []string{"list", "watch"} {
			t.Run(kind+" "+verb, func(t *testing.T) {
				t.Parallel()
				var server fakekube.Server
				allow := server.Inject(fakekube.Fault{Verb: verb, Resource: kind, Status: http.StatusForbidden})
				allowWatch := func() {}
				if verb == "list" {
					// A watch can begin with a list of its own: the verb list is for servers that do not know that.
					allowWatch = server.Inject(fakekube.Fault{Verb: "watch", Resource: kind, Status: http.StatusForbidden})
				}
				o := start(t, &server, "observer", "--observe", "--lock-kind", kind)
				want := lacks(verb, resource, "reports")
				electorproc.Eventually(t, "said", func() bool { return strings.Contains(o.err.String(), escaped(want)) })
				electorproc.Eventually(t, "not ready", func() bool {
					code, text := o.get("/readyz")
					return code == http.StatusServiceUnavailable && strings.Contains(text, want)
				})
				allow()
				allowWatch()
				p := start(t, &server, "a", "--lock-kind", kind)
				electorproc.Eventually(t, "leads", p.leads)
				electorproc.Eventually(t, "seen", func() bool { return len(holdersOf(t, o.out.String())) == 1 })
				code, _ := o.get("/readyz")
				require.Equal(t, http.StatusOK, code)
			})
		}
	}
}

// TestObserveSQLite: it is asked again and again; who observes makes no file.
func TestObserveSQLite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	timings := fresh(dir)
	o := spawn(t, nil, append(timings[:len(timings)-1:len(timings)-1], "--observe")...) // without --grace
	electorproc.Eventually(t, "no file", func() bool { return strings.Contains(o.Err.String(), "cannot follow the lock") })
	require.NoFileExists(t, filepath.Join(dir, "lock.db"))
	for term := range 2 {
		p := spawn(t, nil, fresh(dir, "--id=a", "--exec=sleep 1")...)
		require.Zero(t, p.End(t))
		electorproc.Eventually(t, "seen", func() bool {
			holders := strings.Join(holdersOf(t, o.Out.String()), ",")
			return strings.TrimPrefix(holders, ",") == strings.Repeat("a,,", term)+"a," // Perhaps the table before the row.
		})
	}
	seen := slices.DeleteFunc(changes(t, o.Out.String()), func(c change) bool { return c.Holder == "" })
	require.Greater(t, seen[1].FencingToken, seen[0].FencingToken)
	require.Equal(t, 1, strings.Count(o.Err.String(), "unable to open database file"), "the same is said once")
	require.NoError(t, o.Process.Signal(syscall.SIGTERM))
	require.Equal(t, exitDone, o.End(t))
}
