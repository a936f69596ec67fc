package fakekube

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
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

func withDuration(d int32) func(*coordinationv1.Lease) {
	return func(l *coordinationv1.Lease) { l.Spec.LeaseDurationSeconds = &d }
}
func withTransitions(n int32) func(*coordinationv1.Lease) {
	return func(l *coordinationv1.Lease) { l.Spec.LeaseTransitions = &n }
}
func withVersion(v string) func(*coordinationv1.Lease) {
	return func(l *coordinationv1.Lease) { l.ResourceVersion = v }
}
func withUID(uid types.UID) func(*coordinationv1.Lease) {
	return func(l *coordinationv1.Lease) { l.UID = uid }
}
func withHolder(id string) func(*coordinationv1.Lease) {
	return func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = &id }
}

const stranger = types.UID("00000000-0000-0000-0000-000000000000")

// TestErrors compares with what kube-apiserver v1.36.3 answered. Objects g (version 1) and d
// (deleted) exist in the beginning.
func TestErrors(t *testing.T) {
	modified := "the object has been modified; please apply your changes to the latest version and try again"
	conflict := func(name, text string) string {
		return `Operation cannot be fulfilled on leases.coordination.k8s.io "` + name + `": ` + text
	}
	precondition := func(name, given, there string) string {
		return conflict(name, "StorageError: invalid object, Code: 4, Key: /registry/leases/default/"+name+
			", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "+given+
			", UID in object meta: "+there)
	}
	type client = typed.LeaseInterface
	create := func(l *coordinationv1.Lease) func(client) error {
		return func(c client) error { _, err := c.Create(ctx, l, metav1.CreateOptions{}); return err }
	}
	update := func(l *coordinationv1.Lease) func(client) error {
		return func(c client) error { _, err := c.Update(ctx, l, metav1.UpdateOptions{}); return err }
	}
	remove := func(name string, p *metav1.Preconditions) func(client) error {
		return func(c client) error { return c.Delete(ctx, name, metav1.DeleteOptions{Preconditions: p}) }
	}
	get := func(name string) func(client) error {
		return func(c client) error { _, err := c.Get(ctx, name, metav1.GetOptions{}); return err }
	}
	cases := []struct {
		name    string
		request func(client) error
		code    int32
		reason  metav1.StatusReason
		message string
	}{
		{"get missing", get("m"), 404, "NotFound", `leases.coordination.k8s.io "m" not found`},
		{"create again", create(lease("g")), 409, "AlreadyExists",
			`leases.coordination.k8s.io "g" already exists`},
		{"create without name", create(lease("")), 422, "Invalid",
			`Lease.coordination.k8s.io "" is invalid: metadata.name: Required value: name or generateName is required`},
		{"create with version", create(lease("m", withVersion("5"))), 500, "",
			"resourceVersion should not be set on objects to be created"},
		{"create elsewhere", create(lease("m", func(l *coordinationv1.Lease) { l.Namespace = "kube-system" })),
			400, "BadRequest",
			"the namespace of the provided object does not match the namespace sent on the request"},
		{"duration 0", create(lease("m", withDuration(0))), 422, "Invalid",
			`Lease.coordination.k8s.io "m" is invalid: spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0`},
		{"both invalid", create(lease("m", withDuration(-1), withTransitions(-1))), 422, "Invalid",
			`Lease.coordination.k8s.io "m" is invalid: [spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0,` +
				` spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]`},
		{"update invalid", update(lease("g", withVersion("1"), withDuration(0))), 422, "Invalid",
			`Lease.coordination.k8s.io "g" is invalid: spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0`},
		{"update without version", update(lease("g")), 422, "Invalid",
			`leases.coordination.k8s.io "g" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`},
		{"update version 0", update(lease("g", withVersion("0"))), 422, "Invalid",
			`leases.coordination.k8s.io "g" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`},
		{"update version garbage", update(lease("g", withVersion("abc"))), 500, "",
			`strconv.ParseUint: parsing "abc": invalid syntax`},
		{"update future version", update(lease("g", withVersion("99"))), 409, "Conflict", conflict("g", modified)},
		{"update stale and invalid", update(lease("g", withVersion("99"), withDuration(0))), 409, "Conflict",
			conflict("g", modified)},
		{"update wrong uid", update(lease("g", withVersion("1"), withUID(stranger))), 409, "Conflict",
			precondition("g", string(stranger), string(uidOf(1)))},
		{"update deleted", update(lease("d", withVersion("2"), withUID(uidOf(2)))), 409, "Conflict",
			precondition("d", string(uidOf(2)), "")},
		{"delete missing", remove("d", nil), 404, "NotFound", `leases.coordination.k8s.io "d" not found`},
		{"delete wrong uid", remove("g", metav1.NewUIDPreconditions(string(stranger))), 409, "Conflict",
			`Operation cannot be fulfilled on Lease.coordination.k8s.io "g": the UID in the precondition (` +
				string(stranger) + `) does not match the UID in record (` + string(uidOf(1)) +
				`). The object might have been deleted and then recreated`},
		{"delete wrong version", remove("g", metav1.NewRVDeletionPrecondition("9").Preconditions), 409, "Conflict",
			`Operation cannot be fulfilled on Lease.coordination.k8s.io "g": the ResourceVersion in the ` +
				`precondition (9) does not match the ResourceVersion in record (1). The object might have been modified`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var s Server
			leases := s.Clientset().CoordinationV1().Leases("default")
			require.NoError(t, create(lease("g"))(leases))
			require.NoError(t, create(lease("d"))(leases))
			require.NoError(t, remove("d", metav1.NewUIDPreconditions(string(uidOf(2))))(leases))
			err := c.request(leases)
			var status apierrors.APIStatus
			require.ErrorAs(t, err, &status)
			assert.Equal(t, c.message, status.Status().Message)
			assert.Equal(t, c.reason, status.Status().Reason)
			assert.Equal(t, c.code, status.Status().Code)
		})
	}
}

