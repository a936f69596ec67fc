package kubernetes_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// largeLog is how much a large audit log has.
const largeLog = 100 << 20

// judgeLarge: simulate investigate tells the same of each incident whether the audit log has nothing but elections, or 100 MB of other requests between.
func judgeLarge(t *testing.T, all []*incident, audit []byte) {
	simulate, dir := buildSimulate(t), t.TempDir()
	small, large := filepath.Join(dir, "audit.log"), filepath.Join(dir, "large.log")
	require.NoError(t, os.WriteFile(small, audit, 0o600))
	padded := pad(t, audit)
	require.InDelta(t, largeLog, len(padded), largeLog/10)
	require.NoError(t, os.WriteFile(large, padded, 0o600))
	for _, one := range all {
		if one.kind != "library" || one.level != "RequestResponse" {
			continue
		}
		want, _, _ := one.investigate(t, simulate, small)
		got, took, computed := one.investigate(t, simulate, large)
		assert.Equal(t, want, got, one.name)
		t.Logf("%s: 100 MB in %v, of which it computed %v", one.what, took.Round(time.Millisecond), computed.Round(time.Millisecond))
	}
}

// pad puts other requests between the lines of an audit log: its own in another form, one of eight about the Lease of a node, the others about Pods.
func pad(t *testing.T, audit []byte) []byte {
	lines := bytes.SplitAfter(audit, []byte("\n"))
	var kept [][]byte
	for _, line := range lines {
		if bytes.Contains(line, []byte(`"resource":"leases"`)) {
			kept = append(kept, line)
		}
	}
	require.NotEmpty(t, kept)
	pods := strings.NewReplacer("leases", "pods", "Lease", "Pod", "holderIdentity", "nodeName", "/apis/coordination.k8s.io/v1/", "/api/v1/",
		"coordination.k8s.io", "", `"auditID":"`, `"auditID":"pod-`)
	nodes := strings.NewReplacer(`"recorded"`, `"kube-node-lease"`, `"default"`, `"kube-node-lease"`, `"auditID":"`, `"auditID":"node-`)
	other := make([][]byte, len(kept))
	size := 0
	for i, line := range kept {
		as := pods
		if i%8 == 0 {
			as = nodes
		}
		other[i] = []byte(as.Replace(string(line)))
		size += len(other[i])
	}
	var b bytes.Buffer
	times := (largeLog - len(audit)) / size
	for i, line := range kept {
		for k := range times {
			b.Write(other[(i+k)%len(other)])
		}
		b.Write(line)
	}
	return b.Bytes()
}

// investigate has the program tell of the incident, without the places at which it stands. took is by the clock, computed by the processor.
func (c *incident) investigate(t *testing.T, simulate, audit string) (story any, took, computed time.Duration) {
	args := []string{"investigate", "--lock", namespaceOf(c.level) + "/" + c.name, "-o", "json", "--lease-duration", incidentLease.String(),
		"--renew-deadline", incidentDeadline.String(), "--retry-period", incidentPeriod.String(), audit}
	for _, l := range c.leaders {
		args = append(args, l.log)
	}
	cmd := exec.Command(simulate, args...)
	var talk bytes.Buffer
	cmd.Stderr = &talk
	began := time.Now()
	out, _ := cmd.Output() // 1 says that two certainly worked at once
	took = time.Since(began)
	require.Contains(t, []int{0, 1}, cmd.ProcessState.ExitCode(), "%s", talk.Bytes())
	var report struct{ Locks any }
	require.NoError(t, json.Unmarshal(out, &report))
	withoutPlaces(report.Locks)
	return report.Locks, took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// withoutPlaces takes away where in the files something stands.
func withoutPlaces(x any) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			withoutPlaces(y)
		}
	case map[string]any:
		delete(x, "file")
		delete(x, "line")
		for _, y := range x {
			withoutPlaces(y)
		}
	}
}
