package fakekube

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	informers "k8s.io/client-go/informers/coordination/v1"
	clientset "k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// ready is what a watch has sent, one after the other.
func ready(w watch.Interface) (events []string) {
	for {
		select {
		case e, ok := <-w.ResultChan():
			if !ok {
				return append(events, "closed")
			}
			events = append(events, describe(e))
		default:
			return events
		}
	}
}

func describe(e watch.Event) string {
	switch x := e.Object.(type) {
	case *coordinationv1.Lease:
		return fmt.Sprintf("%s %s@%s%s", e.Type, x.Name, x.ResourceVersion, x.Annotations[metav1.InitialEventsAnnotationKey])
	case *metav1.Status:
		return fmt.Sprintf("%s %d %s %s", e.Type, x.Code, x.Reason, x.Message)
	}
	return fmt.Sprintf("%s %T", e.Type, e.Object)
}

// someHistory leaves a at version 5 and c at 6; b was there from 2 to 4.
func someHistory(t *testing.T, leases typed.LeaseInterface) {
	a, err := leases.Create(ctx, lease("a"), creating) // 1
	require.NoError(t, err)
	_, err = leases.Create(ctx, lease("b", labelled("x", "y")), creating) // 2
	require.NoError(t, err)
	a.Labels = map[string]string{"x": "y"}
	a, err = leases.Update(ctx, a, updating) // 3
	require.NoError(t, err)
	require.NoError(t, leases.Delete(ctx, "b", deleting)) // 4
	a.Labels = nil
	a, err = leases.Update(ctx, a, updating) // 5
	require.NoError(t, err)
	_, err = leases.Update(ctx, a, updating) // identical
	require.NoError(t, err)
	_, err = leases.Create(ctx, lease("c"), creating) // 6
	require.NoError(t, err)
}

func TestWatch(t *testing.T) {
	for _, c := range []struct {
		name    string
		options metav1.ListOptions
		events  []string
	}{
		{"from now", metav1.ListOptions{}, []string{"ADDED a@5", "ADDED c@6"}},
		{"from any", metav1.ListOptions{ResourceVersion: "0"}, []string{"ADDED a@5", "ADDED c@6"}},
		{"from a version", metav1.ListOptions{ResourceVersion: "2"},
			[]string{"MODIFIED a@3", "DELETED b@4", "MODIFIED a@5", "ADDED c@6"}},
		{"of the last version", metav1.ListOptions{ResourceVersion: "6"}, nil},
		{"of a later version", metav1.ListOptions{ResourceVersion: "7"}, nil},
		{"of a name", metav1.ListOptions{ResourceVersion: "1", FieldSelector: "metadata.name=b"},
			[]string{"ADDED b@2", "DELETED b@4"}},
		{"of a label", metav1.ListOptions{ResourceVersion: "1", LabelSelector: "x=y"},
			[]string{"ADDED b@2", "ADDED a@3", "DELETED b@4", "DELETED a@5"}},
		{"with initial events", metav1.ListOptions{SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan},
			[]string{"ADDED a@5", "ADDED c@6", "BOOKMARK @6true"}},
	} {
		var s Server
		leases := s.Clientset().CoordinationV1().Leases("default")
		someHistory(t, leases)
		w, err := leases.Watch(ctx, c.options)
		require.NoError(t, err)
		assert.Equal(t, c.events, ready(w), c.name)
		_, err = s.Clientset().CoordinationV1().Leases("elsewhere").Create(ctx, lease("c"), creating) // 7
		require.NoError(t, err)
		assert.Empty(t, ready(w), "another namespace, and %s", c.name)
		w.Stop()
		w.Stop()
		assert.Equal(t, []string{"closed"}, ready(w))
		assert.Empty(t, s.watchers)
	}
}

func TestWatchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Server
		leases := s.Clientset().CoordinationV1().Leases("default")
		someHistory(t, leases)
		w, err := leases.Watch(ctx, metav1.ListOptions{
			ResourceVersion: "6", TimeoutSeconds: ptr.To(int64(5)), AllowWatchBookmarks: true,
		})
		require.NoError(t, err)
		time.Sleep(5*time.Second - time.Nanosecond)
		assert.Empty(t, ready(w))
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		assert.Equal(t, []string{"BOOKMARK @6", "closed"}, ready(w))

		w, err = leases.Watch(ctx, metav1.ListOptions{ResourceVersion: "6"})
		require.NoError(t, err)
		s.DropWatches()
		assert.Equal(t, []string{"closed"}, ready(w))

		// Too old, first because it was said so and then because much was written.
		s.Compact()
		for range 2 {
			w, err = leases.Watch(ctx, metav1.ListOptions{ResourceVersion: "5"})
			require.NoError(t, err)
			forgotten := s.forgotten
			assert.Equal(t, []string{
				fmt.Sprintf("ERROR 410 Expired too old resource version: 5 (%d)", forgotten), "closed",
			}, ready(w))
			w, err = leases.Watch(ctx, metav1.ListOptions{ResourceVersion: versionText(forgotten)})
			require.NoError(t, err)
			assert.Len(t, ready(w), len(s.history))
			w.Stop()
			for i := range historyLimit + 1 {
				_, err := leases.Create(ctx, lease(fmt.Sprintf("n%d-%d", forgotten, i)), creating)
				require.NoError(t, err)
			}
		}
		assert.Len(t, s.history, historyLimit)
	})
}

