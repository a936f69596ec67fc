package etcdlock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"interregnum/elector/etcdlock"
	"interregnum/elector/ttl"
)

// One of those that call this at the same time does the work. To wait for the key, and to keep it for longer than it lasts, give
// the lock to elector.RunUntilTTL.
func ExampleNew() {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"https://etcd.example.com:2379"}})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	lock, err := etcdlock.New(client, "locks/reports", "host-1", time.Minute)
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second) // counted from before the key is made
	defer cancel()
	switch entry, err := lock.Create(ctx); {
	case errors.Is(err, ttl.ErrTaken):
		fmt.Println("another does it")
	case err != nil:
		log.Print(err)
	default:
		fmt.Println("working, with fencing token", entry.Token)
	}
	if err := lock.Release(ctx); err != nil && !errors.Is(err, ttl.ErrLost) {
		log.Print(err)
	}
}
