package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestRead: a row is judged with the profile of its version and on its lock, and says where that is not what the project has.
func TestRead(t *testing.T) {
	rows, err := Read("../../../testdata/corpus/timings.csv")
	require.NoError(t, err)
	of := map[string]*Row{}
	for i := range rows {
		of[rows[i].Project] = &rows[i]
	}
	for _, c := range []struct {
		project, library string
		profile          machine.Profile
		lock             plan.Lock
	}{
		{"rancher/wrangler", "v0.37.2, lease", machine.ClientGo, plan.Lease},
		{"crossplane/crossplane", "~ about v0.35.1, lease", machine.ClientGo, plan.Lease},
		{"fluxcd/flagger", "v0.27.11, configmapsleases", machine.ClientGoV024, plan.ConfigMapsLeases},
		{"openshift/ibm-roks-toolkit", "v0.21 to v0.22, configmap", machine.ClientGoV024, plan.ConfigMap},
		{"openshift/library-go (2019)", "before v0.18, configmap", machine.ClientGoV017, plan.ConfigMap},
		{"openshift/cluster-version-operator (old a)", "~ before v0.20, configmap", machine.ClientGoV017, plan.ConfigMap},
		{"openshift/cluster-version-operator (old b)", "v0.18 to v0.21, configmap", machine.ClientGoV024, plan.ConfigMap},
		{"kubevirt/kubevirt", "before v0.18, endpoints", machine.ClientGoV017, plan.Endpoints},
		{"spotahome/kooper", "v0.22.2, configmap", machine.ClientGoV024, plan.ConfigMap},
		{"elastic/elastic-agent", "~ before v0.30, lease", machine.ClientGoV024, plan.Lease},
		{"hyperkube+dqlite unit file (unnamed)", "v0.15 to v0.16, endpoints", machine.ClientGoV017, plan.Endpoints},
		{"DataDog/datadog-agent", "~ from v0.24, lease", machine.ClientGo, plan.Lease},
		{"apache/flink (HA k8s)", "~ fabric8, configmap", machine.Fabric8, plan.Lease},
		{"demo 2/1/0.5 (unnamed)", "~ ?, ?", machine.ClientGo, plan.Lease},
	} {
		r := of[c.project]
		require.NotNil(t, r, c.project)
		assert.Equal(t, c.library, r.Library(), c.project)
		assert.Equal(t, c.profile, r.Config.Profile, c.project)
		assert.Equal(t, c.lock, r.Config.Lock, c.project)
	}
	_, err = row([]string{"p", "", "15s", "10s", "2s", "false", "0s", "client-go", "", "", "", "", "v0.37.2", "leases", "", ""})
	assert.ErrorContains(t, err, "leases is not a kind of lock")
	_, err = row([]string{"p", "", "15s", "10s", "2s", "false", "0s", "client-go", "", "", "", "", "37", "lease", "", ""})
	assert.ErrorContains(t, err, `client-go "37"`)
}
