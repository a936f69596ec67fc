package kubelock_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/simlock/fakekube"
)

// The second step of moving from a ConfigMap to a Lease: both say who leads. With a real cluster the client is
// kubernetes.NewForConfig's; the lock goes into client-go's own leaderelection just as well.
func ExampleNew() {
	var server fakekube.Server
	client := server.Clientset()
	lock, err := kubelock.New(kubelock.ConfigMapsLeasesResourceLock, "default", "example",
		client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: "pod-1"})
	if err != nil {
		log.Fatal(err)
	}
	ctx := klog.NewContext(context.Background(), logr.Discard())
	err = elector.RunUntil(ctx, elector.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	}, func(ctx context.Context) error {
		m, _ := client.CoreV1().ConfigMaps("default").Get(ctx, "example", metav1.GetOptions{})
		l, _ := client.CoordinationV1().Leases("default").Get(ctx, "example", metav1.GetOptions{})
		fmt.Println(len(m.Annotations), "annotation, and the lease is of", *l.Spec.HolderIdentity)
		return nil
	})
	fmt.Println("over:", err)
	// Output:
	// 1 annotation, and the lease is of pod-1
	// over: <nil>
}
