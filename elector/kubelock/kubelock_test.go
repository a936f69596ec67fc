package kubelock_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"

	"interregnum/elector"
	"interregnum/elector/kubelock"
)

func TestNew(t *testing.T) {
	client := fake.NewSimpleClientset()
	config := rl.ResourceLockConfig{Identity: "a"}
	for _, kind := range kinds {
		lock, err := kubelock.New(kind, "ns", "lock", client.CoreV1(), client.CoordinationV1(), config)
		require.NoError(t, err)
		assert.Equal(t, "a", lock.Identity())
		assert.Equal(t, "ns/lock", lock.Describe())
		assert.Implements(t, (*elector.ResourceVersioner)(nil), lock)

		_, err = kubelock.New(kind, "ns", "lock", nil, nil, config)
		assert.ErrorContains(t, err, "lock kind "+kind+" needs a co")
	}
	assert.Empty(t, client.Actions())
	for _, kind := range []string{kubelock.EndpointsResourceLock, kubelock.ConfigMapsResourceLock} {
		_, err := kubelock.New(kind, "ns", "lock", client.CoreV1(), nil, config)
		assert.NoError(t, err)
	}
	_, err := kubelock.New(kubelock.LeasesResourceLock, "ns", "lock", nil, client.CoordinationV1(), config)
	assert.NoError(t, err)
	_, err = kubelock.New("configmap", "ns", "lock", client.CoreV1(), client.CoordinationV1(), config)
	assert.EqualError(t, err,
		`lock kind: want one of leases, endpoints, configmaps, endpointsleases, configmapsleases, got "configmap"`)
}

// annotate puts an annotation on the ConfigMap.
func (c *cluster) annotate(key, value string) {
	configMaps := c.server.Clientset().CoreV1().ConfigMaps("default")
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "lock", Annotations: map[string]string{key: value}}}
	_, err := configMaps.Create(c.ctx, object, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = configMaps.Update(c.ctx, object, metav1.UpdateOptions{})
	}
	require.NoError(c.t, err)
}

func TestBadAnnotations(t *testing.T) {
	for _, value := range []string{"", "not JSON", `{"holderIdentity":`, `[]`, `{"holderIdentity":7}`,
		`{"leaderTransitions":99999999999999999999}`, `{"renewTime":"yesterday"}`, strings.Repeat("x", 1000)} {
		for _, kind := range []string{kubelock.ConfigMapsResourceLock, kubelock.ConfigMapsLeasesResourceLock} {
			c := newCluster(t)
			c.annotate(rl.LeaderElectionRecordAnnotationKey, value)
			record, _, err := c.lock(kind, "a").Get(c.ctx)
			assert.Nil(t, record)
			require.ErrorContains(t, err, "configmap default/lock: annotation control-plane.alpha.kubernetes.io/leader: "+
				"want a leader election record in JSON, got "+strconv.Quote(value[:min(len(value), 200)])+": ")
			assert.Less(t, len(err.Error()), 500)
		}
	}
}

