package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/investigate"
	"interregnum/internal/investigate/witness"
)

// logged writes the logs of the first simulated run of which it is certain, or is not, that two worked at once. It returns their names.
func logged(t *testing.T, certain bool) (names []string) {
	for seed := range uint64(400) {
		run, err := witness.Simulate(seed)
		require.NoError(t, err)
		habits := witness.DrawHabits(run)
		l := witness.NewLogs(run, habits)
		s, err := investigate.Tell(l.Evidence(), l.Lock(), nil)
		if err != nil || !habits.Whole || len(s.Pairs) == 0 || seed%4 == 0 {
			continue
		}
		found := false
		for i := range s.Pairs {
			found = found || s.Pairs[i].Worked.Verdict == investigate.Certain
		}
		if found != certain {
			continue
		}
		for _, f := range l.Files() {
			if f.Text != "" {
				require.NoError(t, os.WriteFile(f.Name, []byte(f.Text), 0o600))
				names = append(names, f.Name)
			}
		}
		return names
	}
	t.Fatal("no run shows it")
	return nil
}

// TestInvestigate: two that worked at once are found in logs, with the lines that show it, and the exit code says so.
func TestInvestigate(t *testing.T) {
	folder(t)
	names := logged(t, true)
	got := simulate("", append([]string{"investigate"}, names...)...)
	assert.Equal(t, exit.NotAsExpected, got.code, got.stderr)
	assert.Contains(t, got.stdout, "shop/manager: CERTAIN at ")
	assert.Regexp(t, `worked at once, for [0-9.]+m?s at least:\n  - the old holder's own log says that it has acquired the lock`, got.stdout)
	assert.Regexp(t, `\(manager-[a-z]\.\d\.log:\d+, at `, got.stdout)
	assert.Equal(t, got, simulate("", append([]string{"investigate", "--lock", "shop/manager"}, names...)...))
}

// TestInvestigateObjects: Leases, events and metrics without an audit log show holders and times, in each form, and no more.
func TestInvestigateObjects(t *testing.T) {
	folder(t)
	lease := func(holder, acquired, renewed string, transitions int) string {
		return fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"namespace":"shop","name":"manager"},"spec":{"holderIdentity":%q,`+
			`"leaseDurationSeconds":15,"leaseTransitions":%d,"acquireTime":"2026-03-01T%s.000000Z","renewTime":"2026-03-01T%s.000000Z"}}`, holder, transitions, acquired, renewed)
	}
	leases := lease("a-1", "12:00:00", "12:00:10", 3) + "\n" + lease("a-1", "12:00:00", "12:00:12", 3) + "\n" + lease("b-1", "12:01:00", "12:01:02", 6) + "\n"
	require.NoError(t, os.WriteFile("leases.json", []byte(leases), 0o600))
	metrics := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"leader_election_master_status","name":"manager","pod":"a-1"},"values":[[1772366400,"1"]]}]}}`
	require.NoError(t, os.WriteFile("metrics.json", []byte(metrics), 0o600))
	for _, form := range []string{"text", "markdown", "json"} {
		got := simulate("", "investigate", "leases.json", "metrics.json", "-o", form, "--html", "page.html", "--force")
		assert.Equal(t, exit.AsExpected, got.code, got.stderr)
		page, err := os.ReadFile("page.html")
		require.NoError(t, err)
		for _, out := range []string{got.stdout, string(page)} {
			assert.Contains(t, out, "the record named it", form)
			assert.Contains(t, out, "its metric said that it leads", form)
			assert.Contains(t, out, "there were 2 more terms", form)
			assert.Contains(t, out, "12:00:12", form)
		}
		assert.NotContains(t, got.stdout, "nobody is known", form)
	}
}

// TestInvestigateUnknown: where it is not certain, nothing is said to have happened.
func TestInvestigateUnknown(t *testing.T) {
	folder(t)
	names := logged(t, false)
	got := simulate("", append([]string{"investigate"}, names...)...)
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, got.stdout, "shop/manager: not known at ")
	assert.NotContains(t, got.stdout, "CERTAIN")

	require.NoError(t, os.WriteFile("b.log", []byte("I0301 12:00:00.000000 1 x.go:1] successfully acquired lease other/lock\n"), 0o600))
	got = simulate("", append([]string{"investigate", "b.log"}, names...)...)
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Regexp(t, `(?m)^other/lock +not known +not known +not known +not known +1 +not known +not known$`, got.stdout)
	assert.Regexp(t, `(?m)^(\w+ )?shop/manager +not known at \d`, got.stdout)
}

