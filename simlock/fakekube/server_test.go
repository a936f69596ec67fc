package fakekube

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"
)

var (
	ctx  = context.Background()
	when = time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC)
)

func lease(name string, edit ...func(*coordinationv1.Lease)) *coordinationv1.Lease {
	l := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity:       ptr.To("a"),
			LeaseDurationSeconds: ptr.To(int32(15)),
			AcquireTime:          ptr.To(metav1.NewMicroTime(when)),
			RenewTime:            ptr.To(metav1.NewMicroTime(when)),
			LeaseTransitions:     ptr.To(int32(0)),
		},
	}
	for _, e := range edit {
		e(l)
	}
	return l
}

func labelled(key, value string) func(*coordinationv1.Lease) {
	return func(l *coordinationv1.Lease) { l.Labels = map[string]string{key: value} }
}

var (
	creating = metav1.CreateOptions{}
	updating = metav1.UpdateOptions{}
	getting  = metav1.GetOptions{}
	deleting = metav1.DeleteOptions{}
)

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"k": value},
	}
}

func TestNoSharedMemory(t *testing.T) {
	var s Server
	leases := s.Clientset().CoordinationV1().Leases("default")
	mine := lease("g", labelled("a", "b"))
	got, err := leases.Create(ctx, mine, creating)
	require.NoError(t, err)
	assert.Equal(t, "1", got.ResourceVersion)
	assert.Equal(t, when.Truncate(time.Microsecond), got.Spec.RenewTime.UTC(), "microseconds on the wire")
	assert.Equal(t, got.CreationTimestamp.Time, got.CreationTimestamp.Truncate(time.Second))
	*mine.Spec.HolderIdentity, mine.Labels["a"] = "x", "x"
	*got.Spec.HolderIdentity, got.Labels["a"] = "y", "y"
	got, err = leases.Get(ctx, "g", getting)
	require.NoError(t, err)
	assert.Equal(t, "a", *got.Spec.HolderIdentity)
	assert.Equal(t, "b", got.Labels["a"])
}

// TestKinds: what an update without a version does, and one of nothing, depends on the kind.
func TestKinds(t *testing.T) {
	var s Server
	c := s.Clientset()
	maps := c.CoreV1().ConfigMaps("default")
	_, err := maps.Update(ctx, configMap("m", "1"), updating)
	assert.Equal(t, `configmaps "m" not found`, err.Error())
	made, err := maps.Create(ctx, configMap("m", "1"), creating)
	require.NoError(t, err)
	unconditional, err := maps.Update(ctx, configMap("m", "2"), updating)
	require.NoError(t, err, "AllowUnconditionalUpdate")
	assert.Equal(t, made.UID, unconditional.UID)
	_, err = maps.Update(ctx, made, updating)
	assert.True(t, apierrors.IsConflict(err), "%v", err)

	events := c.CoreV1().Events("default")
	_, err = events.Update(ctx, &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e"}}, updating)
	assert.NoError(t, err, "AllowCreateOnUpdate")

	// Both versions of an API show the same object; a spec counts in the generation where there is one.
	candidate := &coordinationv1beta1.LeaseCandidate{
		ObjectMeta: metav1.ObjectMeta{Name: "c"},
		Spec: coordinationv1beta1.LeaseCandidateSpec{LeaseName: "g", BinaryVersion: "1.36.0",
			EmulationVersion: "1.35.0", Strategy: coordinationv1.OldestEmulationVersion},
	}
	_, err = c.CoordinationV1beta1().LeaseCandidates("default").Create(ctx, candidate, creating)
	require.NoError(t, err)
	old, err := c.CoordinationV1alpha2().LeaseCandidates("default").Get(ctx, "c", getting)
	require.NoError(t, err)
	assert.Equal(t, coordinationv1alpha2.LeaseCandidateSpec(candidate.Spec), old.Spec)
	candidate.Spec = coordinationv1beta1.LeaseCandidateSpec{EmulationVersion: "1.x", BinaryVersion: "v1"}
	candidate.ResourceVersion = old.ResourceVersion
	_, err = c.CoordinationV1beta1().LeaseCandidates("default").Update(ctx, candidate, updating)
	assert.Equal(t, `LeaseCandidate.coordination.k8s.io "c" is invalid: [`+
		`spec.leaseName: Required value, spec.emulationVersion: Invalid value: "1.x": must be a valid semantic version, `+
		`spec.binaryVersion: Invalid value: "v1": must be a valid semantic version, `+
		`spec.strategy: Required value, spec.leaseName: Invalid value: "": field is immutable]`, err.Error())

	pod, err := c.CoreV1().Pods("default").Create(ctx,
		&corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "p-"}}, creating)
	require.NoError(t, err)
	assert.Regexp(t, `^p-[a-z0-9]{5}$`, pod.Name)
	pod.Status.Phase = corev1.PodRunning
	pod.Spec.NodeName = "n"
	updated, err := c.CoreV1().Pods("default").Update(ctx, pod, updating)
	require.NoError(t, err)
	assert.Equal(t, int64(2), updated.Generation)
	assert.Empty(t, updated.Status.Phase, "the status is a resource of its own")
	updated.Status.Phase = corev1.PodRunning
	updated.Spec.NodeName = "other"
	updated, err = c.CoreV1().Pods("default").UpdateStatus(ctx, updated, updating)
	require.NoError(t, err)
	assert.Equal(t, corev1.PodRunning, updated.Status.Phase)
	assert.Equal(t, "n", updated.Spec.NodeName)
	assert.Equal(t, int64(2), updated.Generation)
	list, err := c.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=n"})
	require.NoError(t, err)
	assert.Len(t, list.Items, 1)
	_, err = c.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.x=n"})
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
}

