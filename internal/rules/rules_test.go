package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
)

// judged returns what the gate says of timings in seconds.
func judged(t *testing.T, lease, deadline, period time.Duration) *gate.Judgement {
	r := gate.JudgeTargets([]gate.Target{{Position: files.Position{File: "flags"}, Config: bound.Config{
		Profile: machine.ClientGo, Timings: machine.Timings{LeaseDuration: lease * time.Second, RenewDeadline: deadline * time.Second, RetryPeriod: period * time.Second}},
		Timeout: programs.Timeout{Kind: programs.None}}}, gate.DefaultEnvironment())
	require.Len(t, r.Targets, 1)
	return r.Targets[0]
}

// TestBearable: at the bound the gate says safe, and at the next one it does not.
func TestBearable(t *testing.T) {
	j := judged(t, 15, 10, 2)
	assert.Equal(t, 0.6, Bearable(j))
	for b, want := range map[time.Duration]gate.Verdict{600 * time.Millisecond: gate.Safe, 800 * time.Millisecond: gate.Unsafe} {
		e := j.Environment
		e.MaxRoundTrip = b
		other, err := gate.Judge(j.Target, &e)
		require.NoError(t, err)
		assert.Equal(t, want, other.Verdict)
	}
	assert.Zero(t, Bearable(judged(t, 15, 13, 2)))
}

func TestHostileNames(t *testing.T) {
	var b strings.Builder
	l := &Lease{Namespace: "a\n- alert: x\x1b", Name: `b"} or vector(1) # {{ .Labels }}`, Election: `c"`}
	require.NoError(t, Write(&b, l, judged(t, 15, 10, 2), 0))
	var f file
	require.NoError(t, yaml.Unmarshal([]byte(b.String()), &f))
	require.Len(t, f.Groups, 1)
	assert.Len(t, f.Groups[0].Rules, 5, "no round trip is bearable")
	assert.NotContains(t, b.String(), "\x1b")
	for _, r := range f.Groups[0].Rules { // these are templates
		assert.NotContains(t, r.Labels["lock"]+r.Annotations["summary"]+r.Annotations["description"], "{{")
	}
	promtool(t, b.String(), "")
}

// promtool has promtool check rules, and test them if there are tests.
func promtool(t *testing.T, rules, tests string) {
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("there is no promtool: Debian's package prometheus has it")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.yaml"), []byte(rules), 0o600))
	args := []string{"check", "rules", "rules.yaml"}
	if tests != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "tests.yaml"), []byte(tests), 0o600))
		args = []string{"test", "rules", "tests.yaml"}
	}
	c := exec.Command(path, args...)
	c.Dir = dir
	said, err := c.CombinedOutput()
	require.NoError(t, err, string(said))
}

