package elector_test

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/simlock/fakekube"
)

// A program that leads, does its work and leaves. With a real cluster the client is
// kubernetes.NewForConfig's.
func Example() {
	var server fakekube.Server
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "example"},
		Client:     server.Clientset().CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: "pod-1"},
	}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	defer cancel()

	done := make(chan struct{})
	elector.RunOrDie(ctx, elector.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: elector.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				fmt.Println("working")
				close(done) // The work is over before the lease is given up.
				cancel()
			},
			OnStoppedLeading: func() { <-done; fmt.Println("stopped leading") },
		},
	})
	record, _, err := lock.Get(context.Background())
	fmt.Printf("the lease is held by %q, error %v\n", record.HolderIdentity, err)
	// Output:
	// working
	// stopped leading
	// the lease is held by "", error <nil>
}