// TestInvestigateNothing: where nothing in any file is about an election, the exit code says so.
func TestInvestigateNothing(t *testing.T) {
	folder(t)
	for text, code := range map[string]int{
		"I0301 12:00:00.000000 1 x.go:1] starting\n":                                                                          exit.BadInput,
		"I0301 12:00:00.000000 1 x.go:1] leader election lost\n":                                                              exit.AsExpected,
		"E0301 12:00:00.000000 1 x.go:1] Failed to update lock: Operation cannot be fulfilled on endpoints \"x\": modified\n": exit.AsExpected,
	} {
		got := simulate(text, "investigate", "-")
		assert.Equal(t, code, got.code, text)
		assert.Equal(t, code == exit.BadInput, strings.Contains(got.stderr, "nothing in these files is"), text)
	}
}

// TestInvestigateReasons: what a log itself says of a loss is told in each form, and the bound of a time covers the time that is shown.
func TestInvestigateReasons(t *testing.T) {
	folder(t)
	const log = "I0715 09:12:03.200490 1 x.go:1] successfully acquired lease shop/manager\nE0715 09:16:20.412178 1 x.go:1] Failed to update lock: etcdserver: request timed out\n" +
		"I0715 09:16:20.412219 1 x.go:1] failed to renew lease shop/manager: timed out waiting for the condition\n"
	for _, form := range []string{"text", "markdown", "json"} {
		got := simulate(log, "investigate", "-", "--year", "2026", "-o", form, "--html", "page.html", "--force")
		assert.Equal(t, exit.AsExpected, got.code, got.stderr)
		page, err := os.ReadFile("page.html")
		require.NoError(t, err)
		assert.Regexp(t, `Failed to update lock:\s+etcdserver: request timed out`, got.stdout, form)
		assert.Contains(t, string(page), "Failed to update lock: etcdserver: request timed out")
		if form == "text" {
			assert.Contains(t, got.stdout, "gave up renewing at 2026-07-15 09:16:20.412:\n  - its own log says, at 2026-07-15 09:16:20.412: ")
			assert.Regexp(t, `acquired the lock +2026-07-15 09:12:03.200 +2026-07-15 09:12:03.200 +1ms`, got.stdout)
		}
	}
	got := simulate(log, "investigate", "-", "--year", "2026", "--zone", "+02:00")
	assert.Contains(t, got.stdout, "2026-07-15 07:12:03.200")
	assert.Contains(t, got.stdout, "UTC+02:00")
}

// TestInvestigateBad: bad input is said with what was wanted, and what can be told is.
func TestInvestigateBad(t *testing.T) {
	folder(t)
	const said = "I0301 12:00:00.000000 1 x.go:1] successfully acquired lease other/\x1b[31mlock\n"
	require.NoError(t, os.WriteFile("none.yaml", []byte("kind: ConfigMap\n"), 0o600))
	require.NoError(t, os.WriteFile("two.yaml", []byte("leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n---\nleaderElection: {leaseDuration: 30s, renewDeadline: 10s, retryPeriod: 2s}\n"), 0o600))
	require.NoError(t, os.WriteFile("no.log", []byte("what?\x1b[31m\n"), 0o600))
	for _, test := range []struct{ args, stdin, want string }{
		{"", "", "want a log"},
		{"absent.log", "", "absent.log: no such file"},
		{".", "", ".: is a directory; want a log"},
		{"x\x1b[31m.log", "", "x [31m.log: no such file"},
		{"no.log", "", "no.log: want an audit log, a log of a process, Leases, events or an answer of Prometheus; got text of another kind"},
		{"- no.log", said, "no.log: want an audit log"},
		{"-", "", "<stdin>: want an audit log"},
		{"- --lock x/y", said, "--lock x/y: want a lock that the logs name"},
		{"- --lock shop/mangaer", strings.Replace(said, "other/\x1b[31mlock", "shop/manager", 1), "; did you mean shop/manager?"},
		{"- --lock x", said, "want NAMESPACE/NAME"},
		{"- --zone Mars", said, "want the name of a time zone"},
		{"- --year 99", said, "want 2000 to 9999"},
		{"- --retry-period -1s", said, "want a duration of zero or more"},
		{"- --manifest absent.yaml", said, "--manifest: absent.yaml: cannot be read: no such file"},
		{"- --manifest none.yaml", said, "--manifest none.yaml: want settings of leader election, as simulate gate reads them; got none"},
		{"- --manifest two.yaml", said, "--manifest two.yaml: want one set of timings, got several: two.yaml"},
		{"- --html", said, "flag needs an argument: --html"},
		{"- --html no.log", said, "no.log"},
		{"- --watch 1s", said, "want logs or a server, not both"},
		{"- --metrics :0", said, "--metrics is about a server: want --watch DURATION"},
		{"--watch 1ms", said, "1ms"},
		{"--watch 1s --kubeconfig absent", said, "--kubeconfig absent: no such file"},
		{"--watch 1s --in-cluster --context x", said, "want no kubeconfig and no context"},
		{"--watch 1s --scenario x.yaml", said, "--scenario and --behaviour are about logs"},
	} {
		got := simulate(test.stdin, append([]string{"investigate"}, strings.Fields(test.args)...)...)
		assert.Equal(t, exit.BadInput, got.code, test.args)
		assert.Contains(t, got.stderr, test.want, test.args)
		assert.NotContains(t, got.stdout+got.stderr, "\x1b", test.args)
	}
	got := simulate(said, "investigate", "-", "no.log")
	assert.Contains(t, got.stdout, "its log says that it acquired the lock", "the rest is told")
	assert.Contains(t, got.stdout, "No write with its record is logged")
}

