package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/simlock/fakekube"
)

// auditLog is of an update of a Lease, that took so many milliseconds on the server.
func auditLog(ms ...int) string {
	text := ""
	for _, n := range ms {
		text += fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":"update",`+
			`"objectRef":{"resource":"leases","namespace":"kube-system","name":"s","apiGroup":"coordination.k8s.io"},`+
			`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-01T12:00:00.000000Z",`+
			`"stageTimestamp":"2026-03-01T12:00:%02d.%03d000Z"}`+"\n", n/1000, n%1000)
	}
	return text
}

// TestCalibrateLogs: from a log to a verdict.
func TestCalibrateLogs(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.log", []byte(auditLog(2, 3, 812)), 0o666))
	got := simulate(auditLog(5), "calibrate", "a.log", "-", "--add", "20ms", "--note", "staging, 2026-03-01")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Empty(t, got.stderr)
	assert.Equal(t, `4 answered requests about leases, in 2 audit logs.

          count  p50    p90    p99  p99.9    max
  update      4  3ms  812ms  812ms  812ms  812ms
     all      4  3ms  812ms  812ms  812ms  812ms

4 lines: 0 of other stages, 0 of other requests, 0 left out by the filter, 0 broken
received from 2026-03-01T12:00:00Z to 2026-03-01T12:00:00Z
note: Were answers independent, up to 75% of all could be slower than the slowest of these 4, at 95% confidence; a calm time tells nothing of a busy one.
note: On the server alone, from when it received a request until it had answered: the network, and what a request waits for in the client, are not in it; --add adds for them.

maxRoundTrip: 1.65s = 2 × 812ms (the slowest answer) + 20ms (--add), rounded up to 10ms
environment.yaml is written. Next:
  simulate gate --environment environment.yaml FILE…
`, got.stdout)
	file, err := os.ReadFile("environment.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(file), "# staging, 2026-03-01\n# 4 answered requests about leases, in 2 audit logs.\n# p50 3ms, ")
	assert.Contains(t, string(file), "\nmaxRoundTrip: 1.65s\n")

	verdict := simulate("", "gate", "--environment", "environment.yaml", "--lease-duration", "15s", "-o", "json")
	assert.Equal(t, exit.NotAsExpected, verdict.code)
	assert.Contains(t, verdict.stdout, `"maxRoundTripNs":1650000000`)

	again := simulate("", "calibrate", "a.log")
	assert.Equal(t, ran{exit.BadInput, "", "simulate: --environment environment.yaml: exists already; --force replaces it\n"}, again)
	nowhere := simulate(auditLog(5), "calibrate", "a.log", "--environment", os.DevNull)
	assert.Equal(t, exit.AsExpected, nowhere.code, nowhere.stderr)
	assert.True(t, strings.HasSuffix(nowhere.stdout, "rounded up to 10ms\n"), "%s", nowhere.stdout)
	again = simulate(auditLog(5), "calibrate", "a.log", "-", "--add", "20ms", "--note", "staging, 2026-03-01", "--force", "-o", "json")
	require.Equal(t, exit.AsExpected, again.code, again.stderr)
	same, err := os.ReadFile("environment.yaml")
	require.NoError(t, err)
	assert.Equal(t, string(file), string(same))
	var r struct {
		Source         string
		MaxRoundTripNs int64
		All            struct{ Count, P99Ns, MaxNs int64 }
	}
	require.NoError(t, json.Unmarshal([]byte(again.stdout), &r))
	assert.Equal(t, "audit", r.Source)
	assert.Equal(t, []int64{1650000000, 4, 812000000}, []int64{r.MaxRoundTripNs, r.All.Count, r.All.MaxNs})
}

// TestCalibrateBehaviour: what is usual stands beside the bound, which stays what it is, and the gate judges by that.
func TestCalibrateBehaviour(t *testing.T) {
	t.Chdir(t.TempDir())
	log := strings.Replace(auditLog(5, 7, 812, 9), `"code":200`, `"code":503`, 1)
	got := simulate(log, "calibrate", "-", "--behaviour")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	file, err := os.ReadFile("environment.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(file), "\nmaxRoundTrip: 1.63s\n# What is usual, and not what is possible: ")
	assert.Contains(t, string(file), "\nbehaviour:\n  roundTrip: {p75: 812ms}\n  errors: [{status: 503, probability: 25.0000%}]\n")
	verdict := simulate("", "gate", "--environment", "environment.yaml", "--lease-duration", "15s", "-o", "json")
	assert.Contains(t, verdict.stdout, `"maxRoundTripNs":1630000000`)
}

// TestCalibrateBadLogs: what is measured is shown, and no environment comes of logs that are not whole.
func TestCalibrateBadLogs(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := simulate(auditLog(5)+"{\n", "calibrate", "-")
	assert.Equal(t, exit.BadInput, broken.code)
	assert.Contains(t, broken.stdout, "update      1  5ms")
	assert.Equal(t, "simulate: <stdin>:2: want an audit event in JSON on one line: unexpected end of JSON input\n"+
		"simulate: 1 broken line: want 0 at most; --allow-broken 1 skips them\n"+
		"simulate: no environment is written: what could not be read may have been the slowest\n", broken.stderr)
	require.NoFileExists(t, "environment.yaml")

	missing := simulate(auditLog(5), "calibrate", "-", "missing.log", ".", "--allow-broken", "1")
	assert.Equal(t, exit.BadInput, missing.code)
	assert.Contains(t, missing.stderr, "simulate: missing.log: no such file or directory\n")
	assert.Contains(t, missing.stderr, "simulate: .: is a directory; want an audit log\n")
	require.NoFileExists(t, "environment.yaml")

	none := simulate("", "calibrate", "-")
	assert.Equal(t, exit.BadInput, none.code)
	assert.Contains(t, none.stderr, "simulate: no answered get, create, update or patch of leases among 0 lines of -: want the log")
	require.NoFileExists(t, "environment.yaml")

	allowed := simulate(auditLog(5)+"{\n", "calibrate", "-", "--allow-broken", "1")
	require.Equal(t, exit.AsExpected, allowed.code, allowed.stderr)
	assert.Contains(t, allowed.stdout, "note: 1 broken line skipped; the first is <stdin>:2.\n")
	require.FileExists(t, "environment.yaml")
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing else is left")
}

func TestCalibrateUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		want string
		args []string
	}{
		{"nothing to measure: want audit logs, or --kubeconfig", nil},
		{`--write and "a.log": want a server or logs, not both`, []string{"a.log", "--write"}},
		{"--user is about logs: want one", []string{"--user", "x", "--in-cluster"}},
		{"--context: want CONTEXT, got nothing", []string{"--context", ""}},
		{`"-" is given twice`, []string{"-", "-"}},
		{"--in-cluster: want no --kubeconfig", []string{"--in-cluster", "--context", "x"}},
		{"--write and --lease: want one", []string{"--in-cluster", "--write", "--lease", "x"}},
		{`--resource "pods": want leases, configmaps or endpoints`, []string{"-", "--resource", "pods"}},
		{"--margin 0.5: want 1 to 1000", []string{"-", "--margin", "0.5"}},
		{"--margin NaN: want 1 to 1000", []string{"-", "--margin", "nan"}},
		{"--allow-broken -1: want 0 or more", []string{"-", "--allow-broken", "-1"}},
		{"--note: want one line of text", []string{"-", "--note", "a\nmaxRoundTrip: 1ms"}},
		{"want a duration above zero, got 0s", []string{"--in-cluster", "--interval", "0s"}},
		{"simulate: --kubeconfig missing: no such file or directory", []string{"--kubeconfig", "missing"}},
		{`context "x" does not exist`, []string{"--context", "x", "--kubeconfig", os.DevNull}},
	} {
		got := simulate("", append([]string{"calibrate"}, c.args...)...)
		assert.Equal(t, exit.BadInput, got.code, c.args)
		assert.Empty(t, got.stdout)
		assert.Contains(t, got.stderr, c.want)
	}
}

