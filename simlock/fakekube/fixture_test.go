package fakekube_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"interregnum/simlock/fakekube"
)

func claim(name string) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: "given"},
		Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimLost},
	}
}

// TestFixtures: what a clientset is given is there for all clients, with its uid and status, and obeys the rules from then
// on.
func TestFixtures(t *testing.T) {
	ctx := context.Background()
	var server fakekube.Server
	claims := server.ClientsetFor("a", claim("one"), &corev1.PersistentVolumeClaimList{
		Items: []corev1.PersistentVolumeClaim{*claim("two")},
	}).CoreV1().PersistentVolumeClaims("default")
	for _, name := range []string{"one", "two"} {
		c, err := server.ClientsetFor("b").CoreV1().PersistentVolumeClaims("default").Get(ctx, name, metav1.GetOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, "given", c.UID)
		assert.Equal(t, corev1.ClaimLost, c.Status.Phase)
		assert.NotEmpty(t, c.ResourceVersion)
		assert.False(t, c.CreationTimestamp.IsZero())
	}
	stale, err := claims.Get(ctx, "one", metav1.GetOptions{})
	require.NoError(t, err)
	now := stale.DeepCopy()
	now.Labels = map[string]string{"new": "label"}
	_, err = claims.Update(ctx, now, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = claims.Update(ctx, stale, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
}

// TestFixtureVersions: what a clientset is given is at its own version, so that a test which updates its copy is not behind;
// what has none, or comes after the first request, is at the next one. Versions go on after the highest.
func TestFixtureVersions(t *testing.T) {
	ctx := context.Background()
	versioned := func(name, version string) *corev1.PersistentVolumeClaim {
		c := claim(name)
		c.ResourceVersion = version
		return c
	}
	var server fakekube.Server
	mine := versioned("a", "7")
	claims := server.Clientset(mine, versioned("b", "7"), versioned("c", "3"), versioned("d", ""), versioned("e", "none"),
		versioned("f", "18446744073709551615")).CoreV1().PersistentVolumeClaims("default")
	list, err := claims.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	got := map[string]string{"list": list.ResourceVersion}
	for _, c := range list.Items {
		got[c.Name] = c.ResourceVersion
	}
	assert.Equal(t, map[string]string{"a": "7", "b": "7", "c": "3", "d": "8", "e": "9", "f": "10", "list": "10"}, got)

	for version, want := range map[string][]string{
		"0": {"a", "b", "c", "d", "e", "f"}, "2": {"c", "a", "b", "d", "e", "f"}, "3": {"a", "b", "d", "e", "f"}, "7": {"d", "e", "f"},
	} {
		watch, err := claims.Watch(ctx, metav1.ListOptions{ResourceVersion: version})
		require.NoError(t, err)
		require.Len(t, watch.ResultChan(), len(want), "from version %s", version)
		for _, name := range want {
			assert.Equal(t, name, (<-watch.ResultChan()).Object.(*corev1.PersistentVolumeClaim).Name, "from version %s", version)
		}
		watch.Stop()
	}

	mine.Labels = map[string]string{"new": "label"}
	updated, err := claims.Update(ctx, mine, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "11", updated.ResourceVersion)
	_, err = claims.Update(ctx, mine, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	require.NoError(t, server.Add(versioned("late", "5")), "as if written now: somebody may be watching")
	late, err := claims.Get(ctx, "late", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "12", late.ResourceVersion)
	require.NoError(t, server.Add(versioned("later", "20")))
	later, err := claims.Get(ctx, "later", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "20", later.ResourceVersion)
}

// TestFixturesRefused: an object that cannot be added makes every request of its client that asks for it fail and say so: a
// test must not go on without it. What the test never asks for is no obstacle.
func TestFixturesRefused(t *testing.T) {
	ctx := context.Background()
	nameless, nowhere := claim(""), claim("one")
	nowhere.Namespace = ""
	for _, c := range []struct {
		want, name string
		objects    []runtime.Object
	}{
		{"object 0 (*v1.PersistentVolumeClaim): want a name", "", []runtime.Object{nameless}},
		{`persistentvolumeclaims "one": want a namespace`, "one", []runtime.Object{nowhere}},
		{"object 1 (*v1.PersistentVolumeClaim): persistentvolumeclaims", "one", []runtime.Object{claim("one"), claim("one")}},
	} {
		var server fakekube.Server
		core := server.Clientset(append(c.objects, claim("other"))...).CoreV1()
		claims := core.PersistentVolumeClaims("default")
		_, err := claims.Get(ctx, c.name, metav1.GetOptions{})
		assert.ErrorContains(t, err, c.want)
		_, err = core.PersistentVolumeClaims("").Get(ctx, c.name, metav1.GetOptions{})
		assert.ErrorContains(t, err, c.want, "and not only that a real client does not send it")
		_, err = claims.Create(ctx, claim(c.name), metav1.CreateOptions{})
		assert.ErrorContains(t, err, c.want)
		_, err = claims.List(ctx, metav1.ListOptions{})
		assert.ErrorContains(t, err, c.want)
		_, err = claims.Watch(ctx, metav1.ListOptions{})
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, claims.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}), c.want)
		_, err = claims.Get(ctx, "other", metav1.GetOptions{})
		assert.NoError(t, err, "another claim")
		_, err = core.Pods("default").List(ctx, metav1.ListOptions{})
		assert.NoError(t, err, "no claim was asked for")
	}
}