// TestWatchOverHTTP ends in each of the ways in which a client can end it, and leaves nothing behind.
func TestWatchOverHTTP(t *testing.T) {
	for name, end := range map[string]func(w watch.Interface, cancel func()){
		"stopped":   func(w watch.Interface, _ func()) { w.Stop() },
		"cancelled": func(_ watch.Interface, cancel func()) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			var s Server
			leases := clientset.NewForConfigOrDie(s.ConfigFor("a")).CoordinationV1().Leases("default")
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			w, err := leases.Watch(ctx, metav1.ListOptions{})
			require.NoError(t, err)
			someHistory(t, leases)
			var got []string
			for range 6 {
				got = append(got, describe(<-w.ResultChan()))
			}
			assert.Equal(t, []string{
				"ADDED a@1", "ADDED b@2", "MODIFIED a@3", "DELETED b@4", "MODIFIED a@5", "ADDED c@6",
			}, got)
			end(w, cancel)
			synctest.Wait()
			assert.Empty(t, s.watchers, name)
			w.Stop()
		})
	}
	// One that is given up before it is answered.
	synctest.Test(t, func(t *testing.T) {
		var s Server
		s.Inject(Fault{Verb: "watch", Request: time.Minute})
		leases := clientset.NewForConfigOrDie(s.ConfigFor("a")).CoordinationV1().Leases("default")
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_, err := leases.Watch(ctx, metav1.ListOptions{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Empty(t, s.watchers)
	})
}

// TestWatchOutlivesContext: if the context of a watch over HTTP ends, a client reads the context's error, as of net/http. client-go says nothing of
// a deadline, and hands on all else.
func TestWatchOutlivesContext(t *testing.T) {
	for want, end := range map[string]func() (context.Context, context.CancelFunc){
		"unable to decode an event from the watch stream: context canceled": func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		},
		"": func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, time.Second) },
	} {
		synctest.Test(t, func(t *testing.T) {
			var s Server
			ctx, cancel := end()
			defer cancel()
			w, err := clientset.NewForConfigOrDie(s.ConfigFor("a")).CoordinationV1().Leases("default").Watch(ctx, metav1.ListOptions{})
			require.NoError(t, err)
			got := ""
			for e := range w.ResultChan() {
				got = apierrors.FromObject(e.Object).Error()
			}
			if want == "" {
				assert.Empty(t, got)
			}
			assert.Contains(t, got, want)
		})
	}
}

// TestSlowWatcher: one that does not read is closed, and loses nothing if it goes on where it was.
func TestSlowWatcher(t *testing.T) {
	var s Server
	leases := s.Clientset().CoordinationV1().Leases("default")
	slow, err := leases.Watch(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	for i := range watchBuffer + 10 {
		_, err := leases.Create(ctx, lease(fmt.Sprintf("n%d", i)), creating)
		require.NoError(t, err)
	}
	events := ready(slow)
	assert.Len(t, events, watchBuffer+1)
	next, err := leases.Watch(ctx, metav1.ListOptions{ResourceVersion: versionText(watchBuffer)})
	require.NoError(t, err)
	assert.Len(t, ready(next), 10)
}

// TestInformer: a shared informer sees every write, in both sorts of client, across ended and expired watches.
func TestInformer(t *testing.T) {
	clients := map[string]func(*Server) clientset.Interface{
		"fake": func(s *Server) clientset.Interface { return s.ClientsetFor("a") },
		"real": func(s *Server) clientset.Interface { return clientset.NewForConfigOrDie(s.ConfigFor("a")) },
	}
	for name, client := range clients {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { informed(t, client) })
		})
	}
}

func informed(t *testing.T, client func(*Server) clientset.Interface) {
	var s Server
	c := client(&s)
	var seen []string
	note := func(what string, obj any) {
		if l, ok := obj.(*coordinationv1.Lease); ok {
			seen = append(seen, what+" "+l.Name+"@"+l.ResourceVersion)
		}
	}
	informer := informers.NewLeaseInformer(c, metav1.NamespaceAll, 0, nil)
	// The default one sleeps, by a clock that was there before the bubble.
	require.NoError(t, informer.SetWatchErrorHandlerWithContext(
		func(context.Context, *cache.Reflector, error) {}))
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { note("add", obj) },
		UpdateFunc: func(_, obj any) { note("update", obj) },
		DeleteFunc: func(obj any) { note("delete", obj) },
	})
	require.NoError(t, err)
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { informer.Run(stop) })
	cache.WaitForCacheSync(stop, informer.HasSynced)
	// Until the watch is there: it begins at version 0, that of an empty server, which means from what is there.
	synctest.Wait()
	leases := c.CoordinationV1().Leases("default")
	someHistory(t, leases)
	synctest.Wait()
	assert.Equal(t, []string{
		"add a@1", "add b@2", "update a@3", "delete b@4", "update a@5", "add c@6",
	}, seen)

	// While no watch is there, much is written, and the history is lost.
	seen = nil
	outage := s.Inject(Fault{Verb: "watch", Status: 503})
	listless := s.Inject(Fault{Verb: "list", Status: 503})
	s.DropWatches()
	require.NoError(t, leases.Delete(ctx, "a", deleting)) // 7
	_, err = leases.Create(ctx, lease("a"), creating)     // 8
	require.NoError(t, err)
	s.Compact()
	time.Sleep(time.Minute)
	assert.Empty(t, seen)
	outage()
	listless()
	time.Sleep(2 * time.Minute)
	synctest.Wait()
	slices.Sort(seen)
	assert.Equal(t, []string{"update a@8", "update c@6"}, seen, "a new list after 410")
	require.NoError(t, leases.Delete(ctx, "c", deleting)) // 9
	synctest.Wait()
	assert.Equal(t, []string{"update a@8", "update c@6", "delete c@9"}, seen)
	close(stop)
	running.Wait()
}
