// Package fakekube_test runs a real sigs.k8s.io/controller-runtime manager over interregnum/simlock/fakekube.
package fakekube_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"interregnum/simlock/fakekube"
)

// cluster is some managers on one server.
type cluster struct {
	t      *testing.T
	server fakekube.Server

	mu sync.Mutex
	// did is what each manager's controller has reconciled.
	did map[string][]string
}

// manager is one of them, that runs.
type manager struct {
	cancel context.CancelFunc
	over   chan error
}

// start runs a manager whose controller marks each ConfigMap with its name: it reads through the cache and
// writes with the client.
func (c *cluster) start(id string, edit func(*ctrl.Options)) *manager {
	options := ctrl.Options{
		Logger:  logr.Discard(),
		Metrics: server.Options{BindAddress: "0"},
		// Many managers are in one process here.
		Controller:              config.Controller{SkipNameValidation: ptr.To(true)},
		LeaderElection:          true,
		LeaderElectionID:        "lock",
		LeaderElectionNamespace: "default",
	}
	if edit != nil {
		edit(&options)
	}
	m, err := ctrl.NewManager(c.server.ConfigFor(id), options)
	require.NoError(c.t, err)
	require.NoError(c.t, ctrl.NewControllerManagedBy(m).For(&corev1.ConfigMap{}).Complete(
		reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, c.reconcile(ctx, m.GetClient(), id, q)
		})))
	ctx, cancel := context.WithCancel(context.Background())
	running := &manager{cancel, make(chan error, 1)}
	go func() { running.over <- m.Start(ctx) }()
	return running
}

func (c *cluster) reconcile(ctx context.Context, cl client.Client, id string, q reconcile.Request) error {
	var m corev1.ConfigMap
	if err := cl.Get(ctx, q.NamespacedName, &m); err != nil {
		return client.IgnoreNotFound(err)
	}
	if m.Data["by"] != "" {
		return nil
	}
	m.Data = map[string]string{"by": id}
	if err := cl.Update(ctx, &m); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[id] = append(c.did[id], q.Name)
	return nil
}

// create makes a ConfigMap and returns who has reconciled it after a while.
func (c *cluster) create(name string) string {
	maps := c.server.Clientset().CoreV1().ConfigMaps("default")
	_, err := maps.Create(context.Background(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	require.NoError(c.t, err)
	time.Sleep(time.Second)
	synctest.Wait()
	m, err := maps.Get(context.Background(), name, metav1.GetOptions{})
	require.NoError(c.t, err)
	return m.Data["by"]
}

func (c *cluster) holder() string {
	l, err := c.server.Clientset().CoordinationV1().Leases("default").Get(
		context.Background(), "lock", metav1.GetOptions{})
	require.NoError(c.t, err)
	return *l.Spec.HolderIdentity
}

func bubble(t *testing.T, test func(c *cluster)) {
	log.SetLogger(logr.Discard())
	synctest.Test(t, func(t *testing.T) {
		test(&cluster{t: t, did: map[string][]string{}})
	})
}

// TestManagers: the leader's controller works and no other; when it is cut off, it ends and another takes over.
func TestManagers(t *testing.T) {
	bubble(t, func(c *cluster) {
		managers := map[string]*manager{}
		for i := range 3 {
			id := fmt.Sprintf("m%d", i)
			managers[id] = c.start(id, nil)
			time.Sleep(time.Second)
		}
		assert.Equal(t, "m0", c.create("first"))
		time.Sleep(time.Minute)
		assert.Equal(t, "m0", c.create("second"))

		heal := c.server.Inject(fakekube.Fault{User: "m0", LoseRequest: true})
		time.Sleep(20 * time.Second)
		assert.ErrorContains(t, <-managers["m0"].over, "leader election lost")
		by := c.create("third")
		assert.Contains(t, []string{"m1", "m2"}, by)
		assert.Equal(t, []string{"first", "second"}, c.did["m0"])
		assert.Equal(t, []string{"third"}, c.did[by])
		heal()
		for _, id := range []string{"m1", "m2"} {
			managers[id].cancel()
			assert.NoError(t, <-managers[id].over)
		}
		time.Sleep(time.Minute) // m0's event was lost too, and is sent again
	})
}

// TestLockInterface hands the manager a lock on client-go's fake clientset.
func TestLockInterface(t *testing.T) {
	bubble(t, func(c *cluster) {
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "lock"},
			Client:     c.server.ClientsetFor("m0").CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "it"},
		}
		m := c.start("m0", func(o *ctrl.Options) { o.LeaderElectionResourceLockInterface = lock })
		time.Sleep(time.Second)
		assert.Equal(t, "m0", c.create("first"))
		assert.Equal(t, "it", c.holder())
		m.cancel()
		assert.NoError(t, <-m.over)
	})
}