// TestFixturesOfNoResource: of an object that is of no resource nobody knows who would ask for it.
func TestFixturesOfNoResource(t *testing.T) {
	for want, objects := range map[string][]runtime.Object{
		"object 0 (*v1.Status): the server has no resource of that type": {&metav1.Status{}},
		"object 0 (<nil>): want an object, got nil":                      {nil},
	} {
		var server fakekube.Server
		client := server.Clientset(objects...)
		_, err := client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
		assert.ErrorContains(t, err, want)
		_, err = client.Discovery().ServerResourcesForGroupVersion("v1")
		assert.ErrorContains(t, err, want)
	}
}

// TestStatusOfOddName: a fixture may have a name that no create would take. A real server looks at it again in an update, but not
// in one of the status.
func TestStatusOfOddName(t *testing.T) {
	ctx := context.Background()
	var server fakekube.Server
	odd := claim("Odd")
	claims := server.Clientset(odd).CoreV1().PersistentVolumeClaims("default")
	odd.Status.Phase = corev1.ClaimBound
	got, err := claims.UpdateStatus(ctx, odd, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.ClaimBound, got.Status.Phase)
	got.Labels = map[string]string{"new": "label"}
	_, err = claims.Update(ctx, got, metav1.UpdateOptions{})
	assert.ErrorContains(t, err, `metadata.name: Invalid value: "Odd": a lowercase RFC 1123 subdomain`)
}

// TestDeleteCollection: client-go's fake has a name of its own for this verb.
func TestDeleteCollection(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx := context.Background()
		claims := client.CoreV1().PersistentVolumeClaims("default")
		gone := claim("gone")
		gone.Labels = map[string]string{"delete": "me"}
		require.NoError(t, server.Add(gone, claim("kept")))
		which := metav1.ListOptions{LabelSelector: "delete=me"}

		remove := server.Inject(fakekube.Fault{Verb: "deletecollection", Status: 403})
		err := claims.DeleteCollection(ctx, metav1.DeleteOptions{}, which)
		require.True(t, apierrors.IsForbidden(err), "%v", err)
		remove()
		require.NoError(t, claims.DeleteCollection(ctx, metav1.DeleteOptions{}, which))
		left, err := claims.List(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		require.Len(t, left.Items, 1)
		require.Equal(t, "kept", left.Items[0].Name)
	})
}

// TestTracker: what is written through the clientset's tracker is in the server: there is no second store.
func TestTracker(t *testing.T) {
	ctx := context.Background()
	var server fakekube.Server
	client := server.Clientset()
	claims := client.CoreV1().PersistentVolumeClaims("default")
	watch, err := claims.Watch(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	defer watch.Stop()
	require.NoError(t, client.Tracker().Add(claim("one")))
	require.Len(t, watch.ResultChan(), 1)

	resource := corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")
	changed := claim("one")
	changed.Status.Phase = corev1.ClaimBound
	require.NoError(t, client.Tracker().Update(resource, changed, "default"))
	read, err := claims.Get(ctx, "one", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.ClaimBound, read.Status.Phase)
	tracked, err := client.Tracker().Get(resource, "default", "one")
	require.NoError(t, err)
	assert.Equal(t, read, tracked)

	assert.True(t, apierrors.IsAlreadyExists(client.Tracker().Create(resource, changed, "default")))
	assert.True(t, apierrors.IsNotFound(client.Tracker().Update(resource, claim("two"), "default")))
	require.NoError(t, client.Tracker().Delete(resource, "default", "one"))
	_, err = claims.Get(ctx, "one", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err))
	require.NoError(t, client.Tracker().Add(&corev1.PersistentVolumeClaimList{
		Items: []corev1.PersistentVolumeClaim{*claim("two"), *claim("three")}}))
	list, err := claims.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	assert.Len(t, list.Items, 2)
	assert.ErrorContains(t, client.Tracker().Add(&metav1.Status{}), "no resource of that type")
}
