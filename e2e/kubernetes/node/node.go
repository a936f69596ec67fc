//go:build linux

// Package node is a virtual node for tests: it takes the place of a scheduler, a kubelet and a container runtime. Pods run
// as local processes.
//
// A process has the command, environment, user, working directory and volumes that its pod says. Its root is the image's
// files alone, read-only where the pod says so, and its process ID is 1, as in a container. It has the network of the
// machine, and no limits. Pods have one container, and claims on host paths for volumes; no container is started twice.
package node

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Image describes a container image: the files in it, and what a container of it runs.
type Image struct {
	// Files maps the paths of files in the image to those of files here, in the same file system as the test's folders.
	Files map[string]string
	// Folders are empty ones. WorkingDir is among them, or "/".
	Folders    []string
	WorkingDir string
	Entrypoint []string
}

// Node is a virtual node. All pods that name no node are bound to it.
type Node struct {
	client kubernetes.Interface
	name   string
	images map[string]Image
	dir    string

	mu sync.Mutex
	// placed are the pods that were seen before they were bound.
	placed map[types.UID]bool
	pods   map[types.UID]*pod
	// running is for those goroutines that have a pod.
	running sync.WaitGroup
}

// Start registers a node, which works until the context or the test ends. images has, by name, the images that it can
// run.
func Start(ctx context.Context, t testing.TB, config *rest.Config, name string, images map[string]Image) *Node {
	t.Helper()
	n := &Node{
		client: kubernetes.NewForConfigOrDie(config), name: name, images: images, dir: t.TempDir(),
		placed: map[types.UID]bool{}, pods: map[types.UID]*pod{},
	}
	ctx, cancel := context.WithCancel(ctx)
	logs := n.serveLogs()
	require.NoError(t, n.register(ctx, logs.Listener.Addr()))
	factory := informers.NewSharedInformerFactory(n.client, 0)
	_, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { n.see(ctx, o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { n.see(ctx, o.(*corev1.Pod)) },
	})
	require.NoError(t, err)
	factory.Start(ctx.Done())
	t.Cleanup(func() {
		cancel()
		factory.Shutdown()
		n.running.Wait()
		logs.Close()
	})
	return n
}

// see acts on the present state of a pod, as the informer shows it: it begins to bind or run the pod, or makes it stop. It
// ignores pods of other nodes, and pods that had begun to run before the node was there. It is called for one pod at a time.
func (n *Node) see(ctx context.Context, seen *corev1.Pod) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch p := n.pods[seen.UID]; {
	case p != nil:
		if seen.DeletionTimestamp != nil {
			p.stop(time.Duration(*seen.DeletionGracePeriodSeconds) * time.Second)
		}
	case seen.DeletionTimestamp != nil:
	case seen.Spec.NodeName == "" && !n.placed[seen.UID]:
		n.placed[seen.UID] = true
		n.running.Go(func() { n.place(ctx, seen) })
	case seen.Spec.NodeName == n.name && seen.Status.Phase == corev1.PodPending:
		p := newPod(seen, n.files(seen.UID))
		n.pods[seen.UID] = p
		n.running.Go(func() { n.run(ctx, p) })
	}
}

// Kill kills the process of a pod with SIGKILL, as the kernel does when memory runs out. When the process has ended, the node
// calls meanwhile, and only then tells the API server. Kill returns false if there was no process to kill.
func (n *Node) Kill(uid types.UID, meanwhile func()) bool {
	n.mu.Lock()
	p := n.pods[uid]
	n.mu.Unlock()
	return p != nil && p.kill(meanwhile)
}

// Log returns what a pod has written so far, even if the pod has gone. It returns an error if the pod was never started.
func (n *Node) Log(uid types.UID) (string, error) {
	text, err := os.ReadFile(n.files(uid) + ".log")
	return string(text), err
}

// files returns the folder of a pod's files. The pod's log is the file beside it with the extension .log.
func (n *Node) files(uid types.UID) string { return filepath.Join(n.dir, string(uid)) }