// TestInvestigateManifest: the timings are those of the manifest, unless a flag says another, and it is said where they are from.
func TestInvestigateManifest(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("deploy.yaml", []byte("leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n"), 0o600))
	names := logged(t, true)
	got := simulate("", append([]string{"investigate"}, names...)...)
	assert.NotContains(t, got.stdout, "RenewDeadline:")
	got = simulate("", append([]string{"investigate", "--manifest", "deploy.yaml"}, names...)...)
	assert.Contains(t, got.stdout, "LeaseDuration: 15s, as deploy.yaml:1: leaderElection has it\nRenewDeadline: 10s, as deploy.yaml:1: leaderElection has it\n")
	assert.Regexp(t, `A record of manager-._0c5f1b2e-6. has a lease of \ds, and not of 15s, as was given`, got.stdout)
	got = simulate("", append([]string{"investigate", "--manifest", "deploy.yaml", "--retry-period", "3s"}, names...)...)
	assert.Contains(t, got.stdout, "RetryPeriod: 3s, as flags say, else as deploy.yaml:1: leaderElection has it\n")
	got = simulate("", append([]string{"investigate", "--html", "story.html"}, names...)...)
	assert.Equal(t, exit.NotAsExpected, got.code)
	page, err := os.ReadFile("story.html")
	require.NoError(t, err)
	assert.Contains(t, string(page), `class="verdict bad"`)
	simulate("", append([]string{"investigate", "--html", "story.html", "--force", "--manifest", "deploy.yaml", "--year", "2026"}, names...)...)
	page, err = os.ReadFile("story.html")
	require.NoError(t, err)
	assert.Contains(t, string(page), "simulate investigate --year=2026 --manifest=deploy.yaml --html=story.html ", "the page says how it is written again")
}

// TestInvestigateReplay: the scenario of the tutorial's logs is run, and shows the overlap; the behaviour is one that forecast reads.
func TestInvestigateReplay(t *testing.T) {
	logs, err := filepath.Glob("../../docs/tutorials/leaders/*.log")
	require.NoError(t, err)
	for i := range logs {
		logs[i], err = filepath.Abs(logs[i])
		require.NoError(t, err)
	}
	folder(t)
	got := simulate("", append([]string{"investigate", "--scenario", "again.yaml", "--behaviour", "usual.yaml"}, logs...)...)
	assert.Equal(t, exit.NotAsExpected, got.code, got.stderr)
	assert.Contains(t, got.stderr, "simulate: again.yaml has 29 writes, from 2026-03-01T12:00:00Z on; each is within ")
	assert.Contains(t, got.stderr, "assumed, since neither a flag nor a manifest says it: RenewDeadline 10s")
	assert.Contains(t, got.stderr, "next: simulate run again.yaml\n")
	got = simulate("", "run", "again.yaml", "-o", "json")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, got.stdout, `"name":"single-work","kind":"always","verdict":"violated"`)
	got = simulate("", "forecast", "--behaviour", "usual.yaml", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s", "--max-windows", "400")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)

	require.NoError(t, os.WriteFile("other.log", []byte("I0301 12:00:00.000000 1 x.go:1] successfully acquired lease other/lock\n"), 0o600))
	got = simulate("", append([]string{"investigate", "--scenario", "two.yaml", "other.log"}, logs...)...)
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--scenario: want one lock, and the logs name 2")
	got = simulate("", "investigate", "--scenario", "two.yaml", "other.log")
	assert.Contains(t, got.stderr, "--scenario: no write is logged with its record")
	got = simulate("", "investigate", "--behaviour", "two.yaml", "other.log")
	assert.Contains(t, got.stderr, "--behaviour: want requests that were answered, got none")
	assert.NoFileExists(t, "two.yaml")
}