// TestOddRecords: what says nothing is free, and what is odd is believed.
func TestOddRecords(t *testing.T) {
	c := newCluster(t)
	lock := c.lock(kubelock.ConfigMapsResourceLock, "a")
	c.annotate("other", "x")
	record, raw, err := lock.Get(c.ctx)
	require.NoError(t, err)
	assert.Equal(t, &rl.LeaderElectionRecord{}, record)
	assert.Equal(t, []byte{}, raw)

	c.annotate(rl.LeaderElectionRecordAnnotationKey,
		`{"holderIdentity":"b","leaderTransitions":-7,"renewTime":"2999-01-01T00:00:00Z","new":1}`)
	record, _, err = lock.Get(c.ctx)
	require.NoError(t, err)
	assert.Equal(t, "b", record.HolderIdentity)
	assert.Equal(t, -7, record.LeaderTransitions)
	assert.Equal(t, 2999, record.RenewTime.Year())

	leases := c.server.Clientset().CoordinationV1().Leases("default")
	_, err = leases.Create(c.ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "lock"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	record, _, err = c.lock(kubelock.LeasesResourceLock, "a").Get(c.ctx)
	require.NoError(t, err)
	assert.Equal(t, &rl.LeaderElectionRecord{}, record)
}

// TestNoObjectYet: nothing is sent, and nothing panics.
func TestNoObjectYet(t *testing.T) {
	for _, kind := range kinds {
		client := fake.NewSimpleClientset()
		events := 0
		lock, err := kubelock.New(kind, "ns", "lock", client.CoreV1(), client.CoordinationV1(),
			rl.ResourceLockConfig{Identity: "50%", EventRecorder: recorder(func(event string) {
				events++
				assert.Contains(t, event, " ns/lock  : Normal LeaderElection 50% stopped leading")
			})})
		require.NoError(t, err)
		err = lock.Update(t.Context(), rl.LeaderElectionRecord{})
		assert.ErrorContains(t, err, " ns/lock: Update wants a Get or Create before it that returned an object")
		lock.RecordEvent("stopped leading")
		assert.NotZero(t, events)
		assert.Empty(t, client.Actions())
	}
}

// TestKept: what v0.20 does not know is kept where the record has it, and what others have put on a Lease is.
func TestKept(t *testing.T) {
	for _, kind := range kinds {
		c := newCluster(t)
		c.server.CoordinatedLeaderElection = true
		lock := c.lock(kind, "a")
		want := rl.LeaderElectionRecord{
			HolderIdentity: "a", LeaseDurationSeconds: 15, AcquireTime: metav1.Unix(1e9, 0), RenewTime: metav1.Unix(1e9, 0),
			Strategy: coordinationv1.OldestEmulationVersion, PreferredHolder: "b",
		}
		require.NoError(t, lock.Create(c.ctx, want))
		want.RenewTime = metav1.Unix(2e9, 0)
		require.NoError(t, lock.Update(c.ctx, want))
		got, raw, err := lock.Get(c.ctx)
		require.NoError(t, err)
		assert.Equal(t, want.Strategy, got.Strategy, kind)
		assert.Equal(t, want.PreferredHolder, got.PreferredHolder, kind)
		assert.Contains(t, string(raw), `,"strategy":"OldestEmulationVersion","preferredHolder":"b"}`)
	}
	c := newCluster(t)
	leases := c.server.Clientset().CoordinationV1().Leases("default")
	_, err := leases.Create(c.ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{
		Name: "lock", Labels: map[string]string{"l": "1"}, Annotations: map[string]string{"a": "2"},
	}}, metav1.CreateOptions{})
	require.NoError(t, err)
	lock := c.lock(kubelock.LeasesResourceLock, "a")
	_, _, err = lock.Get(c.ctx)
	require.NoError(t, err)
	require.NoError(t, lock.Update(c.ctx, rl.LeaderElectionRecord{HolderIdentity: "a", LeaseDurationSeconds: 1}))
	lease, err := leases.Get(c.ctx, "lock", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a", ptr.Deref(lease.Spec.HolderIdentity, ""))
	assert.Equal(t, map[string]string{"l": "1"}, lease.Labels)
	assert.Equal(t, map[string]string{"a": "2"}, lease.Annotations)
}

// TestLabels: those of the LeaseMeta are put on, those of others stay.
func TestLabels(t *testing.T) {
	c := newCluster(t)
	leases := c.server.Clientset().CoordinationV1()
	lock, err := kubelock.NewLease(metav1.ObjectMeta{
		Namespace: "default", Name: "lock", Labels: map[string]string{"app": "x"}, Annotations: map[string]string{"by": "y"},
	}, leases, rl.ResourceLockConfig{Identity: "a"})
	require.NoError(t, err)
	record := rl.LeaderElectionRecord{HolderIdentity: "a", LeaseDurationSeconds: 15}
	require.NoError(t, lock.Create(c.ctx, record))
	there, err := leases.Leases("default").Get(c.ctx, "lock", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"app": "x"}, there.Labels)
	there.Labels, there.Annotations = map[string]string{"team": "z"}, nil
	_, err = leases.Leases("default").Update(c.ctx, there, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, _, err = lock.Get(c.ctx)
	require.NoError(t, err)
	require.NoError(t, lock.Update(c.ctx, record))
	there, err = leases.Leases("default").Get(c.ctx, "lock", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"app": "x", "team": "z"}, there.Labels)
	assert.Equal(t, map[string]string{"by": "y"}, there.Annotations)
	_, err = kubelock.NewLease(metav1.ObjectMeta{}, nil, rl.ResourceLockConfig{})
	assert.EqualError(t, err, "lock kind leases needs a coordination/v1 client, got nil")
}

