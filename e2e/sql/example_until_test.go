package sql_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"time"

	"interregnum/elector"
	"interregnum/elector/sqllock"
)

// A process leads, and hands its fencing token to what it writes. The next has a higher one, and the first cannot write any more.
func Example_fencing() {
	db, err := sql.Open("sqlite", "file:fencing?mode=memory&cache=shared")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, `CREATE TABLE report (text TEXT, token INTEGER); INSERT INTO report VALUES ('', 0)`); err != nil {
		log.Fatal(err)
	}
	write := func(token uint64, text string) (written int64) {
		r, err := db.ExecContext(ctx, "UPDATE report SET text = $1, token = $2 WHERE token <= $2", text, int64(token))
		if err == nil {
			written, err = r.RowsAffected()
		}
		if err != nil {
			log.Fatal(err)
		}
		return written
	}
	var tokens []uint64
	for _, process := range []string{"p-1", "p-2"} {
		lock, err := sqllock.New(db, sqllock.Config{
			Dialect: sqllock.SQLite, Table: "leases", Key: "report", Identity: process, TTL: 15 * time.Second,
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
			tokens = append(tokens, token)
			fmt.Println(process, "writes:", write(token, process))
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("p-1 wakes up and writes:", write(tokens[0], "p-1"))
	// Output:
	// p-1 writes: 1
	// p-2 writes: 1
	// p-1 wakes up and writes: 0
}
