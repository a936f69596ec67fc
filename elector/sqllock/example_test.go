package sqllock_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"time"

	"interregnum/elector"
	"interregnum/elector/sqllock"
)

// One of the processes on this host works at a time. Others that share the file wait, and one of them takes over.
func ExampleNew() {
	ctx := context.Background()
	// import _ "modernc.org/sqlite"
	db, err := sql.Open("sqlite", "file:/var/lib/app/locks?_pragma=busy_timeout(1000)")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxIdleConns(-1) // each request opens the file anew: somebody may have replaced it
	lock, err := sqllock.New(db, sqllock.Config{
		Dialect: sqllock.SQLite, Table: "leases", Key: "reports", Identity: "process-1", TTL: 15 * time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := lock.CreateTable(ctx); err != nil {
		log.Fatal(err)
	}
	config := elector.TTLConfig{Lock: lock, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
	err = elector.RunUntilTTL(ctx, config, func(ctx context.Context) error {
		token, _ := elector.FencingToken(ctx)
		fmt.Println("leading, with token", token)
		return nil
	})
	if err != nil {
		log.Print(err)
	}
}