// alerts are series by which each rule fires, or does not: a test of promtool for each.
var alerts = []struct {
	alert, at string
	fires     bool
	series    map[string]string
}{
	{"LeaseUpdatesSlowerThanSafe", "10m", false, map[string]string{
		`apiserver_request_duration_seconds_count{resource="leases",verb="PUT"}`:            "0+100x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="0.6"}`:  "0+100x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="+Inf"}`: "0+100x20",
	}},
	{"LeaseUpdatesSlowerThanSafe", "10m", true, map[string]string{
		`apiserver_request_duration_seconds_count{resource="leases",verb="PUT"}`:            "0+101x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="0.6"}`:  "0+100x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="+Inf"}`: "0+101x20",
	}},
	{"LeaseUpdatesSlowerThanSafe", "10m", true, map[string]string{ // a configuration that drops some buckets
		`apiserver_request_duration_seconds_count{resource="leases",verb="PUT"}`:            "0+101x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="0.1"}`:  "0+90x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="1.0"}`:  "0+100x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="4"}`:    "0+101x20",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="+Inf"}`: "0+101x20",
	}},
	{"LeaseBucketMissing", "30m", true, map[string]string{
		`apiserver_request_duration_seconds_count{resource="leases",verb="PUT"}`:         "1+101x40",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="1"}`: "1+101x40",
	}},
	{"LeaseBucketMissing", "30m", false, map[string]string{
		`apiserver_request_duration_seconds_count{resource="leases",verb="PUT"}`:           "1+101x40",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="0.6"}`: "1+101x40",
	}},
	{"LeaseUpdatesNearDeadline", "20m", false, map[string]string{
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="1"}`:    "0+100x30",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="10"}`:   "0+100x30",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="+Inf"}`: "0+100x30",
	}},
	{"LeaseUpdatesNearDeadline", "20m", true, map[string]string{
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="1"}`:    "0+90x30",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="10"}`:   "0+100x30",
		`apiserver_request_duration_seconds_bucket{resource="leases",verb="PUT",le="+Inf"}`: "0+100x30",
	}},
	{"LeaderMissing", "5m", false, map[string]string{`kube_lease_renew_time{namespace="shop",lease="manager"}`: "0+60x10"}},
	{"LeaderMissing", "5m", true, map[string]string{`kube_lease_renew_time{namespace="shop",lease="manager"}`: "0x10"}},
	{"LeaderNotReported", "6m", false, map[string]string{`leader_election_master_status{name="manager",pod="a"}`: "1x10", `leader_election_master_status{name="manager",pod="b"}`: "0x10"}},
	{"LeaderNotReported", "6m", true, map[string]string{`leader_election_master_status{name="manager",pod="a"}`: "0x10"}},
	{"TwoLeaders", "5m", false, map[string]string{`leader_election_master_status{name="manager",pod="a"}`: "1 1 0x8", `leader_election_master_status{name="manager",pod="b"}`: "0 1x9"}},
	{"TwoLeaders", "5m", false, map[string]string{ // of two namespaces, and one pod that two jobs scrape
		`leader_election_master_status{name="manager",namespace="shop",pod="a",job="pods"}`: "1x10", `leader_election_master_status{name="manager",namespace="staging",pod="b"}`: "1x10",
		`leader_election_master_status{name="manager",namespace="shop",pod="a",job="service",endpoint="m"}`: "1x10"}},
	{"TooManyLeaders", "10m", true, map[string]string{ // each leader is a new pod
		`leader_election_master_status{name="manager",pod="a"}`: "1 1 _ _ _ _ _ _ _ _ _", `leader_election_master_status{name="manager",pod="b"}`: "_ _ 1 1 _ _ _ _ _ _ _",
		`leader_election_master_status{name="manager",pod="c"}`: "_ _ _ _ 1 1 _ _ _ _ _", `leader_election_master_status{name="manager",pod="d"}`: "_ _ _ _ _ _ 1 1 _ _ _",
		`leader_election_master_status{name="manager",pod="e"}`: "_ _ _ _ _ _ _ _ 1 1 1"}},
	{"TwoLeaders", "5m", true, map[string]string{`leader_election_master_status{name="manager",pod="a"}`: "1x10", `leader_election_master_status{name="manager",pod="b"}`: "1x10"}},
	{"TooManyLeaders", "10m", false, map[string]string{`leader_election_master_status{name="manager",pod="a"}`: "1 1 0 0 1 1 0 0 0 0 0", `leader_election_master_status{name="manager",pod="b"}`: "0 0 1 1 0 0 1 1 1 1 1"}},
	{"TooManyLeaders", "10m", true, map[string]string{`leader_election_master_status{name="manager",pod="a"}`: "1 1 0 0 1 1 0 0 1 1 1", `leader_election_master_status{name="manager",pod="b"}`: "0 0 1 1 0 0 1 1 0 0 0"}},
}

// TestAlerts: each rule fires where it should, and does not where it should not, as promtool has it.
func TestAlerts(t *testing.T) {
	var b strings.Builder
	l := &Lease{Namespace: "shop", Name: "manager", Election: "manager", Pods: "shop", Transitions: 3}
	j := judged(t, 15, 10, 2)
	require.NoError(t, Write(&b, l, j, Bearable(j)))
	var f file
	require.NoError(t, yaml.Unmarshal([]byte(b.String()), &f))
	seen := map[string]int{}
	var tests strings.Builder
	tests.WriteString("rule_files: [rules.yaml]\nevaluation_interval: 1m\ntests:\n")
	for _, a := range alerts {
		seen["LeaderElection"+a.alert]++
		tests.WriteString("- interval: 1m\n  input_series:\n")
		for series, values := range a.series {
			tests.WriteString("  - {series: '" + series + "', values: '" + values + "'}\n")
		}
		tests.WriteString("  alert_rule_test:\n  - {eval_time: " + a.at + ", alertname: LeaderElection" + a.alert + ", exp_alerts: [")
		for _, r := range f.Groups[0].Rules {
			if r.Alert == "LeaderElection"+a.alert && a.fires {
				tests.WriteString("{exp_labels: {severity: " + r.Labels["severity"] + ", lock: shop/manager}, exp_annotations: {summary: \"" + r.Annotations["summary"] + "\", description: \"" + r.Annotations["description"] + "\"}}")
			}
		}
		tests.WriteString("]}\n")
	}
	for _, r := range f.Groups[0].Rules {
		assert.GreaterOrEqual(t, seen[r.Alert], 2, "%s fires in a test, and does not in another", r.Alert)
	}
	promtool(t, b.String(), tests.String())
}