func TestCoordinatedLeaderElection(t *testing.T) {
	s := Server{CoordinatedLeaderElection: true}
	leases := s.Clientset().CoordinationV1().Leases("default")
	_, err := leases.Create(ctx, lease("g", func(l *coordinationv1.Lease) {
		l.Spec.PreferredHolder = ptr.To("x")
	}), creating)
	assert.Equal(t, `Lease.coordination.k8s.io "g" is invalid: spec.preferredHolder: Forbidden: `+
		"may only be specified if `strategy` is defined", err.Error())
	_, err = leases.Create(ctx, lease("g", func(l *coordinationv1.Lease) {
		l.Spec.Strategy = ptr.To(coordinationv1.CoordinatedLeaseStrategy("Newest"))
	}), creating)
	assert.Equal(t, `Lease.coordination.k8s.io "g" is invalid: spec.strategy.strategy: Unsupported value: "Newest": `+
		`supported values: "OldestEmulationVersion"`, err.Error())
}

func TestPatches(t *testing.T) {
	var s Server
	maps := s.Clientset().CoreV1().ConfigMaps("default")
	made, err := maps.Create(ctx, configMap("m", "1"), creating)
	require.NoError(t, err)
	patch := func(kind types.PatchType, text string) (string, error) {
		m, err := maps.Patch(ctx, "m", kind, []byte(text), metav1.PatchOptions{})
		return m.Data["k"] + "/" + m.ResourceVersion, err
	}
	for _, c := range []struct {
		kind         types.PatchType
		patch, after string
		fails        func(error) bool
	}{
		{types.JSONPatchType, `[{"op":"replace","path":"/data/k","value":"2"}]`, "2/2", nil},
		{types.JSONPatchType, `[{"op":"test","path":"/data/k","value":"1"}]`, "/", apierrors.IsInvalid},
		{types.JSONPatchType, `{`, "/", apierrors.IsBadRequest},
		{types.MergePatchType, `{"data":{"k":"3"}}`, "3/3", nil},
		{types.MergePatchType, `{"data":{"k":"3"}}`, "3/3", nil},
		{types.MergePatchType, `{"metadata":{"resourceVersion":"2"},"data":{"k":"x"}}`, "/", apierrors.IsConflict},
		{types.MergePatchType, `{"metadata":{"uid":"x"}}`, "/", apierrors.IsInvalid},
		{types.MergePatchType, `{"metadata":{"name":"x"}}`, "/", apierrors.IsBadRequest},
		{types.StrategicMergePatchType, `{"data":{"k":"4"}}`, "4/4", nil},
		{types.ApplyPatchType, `{}`, "/", apierrors.IsInvalid}, // names no manager
	} {
		after, err := patch(c.kind, c.patch)
		assert.Equal(t, c.after, after, c.patch)
		if c.fails == nil {
			assert.NoError(t, err, c.patch)
		} else {
			assert.True(t, c.fails(err), "%s: %v", c.patch, err)
		}
	}
	assert.Equal(t, "1", made.ResourceVersion)
}

// TestPages: the pages of a list show one state, whatever is written meanwhile, as long as that is remembered.
func TestPages(t *testing.T) {
	var s Server
	c := s.Clientset().CoordinationV1()
	for _, where := range []string{"a", "a-b", "b"} {
		for _, name := range []string{"x", "x-y", "z"} {
			_, err := c.Leases(where).Create(ctx, lease(name), creating)
			require.NoError(t, err)
		}
	}
	names := func(l *coordinationv1.LeaseList) (all []string) {
		for _, i := range l.Items {
			all = append(all, i.Namespace+"/"+i.Name)
		}
		return all
	}
	whole, err := c.Leases("").List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, whole.Items, 9)
	for _, compacted := range []bool{false, true} {
		page, err := c.Leases("").List(ctx, metav1.ListOptions{Limit: 4})
		require.NoError(t, err)
		assert.Equal(t, int64(5), *page.RemainingItemCount)
		version, got := page.ResourceVersion, names(page)
		require.NoError(t, c.Leases("b").Delete(ctx, "z", deleting))
		_, err = c.Leases("b").Create(ctx, lease("new"), creating)
		require.NoError(t, err)
		if compacted {
			s.Compact()
			_, err = c.Leases("").List(ctx, metav1.ListOptions{Continue: page.Continue})
			assert.True(t, apierrors.IsResourceExpired(err), "%v", err)
			break
		}
		for page.Continue != "" {
			page, err = c.Leases("").List(ctx, metav1.ListOptions{Limit: 4, Continue: page.Continue})
			require.NoError(t, err)
			assert.Equal(t, version, page.ResourceVersion)
			got = append(got, names(page)...)
		}
		assert.Equal(t, names(whole), got)
		require.NoError(t, c.Leases("b").Delete(ctx, "new", deleting))
		_, err = c.Leases("b").Create(ctx, lease("z"), creating)
		require.NoError(t, err)
	}
	_, err = c.Leases("").List(ctx, metav1.ListOptions{Continue: "x"})
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
}