// overHTTP is the server behind a real socket. Methods are those of all requests.
func overHTTP(t *testing.T, s *fakekube.Server) (methods func() map[string]int) {
	way := s.ConfigFor("admin").Transport
	var mu sync.Mutex
	seen := map[string]int{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		seen[q.Method]++
		mu.Unlock()
		a, err := way.RoundTrip(q)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer a.Body.Close()
		w.Header().Set("Content-Type", a.Header.Get("Content-Type"))
		w.WriteHeader(a.StatusCode)
		_, _ = io.Copy(w, a.Body)
	}))
	t.Cleanup(h.Close)
	config := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c",
"clusters": [{"name": "k", "cluster": {"server": %q}}], "users": [{"name": "u", "user": {}}],
"contexts": [{"name": "c", "context": {"cluster": "k", "user": "u", "namespace": "ours"}}]}`, h.URL)
	require.NoError(t, os.WriteFile("kubeconfig", []byte(config), 0o666))
	return func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

// TestCalibrateServer: with --write only. How long it takes is not looked at.
func TestCalibrateServer(t *testing.T) {
	t.Chdir(t.TempDir())
	var s fakekube.Server
	methods := overHTTP(t, &s)
	const lasting = 30 * time.Millisecond
	args := []string{"calibrate", "--kubeconfig", "kubeconfig", "--for", lasting.String(), "--interval", "5ms"}
	none := simulate("", args...)
	assert.Equal(t, exit.NotAsExpected, none.code)
	assert.Equal(t, "simulate: there is no Lease to read: want one, or --write for an own one\n", none.stderr)
	require.NoFileExists(t, "environment.yaml")

	got := simulate("", append(args, "--write")...)
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Regexp(t, `^simulate: writing the own Lease ours/simulate-calibrate-[a-z0-9]+ of http://127.0.0.1:[0-9]+ for 30ms\n$`, got.stderr)
	assert.Regexp(t, `clock of the server: [+-][0-9.]+s to [+-][0-9.]+s ahead of the one here`, got.stdout)
	m := methods()
	assert.Equal(t, []int{1, 1}, []int{m["POST"], m["DELETE"]})
	assert.Positive(t, m["PUT"])

	forbidden := simulate("", append(args, "--lease", "x")...)
	assert.Equal(t, exit.BadInput, forbidden.code, "the file is there already")
	s.Inject(fakekube.Fault{Status: http.StatusForbidden})
	forbidden = simulate("", append(args, "--lease", "x", "--force")...)
	assert.Equal(t, exit.NotAsExpected, forbidden.code)
	assert.Empty(t, forbidden.stdout)
	assert.Contains(t, forbidden.stderr, "simulate: may not get the Lease ours/x: have RBAC allow the verb get on leases")
}

