package elector_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/elector/sqllock"
	"interregnum/simlock/fakekube"
)

// A LeaderElector can be asked, and watched by a liveness probe.
func ExampleNewLeaderElector() {
	var server fakekube.Server
	watchDog := elector.NewLeaderHealthzAdaptor(5 * time.Second)
	e, err := elector.NewLeaderElector(elector.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "example"},
			Client:     server.Clientset().CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "pod-1"},
		},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		WatchDog: watchDog,
		Callbacks: elector.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { <-ctx.Done() }, // the work returns when its context ends
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		log.Fatal(err) // it names the field
	}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	done := make(chan struct{})
	go func() { e.Run(ctx); close(done) }()
	for !e.IsLeader() {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(e.GetLeader(), "leads; healthy:", watchDog.Check(nil) == nil)
	cancel()
	<-done
	fmt.Println("it leads:", e.IsLeader())
	// Output:
	// pod-1 leads; healthy: true
	// it leads: false
}

// A lock that expires by itself, in a row of PostgreSQL.
func ExampleRunUntilTTL() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://app@db.example.com/app") // import _ "github.com/jackc/pgx/v5/stdlib"
	if err != nil {
		log.Fatal(err)
	}
	lock, err := sqllock.New(db, sqllock.Config{
		Dialect: sqllock.PostgreSQL, Table: "leases", Key: "reports", Identity: "host-1", TTL: 15 * time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
	err = elector.RunUntilTTL(ctx, elector.TTLConfig{
		Lock: lock, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	}, func(ctx context.Context) error {
		token, _ := elector.FencingToken(ctx)
		_, err := db.ExecContext(ctx, "UPDATE report SET text = $1, token = $2 WHERE token <= $2", "…", token)
		return err
	})
	if err != nil {
		log.Print(err)
	}
}