func TestFinalizers(t *testing.T) {
	var s Server
	maps := s.Clientset().CoreV1().ConfigMaps("default")
	m := configMap("m", "1")
	m.Finalizers = []string{"example.com/f"}
	_, err := maps.Create(ctx, m, creating)
	require.NoError(t, err)
	require.NoError(t, maps.Delete(ctx, "m", deleting))
	m, err = maps.Get(ctx, "m", getting)
	require.NoError(t, err)
	assert.NotNil(t, m.DeletionTimestamp)
	assert.Equal(t, "2", m.ResourceVersion)
	m.Finalizers = nil
	_, err = maps.Update(ctx, m, updating)
	require.NoError(t, err)
	_, err = maps.Get(ctx, "m", getting)
	assert.True(t, apierrors.IsNotFound(err))
}

// TestUnsent: what a real client refuses by itself reaches no server.
func TestUnsent(t *testing.T) {
	var s Server
	c := s.Clientset().CoordinationV1()
	_, err := c.Leases("default").Update(ctx, lease(""), updating)
	assert.ErrorIs(t, err, errNoName)
	_, err = c.Leases("").Get(ctx, "g", getting)
	assert.ErrorIs(t, err, errNoSpace)
	_, err = c.Leases("").Create(ctx, lease("g"), creating)
	assert.ErrorIs(t, err, errNowhere)
	_, err = s.Clientset().CoreV1().Pods("default").GetLogs("p", nil).Do(ctx).Raw()
	assert.NoError(t, err, "what is no object is left to the stock fake")
}

// TestScope compares with the methods of the clientset: those of a namespaced resource take a namespace.
func TestScope(t *testing.T) {
	all := reflect.TypeFor[clientset.Interface]()
	var found []string
	for i := range all.NumMethod() {
		group := all.Method(i).Type.Out(0)
		if all.Method(i).Name == "Discovery" {
			continue
		}
		for j := range group.NumMethod() {
			m := group.Method(j)
			name := strings.ToLower(m.Name)
			if m.Name == "RESTClient" {
				continue
			}
			if m.Type.NumIn() == 0 {
				found = append(found, name)
			}
			assert.Equal(t, m.Type.NumIn() == 1, namespaced(name), name)
		}
	}
	slices.Sort(found)
	assert.Equal(t, slices.Compact(found), clusterScoped)
}

// race has n candidates update, each with client-go's own lock, on the version that all of them
// have read. It returns how many were told that they succeeded.
func race(t *testing.T, n int, client func() clientset.Interface) (won int) {
	t.Helper()
	_, err := client().CoordinationV1().Leases("default").Create(ctx, lease("g"), creating)
	require.NoError(t, err)
	var read, done sync.WaitGroup
	var mu sync.Mutex
	read.Add(n)
	for i := range n {
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "g"},
			Client:     client().CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: string(rune('A' + i))},
		}
		done.Go(func() {
			record, _, err := lock.Get(ctx)
			read.Done()
			read.Wait()
			if err != nil {
				return
			}
			record.HolderIdentity = lock.Identity()
			if lock.Update(ctx, *record) == nil {
				mu.Lock()
				defer mu.Unlock()
				won++
			}
		})
	}
	done.Wait()
	return won
}

// TestStaleUpdates is why this package exists.
func TestStaleUpdates(t *testing.T) {
	const n = 8
	for range 100 {
		var s Server
		require.Equal(t, 1, race(t, n, func() clientset.Interface { return s.Clientset() }))
	}
	stock := fake.NewSimpleClientset()
	assert.Equal(t, n, race(t, n, func() clientset.Interface { return stock }),
		"the stock fake takes every stale update")
}

// TestUpdateOfTheDeleted: where an update creates nothing a server misses the object before it looks at the uid
// (TestDifferential of e2e/kubernetes; ignoreNotFound in registry/store.go of k8s.io/apiserver).
func TestUpdateOfTheDeleted(t *testing.T) {
	var server Server
	maps := server.Clientset().CoreV1().ConfigMaps("default")
	ctx := context.Background()
	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	require.NoError(t, maps.Delete(ctx, "a", metav1.DeleteOptions{}))
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	made.UID = ""
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}