func TestCauses(t *testing.T) {
	var s Server
	_, err := s.Clientset().CoordinationV1().Leases("default").Create(ctx,
		lease("m", withDuration(0), withTransitions(-1)), metav1.CreateOptions{})
	var status apierrors.APIStatus
	require.ErrorAs(t, err, &status)
	assert.Equal(t, &metav1.StatusDetails{
		Name: "m", Group: "coordination.k8s.io", Kind: "Lease",
		Causes: []metav1.StatusCause{
			{Type: "FieldValueInvalid", Message: "Invalid value: 0: must be greater than 0",
				Field: "spec.leaseDurationSeconds"},
			{Type: "FieldValueInvalid", Message: "Invalid value: -1: must be greater than or equal to 0",
				Field: "spec.leaseTransitions"},
		},
	}, status.Status().Details)
}

func TestLifeOfALease(t *testing.T) {
	var s Server
	leases := s.Clientset().CoordinationV1().Leases("default")
	l, err := leases.Create(ctx, lease("g"), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "1", l.ResourceVersion)
	assert.Equal(t, "00000000-0000-4000-8000-000000000001", string(l.UID))
	assert.Equal(t, when.Truncate(time.Microsecond), l.Spec.RenewTime.UTC(), "microseconds on the wire")

	same, err := leases.Update(ctx, l.DeepCopy(), metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, l, same, "an update that changes nothing keeps the version")

	withHolder("")(l)
	l.Spec.AcquireTime = nil
	released, err := leases.Update(ctx, l, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "2", released.ResourceVersion)
	assert.Equal(t, ptr.To(""), released.Spec.HolderIdentity)
	assert.Nil(t, released.Spec.AcquireTime)

	// Deleting takes a version, and without a uid an update of nothing creates.
	require.NoError(t, leases.Delete(ctx, "g", metav1.DeleteOptions{}))
	again, err := leases.Update(ctx, lease("g", withVersion("2")), metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "4", again.ResourceVersion)
	assert.NotEqual(t, l.UID, again.UID)
	_, err = leases.Update(ctx, released, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "of another life: %v", err)

	// Another client, another namespace.
	other := s.Clientset().CoordinationV1()
	got, err := other.Leases("default").Get(ctx, "g", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, again, got)
	_, err = other.Leases("elsewhere").Get(ctx, "g", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err))
}

func TestWhatIsRefused(t *testing.T) {
	var s Server
	leases := s.Clientset().CoordinationV1().Leases("default")
	_, err := leases.List(ctx, metav1.ListOptions{})
	assert.True(t, apierrors.IsMethodNotSupported(err), "%v", err)
	_, err = leases.Watch(ctx, metav1.ListOptions{})
	assert.True(t, apierrors.IsMethodNotSupported(err), "%v", err)
	_, err = leases.Patch(ctx, "g", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})
	assert.True(t, apierrors.IsMethodNotSupported(err), "%v", err)
	_, err = leases.Update(ctx, lease(""), metav1.UpdateOptions{})
	assert.ErrorIs(t, err, errNoName)
}

// race has n candidates update, each with client-go's own lock, on the version that all of them
// have read. It returns how many were told that they succeeded.
func race(t *testing.T, n int, client func() clientset.Interface) (won int) {
	t.Helper()
	_, err := client().CoordinationV1().Leases("default").Create(ctx, lease("g"), metav1.CreateOptions{})
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
	var s Server
	assert.Equal(t, 1, race(t, n, func() clientset.Interface { return s.Clientset() }))

	stock := fake.NewSimpleClientset()
	assert.Equal(t, n, race(t, n, func() clientset.Interface { return stock }),
		"the stock fake takes every stale update")
}
