package electiontest_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/electiontest"
)

// aided is a candidate whose OnStartedLeading does a job, and leaves an informer behind that calls handle.
func aided(handle func(context.Context, kubernetes.Interface)) func(context.Context, *electiontest.Candidate) {
	return func(ctx context.Context, c *electiontest.Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{OnStoppedLeading: func() {}, OnStartedLeading: func(ctx context.Context) {
			client := c.Clientset()
			factory := informers.NewSharedInformerFactory(client, 0)
			_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { handle(ctx, client) }})
			if err != nil {
				panic(err)
			}
			factory.Start(ctx.Done())
			time.Sleep(5 * time.Second)
		}}))
	}
}

// write creates a ConfigMap, if it is not there.
func write(ctx context.Context, client kubernetes.Interface, name string) {
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, _ = client.CoreV1().ConfigMaps("default").Create(ctx, m, metav1.CreateOptions{})
}

// TestAides: an informer that OnStartedLeading leaves behind does no work.
func TestAides(t *testing.T) {
	electiontest.Run(t, electiontest.Scenario(1, time.Minute), aided(func(context.Context, kubernetes.Interface) {}))
}

// TestFailingAides: the handler of an informer that OnStartedLeading leaves behind writes.
func TestFailingAides(t *testing.T) {
	failing(t)
	electiontest.Run(t, electiontest.Scenario(1, time.Minute), func(ctx context.Context, c *electiontest.Candidate) {
		time.AfterFunc(10*time.Second, func() { write(ctx, c.Clientset(), "first") })
		aided(func(ctx context.Context, client kubernetes.Interface) { write(ctx, client, "second") })(ctx, c)
	})
}
