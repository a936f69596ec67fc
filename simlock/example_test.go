package simlock_test

import (
	"fmt"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// Two candidates have read the same version of a Lease. The first to write wins, and the other is told.
func ExampleStore() {
	var store simlock.Store
	apply := func(who string, op simlock.Op) simlock.Result {
		op.Object, op.Key, op.Record = simlock.Lease, "lock", machine.Record{Holder: who, DurationSeconds: 15}
		r := store.Apply(&op)
		fmt.Println(who, op.Verb, r.Status)
		return r
	}
	read := apply("a", simlock.Op{Verb: machine.Create})
	apply("b", simlock.Op{Verb: machine.Update, UID: read.UID, Version: read.Version})
	apply("c", simlock.Op{Verb: machine.Update, UID: read.UID, Version: read.Version})
	fmt.Println("held by", store.Holder("lock"))
	// Output:
	// a create 201
	// b update 200
	// c update 409
	// held by b
}
