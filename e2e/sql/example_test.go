package sql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"time"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// Two hosts start the same job at the same time, and one does it. The row is not released: a third that is late finds
// it taken.
func Example_cron() {
	db, err := sql.Open("sqlite", "file:cron?mode=memory&cache=shared")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	for _, host := range []string{"host-1", "host-2", "host-3"} {
		if err := nightly(context.Background(), db, host); err != nil {
			log.Print(err)
		}
	}
	// Output:
	// host-1 does the job
	// host-2 leaves it to another
	// host-3 leaves it to another
}

func nightly(ctx context.Context, db *sql.DB, host string) error {
	lock, err := sqllock.New(db, sqllock.Config{
		Dialect: sqllock.SQLite, Table: "leases", Key: "nightly", Identity: host, TTL: 6 * time.Hour,
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Hour) // counted from before the row is made
	defer cancel()
	if err := lock.CreateTable(ctx); err != nil {
		return err
	}
	entry, err := lock.Create(ctx)
	if errors.Is(err, ttl.ErrTaken) { // there is a row: of tonight, or an old one
		entry, err = lock.Replace(ctx)
	}
	switch {
	case errors.Is(err, ttl.ErrTaken):
		fmt.Println(host, "leaves it to another")
		return nil
	case err != nil:
		return err
	}
	return job(ctx, entry)
}

func job(_ context.Context, entry ttl.Entry) error {
	fmt.Println(entry.Holder, "does the job")
	return nil
}
