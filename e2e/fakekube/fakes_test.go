package fakekube_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	crfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"interregnum/simlock/fakekube"
)

// api is what the fakes have in common: an object is filled in with the answer.
type api interface {
	create(l *coordinationv1.Lease) error
	update(l *coordinationv1.Lease) error
	delete(name, version string) error
	get(name string) (*coordinationv1.Lease, error)
}

type byClientset struct{ kubernetes.Interface }

func (c byClientset) create(l *coordinationv1.Lease) error {
	got, err := c.CoordinationV1().Leases("default").Create(context.Background(), l, metav1.CreateOptions{})
	return fill(l, got, err)
}

func (c byClientset) update(l *coordinationv1.Lease) error {
	got, err := c.CoordinationV1().Leases("default").Update(context.Background(), l, metav1.UpdateOptions{})
	return fill(l, got, err)
}

func fill(l, got *coordinationv1.Lease, err error) error {
	if err == nil {
		*l = *got
	}
	return err
}

func (c byClientset) delete(name, version string) error {
	options := metav1.DeleteOptions{}
	if version != "" {
		options.Preconditions = &metav1.Preconditions{ResourceVersion: &version}
	}
	return c.CoordinationV1().Leases("default").Delete(context.Background(), name, options)
}

func (c byClientset) get(name string) (*coordinationv1.Lease, error) {
	return c.CoordinationV1().Leases("default").Get(context.Background(), name, metav1.GetOptions{})
}

type byClient struct{ client.Client }

func (c byClient) create(l *coordinationv1.Lease) error { return c.Create(context.Background(), l) }
func (c byClient) update(l *coordinationv1.Lease) error { return c.Update(context.Background(), l) }
func (c byClient) delete(name, version string) error {
	l := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	if version == "" {
		return c.Delete(context.Background(), l)
	}
	return c.Delete(context.Background(), l, client.Preconditions{ResourceVersion: &version})
}

func (c byClient) get(name string) (*coordinationv1.Lease, error) {
	var l coordinationv1.Lease
	err := c.Get(context.Background(), client.ObjectKey{Namespace: "default", Name: name}, &l)
	return &l, err
}

func lease(name string) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: ptr.To("a"), LeaseDurationSeconds: ptr.To(int32(15)),
			RenewTime: ptr.To(metav1.NewMicroTime(time.Unix(1, 123456789))),
		},
	}
}

// TestFakes is the table of docs/electiontest.md: what each fake does, 0 for taken. The first column is what a real
// kube-apiserver was recorded to do.
func TestFakes(t *testing.T) {
	fakes := []func() api{
		func() api { return byClientset{new(fakekube.Server).Clientset()} },
		func() api { return byClientset{fake.NewClientset()} },
		func() api { return byClient{crfake.NewFakeClient()} },
	}
	code := func(err error) any { return codeOf(err) }
	for _, c := range []struct {
		what string
		do   func(t *testing.T, a api) any
		want [3]any
	}{
		{"a stale update", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			stale := l.DeepCopy()
			l.Spec.HolderIdentity = ptr.To("b")
			require.NoError(t, a.update(l))
			return code(a.update(stale))
		}, [3]any{409, 0, 409}},
		{"an identical update keeps the version", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			version := l.ResourceVersion
			require.NoError(t, a.update(l))
			return version == l.ResourceVersion && version != ""
		}, [3]any{true, false, false}},
		{"one counter for all objects", func(t *testing.T, a api) any {
			l, m := lease("g"), lease("h")
			require.NoError(t, a.create(l))
			require.NoError(t, a.create(m))
			return l.ResourceVersion != m.ResourceVersion
		}, [3]any{true, false, false}},
		{"an update without a version", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			l.ResourceVersion = ""
			l.Spec.HolderIdentity = ptr.To("b")
			return code(a.update(l))
		}, [3]any{422, 0, 409}},
		{"an update after a delete", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			require.NoError(t, a.delete("g", ""))
			return code(a.update(l))
		}, [3]any{409, 404, 404}},
		{"a create with a version", func(_ *testing.T, a api) any {
			l := lease("g")
			l.ResourceVersion = "5"
			return code(a.create(l))
		}, [3]any{500, 0, 400}},
		{"a duration of 0", func(_ *testing.T, a api) any {
			l := lease("g")
			l.Spec.LeaseDurationSeconds = ptr.To(int32(0))
			return code(a.create(l))
		}, [3]any{422, 0, 0}},
		{"a delete of another version", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			return code(a.delete("g", "99"))
		}, [3]any{409, 0, 409}},
		{"a uid is given", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			return l.UID != ""
		}, [3]any{true, false, false}},
		{"times have microseconds", func(t *testing.T, a api) any {
			l := lease("g")
			require.NoError(t, a.create(l))
			l, err := a.get("g")
			require.NoError(t, err)
			return l.Spec.RenewTime.Nanosecond() == 123456000
		}, [3]any{true, false, true}},
	} {
		for i, f := range fakes {
			assert.Equal(t, c.want[i], c.do(t, f()), "%s: fake %d", c.what, i)
		}
	}
}

func codeOf(err error) int {
	if err == nil {
		return 0
	}
	if status, ok := err.(apierrors.APIStatus); ok {
		return int(status.Status().Code)
	}
	return -1
}

// TestWatchAfterList: what was deleted between a list and the watch from its version is missed with the stock fake.
func TestWatchAfterList(t *testing.T) {
	for i, c := range []kubernetes.Interface{new(fakekube.Server).Clientset(), fake.NewClientset()} {
		a, leases := byClientset{c}, c.CoordinationV1().Leases("default")
		require.NoError(t, a.create(lease("g")))
		list, err := leases.List(context.Background(), metav1.ListOptions{})
		require.NoError(t, err)
		require.NoError(t, a.delete("g", ""))
		w, err := leases.Watch(context.Background(), metav1.ListOptions{ResourceVersion: list.ResourceVersion})
		require.NoError(t, err)
		assert.Len(t, w.ResultChan(), []int{1, 0}[i])
		w.Stop()
	}
}
