package kubernetes_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// calibration is what the test reads of simulate calibrate's JSON.
type calibration struct {
	All struct {
		Count        int
		P50Ns, MaxNs time.Duration
	}
	Live struct{ Lease string }
}

// TestCalibrate measures the real server with simulate calibrate, reading, writing, and from the audit log that the
// server wrote meanwhile, and compares with what this process measures itself.
func TestCalibrate(t *testing.T) {
	c := theServer(t)
	simulate := filepath.Join(t.TempDir(), "simulate")
	build := exec.Command("go", "build", "-o", simulate, "./cmd/simulate")
	build.Dir = "../.."
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)

	leases := kubernetes.NewForConfigOrDie(c.Config("admin")).CoordinationV1().Leases("default")
	_, err = leases.Create(t.Context(), &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "measured"}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	const n = 200
	took := make([]time.Duration, n)
	for i := range took {
		from := time.Now()
		_, err := leases.Get(t.Context(), "measured", metav1.GetOptions{})
		took[i] = time.Since(from)
		require.NoError(t, err)
	}
	slices.Sort(took)
	t.Logf("by hand: %d gets, p50 %v, max %v", n, took[n/2], took[n-1])

	run := func(args ...string) calibration {
		args = append([]string{"calibrate", "-o", "json", "--environment", filepath.Join(t.TempDir(), "environment.yaml")},
			args...)
		cmd := exec.Command(simulate, args...)
		var talk bytes.Buffer
		cmd.Stderr = &talk
		out, err := cmd.Output()
		require.NoError(t, err, "%v\n%s", args, talk.Bytes())
		t.Logf("%v\n%s%s", args, out, talk.Bytes())
		var found calibration
		require.NoError(t, json.Unmarshal(out, &found))
		return found
	}
	live := []string{"--kubeconfig", c.Kubeconfig(t, "admin", ""), "--namespace", "default", "--for", "3s",
		"--interval", "20ms"}
	reading := run(append(live, "--lease", "measured")...)
	writing := run(append(live, "--write")...)
	heard := run(c.AuditLog(), "--lease", "measured")
	written := run(c.AuditLog(), "--lease", writing.Live.Lease)

	// Each request is in the log once, and took the server no longer than the client; the delete is none of an elector's.
	assert.Equal(t, 1+n+reading.All.Count, heard.All.Count)
	assert.Equal(t, writing.All.Count, written.All.Count)
	assert.LessOrEqual(t, written.All.P50Ns, writing.All.P50Ns)
	assert.LessOrEqual(t, written.All.MaxNs, writing.All.MaxNs)
	// The same requests by the same library, on a machine that may be busy.
	assert.Less(t, reading.All.P50Ns, 10*took[n/2])
	assert.Less(t, took[n/2], 10*reading.All.P50Ns)
	list, err := leases.List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/managed-by=simulate-calibrate"})
	require.NoError(t, err)
	assert.Empty(t, list.Items, "it deletes what it wrote")
}
