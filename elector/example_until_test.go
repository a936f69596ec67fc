package elector_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/simlock/fakekube"
)

// register is a resource that fences: it takes no token below the highest it has seen.
type register struct {
	highest uint64
	value   string
}

func (r *register) write(token uint64, value string) error {
	if token < r.highest {
		return fmt.Errorf("stale token %d: %d was here", token, r.highest)
	}
	r.highest, r.value = token, value
	return nil
}

// Work that fails once, is tried again in a new term, and is done. A controller would be
//
//	elector.RunUntil(ctx, config, manager.Start)
func ExampleRunUntil() {
	var server fakekube.Server
	ctx := klog.NewContext(context.Background(), logr.Discard())
	config := elector.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "example"},
			Client:     server.Clientset().CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "pod-1"},
		},
		LeaseDuration: 15 * time.Second,
		RenewDeadline: 10 * time.Second,
		RetryPeriod:   10 * time.Millisecond, // also the first wait after a failure
		OnWorkError:   func(err error) { fmt.Println("failed:", err) },
	}
	terms := 0
	err := elector.RunUntil(ctx, config, func(context.Context) error {
		if terms++; terms == 1 {
			return errors.New("no disk")
		}
		fmt.Println("worked in term", terms)
		return nil
	})
	fmt.Println("over:", err)
	// Output:
	// failed: no disk
	// worked in term 2
	// over: <nil>
}

func ExampleFencingToken() {
	var server fakekube.Server
	var guarded register
	var old uint64
	ctx := klog.NewContext(context.Background(), logr.Discard())
	for _, pod := range []string{"pod-1", "pod-2"} {
		config := elector.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "example"},
				Client:     server.Clientset().CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: pod},
			},
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		}
		_ = elector.RunUntil(ctx, config, func(ctx context.Context) error {
			token, ok := elector.FencingToken(ctx)
			fmt.Println(pod, "has a token:", ok, "and writes:", guarded.write(token, pod))
			if old == 0 {
				old = token
			}
			return nil
		})
	}
	refused := guarded.write(old, "pod-1") != nil
	fmt.Println("pod-1 wakes up and writes: refused", refused, "and the value is", guarded.value)
	// Output:
	// pod-1 has a token: true and writes: <nil>
	// pod-2 has a token: true and writes: <nil>
	// pod-1 wakes up and writes: refused true and the value is pod-2
}