// TestCalibrateRecording: from a log to a forecast that replays it.
func TestCalibrateRecording(t *testing.T) {
	t.Chdir(t.TempDir())
	var log strings.Builder
	for i := range 4000 {
		at, status, took := time.Date(2026, 3, 1, 12, 0, i, 0, time.UTC), 200, 10*time.Millisecond
		if i >= 2000 && i < 2015 {
			status = 503
		}
		fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":"update",`+
			`"objectRef":{"resource":"leases","namespace":"kube-system","name":"s","apiGroup":"coordination.k8s.io"},`+
			`"responseStatus":{"code":%d},"requestReceivedTimestamp":%q,"stageTimestamp":%q}`+"\n",
			status, at.Format(time.RFC3339Nano), at.Add(took).Format(time.RFC3339Nano))
	}
	require.NoError(t, os.WriteFile("a.log", []byte(log.String()), 0o666))
	require.NoError(t, os.Mkdir("site", 0o777))
	got := simulate("", "calibrate", "a.log", "--behaviour", "--recording", "recording.txt", "--environment", "site/environment.yaml")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, got.stdout, "The requests are in recording.txt, one by one.\n")
	recording, err := os.ReadFile("recording.txt")
	require.NoError(t, err)
	assert.Contains(t, string(recording), "from 2026-03-01T12:00:00Z")
	assert.Contains(t, string(recording), "\n1.000000 0.010000 200\n")
	file, err := os.ReadFile("site/environment.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(file), "recorded: {file: \"../recording.txt\"}\n")

	got = simulate("", "forecast", "--lease-duration", "15s", "--behaviour", "site/environment.yaml", "--precision", "20%", "-o", "json")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, got.stderr, "4000 requests in 1h6m40s: the recording is cut into blocks of 15m0s, which is chosen")
	var f struct {
		Targets []struct {
			LossesPerMonth struct{ Value, Low, High float64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &f))
	// All stretches of more than 10 s lose the lock, and shorter ones now and then: about one in each turn of the recording.
	losses := f.Targets[0].LossesPerMonth
	assert.InDelta(t, 30*24*3600/4000.0, losses.Value, 0.2*losses.Value)

	got = simulate("", "calibrate", "a.log", "--recording", "a.log")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--recording a.log would overwrite the log")
	got = simulate("", "calibrate", "a.log", "--recording", "x", "--environment", "x")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "want two files, got x for both")
	lines := strings.SplitAfter(log.String(), "\n")
	lines[0], lines[3000] = lines[3000], lines[0]
	for _, with := range [][]string{{"--recording", "back.txt"}, {"--behaviour"}} {
		got = simulate(strings.Join(lines, ""), append([]string{"calibrate", "-", "--environment", "back.yaml"}, with...)...)
		assert.Equal(t, exit.BadInput, got.code)
		assert.Contains(t, got.stderr, "<stdin>:2: stageTimestamp is 49m59s before that of an earlier line: the clock ran backwards")
		assert.NoFileExists(t, "back.txt")
		assert.NoFileExists(t, "back.yaml")
	}
	got = simulate(strings.Join(lines, ""), "calibrate", "-", "--environment", "back.yaml")
	assert.Equal(t, exit.AsExpected, got.code, "how long answers take does not depend on when they were asked for")
}