// TestResourceVersion: the token of two objects is the secondary's version.
func TestResourceVersion(t *testing.T) {
	c := newCluster(t)
	version := func(l rl.Interface) string { return l.(elector.ResourceVersioner).ResourceVersion() }
	record := rl.LeaderElectionRecord{HolderIdentity: "a", LeaseDurationSeconds: 15, RenewTime: metav1.Unix(1, 0)}
	a, b := c.lock(kubelock.ConfigMapsLeasesResourceLock, "a"), c.lock(kubelock.ConfigMapsLeasesResourceLock, "b")
	assert.Empty(t, version(a))
	require.NoError(t, a.Create(c.ctx, record)) // versions 1 and 2
	assert.Equal(t, "2", version(a))
	require.True(t, apierrors.IsAlreadyExists(b.Create(c.ctx, record)))
	assert.Empty(t, version(b))
	_, _, err := b.Get(c.ctx)
	require.NoError(t, err)
	record.HolderIdentity = "b"
	require.NoError(t, b.Update(c.ctx, record)) // 3 and 4
	assert.Equal(t, "4", version(b))
	require.True(t, apierrors.IsConflict(a.Update(c.ctx, record)))
	assert.Equal(t, "2", version(a))

	leases := c.server.Clientset().CoordinationV1().Leases("default")
	require.NoError(t, leases.Delete(c.ctx, "lock", metav1.DeleteOptions{})) // 5
	_, _, err = b.Get(c.ctx)
	require.True(t, apierrors.IsNotFound(err), "the primary names b itself")
	require.NoError(t, b.Create(c.ctx, record))
	assert.Equal(t, "6", version(b))
}

// TestHazards shows the two ways in which a lock on two objects is no lock.
func TestHazards(t *testing.T) {
	record := func(holder string, at int64) rl.LeaderElectionRecord {
		return rl.LeaderElectionRecord{HolderIdentity: holder, LeaseDurationSeconds: 15, RenewTime: metav1.Unix(at, 0)}
	}
	c := newCluster(t)
	old, both := c.lock(kubelock.ConfigMapsResourceLock, "old"), c.lock(kubelock.ConfigMapsLeasesResourceLock, "both")
	_, _, err := both.Get(c.ctx)
	require.True(t, apierrors.IsNotFound(err))
	require.NoError(t, old.Create(c.ctx, record("old", 1)))
	require.NoError(t, both.Create(c.ctx, record("both", 1)), "the primary names another")

	c = newCluster(t)
	both, lease := c.lock(kubelock.ConfigMapsLeasesResourceLock, "both"), c.lock(kubelock.LeasesResourceLock, "lease")
	require.NoError(t, both.Create(c.ctx, record("both", 1)))
	_, _, err = both.Get(c.ctx)
	require.NoError(t, err)
	_, _, err = lease.Get(c.ctx)
	require.NoError(t, err)
	require.NoError(t, lease.Update(c.ctx, record("lease", 2)))
	require.NoError(t, both.Update(c.ctx, record("both", 3)), "the secondary has changed since it was read")
	require.True(t, apierrors.IsConflict(lease.Update(c.ctx, record("lease", 4))))
}
