package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLockIsAssumed asks whose lock is a Lease because nobody says otherwise: that of a program of which no earlier release is known, and of
// one whose release nothing tells, but whose earlier releases had another lock.
func TestLockIsAssumed(t *testing.T) {
	t.Parallel()
	for image, want := range map[string]bool{
		"acme/manager:v1.0": true, "jetstack/cert-manager-controller:v0.11.0": true, "k8scsi/csi-attacher": true, "k8scsi/csi-attacher:v4.0.0": false,
		"k8scsi/csi-resizer": false, "kube-vip/kube-vip": false,
	} {
		f := Read("x.yaml", strings.NewReader("containers: [{name: a, image: '"+image+"', args: [--leader-elect]}]"))
		require.Len(t, f.Targets, 1, image)
		assert.Equal(t, want, f.Targets[0].LockAssumed, image)
	}
}
