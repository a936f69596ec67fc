package wallclock

import (
	"time"

	"interregnum/elector/machine"
)

// habits are the points in which the clients differ.
type habits struct {
	// unit is that in which the client counts wall time, and unit of stamps that in which it writes it. rounds: the stamp is
	// the nearest one, and not the one before.
	unit, stamps time.Duration
	rounds       bool
	// late is what becomes of an attempt when its time is up.
	late late
	// looks: another thread looks every RetryPeriod whether the lock was acquired, and only then the work begins.
	looks bool
	// jitters: the waits between attempts to acquire have a random part.
	jitters bool
	// answered: whether a lease has run out is asked when the record was read, and not when the attempt began.
	answered bool
	// counts: a new holder adds one to the record's transitions.
	counts bool
	// blank is what a candidate does with a record without times.
	blank machine.Verb
	// nobody is what a record with times and an empty holder is to the client.
	nobody nobody
	// reports: the program is told of each new holder.
	reports bool
	// stopped: the program is told that the candidate does not lead also where it never has.
	stopped bool
	// releases: ReleaseOnCancel counts.
	releases bool
	// named: the client believes that it leads while its own name is the last that it has seen.
	named bool
	// same tells whether two records look the same.
	same func(a, b *machine.Record) bool
}

// late is what becomes of an attempt when its time is up.
type late uint8

const (
	// awaited: nothing, and the leader looks at its deadline only when it has failed.
	awaited late = iota
	// ended: it is ended.
	ended
	// left: it is left running, and nobody waits for it.
	left
)

// nobody is what a record is whose holder is the empty string, as client-go and others leave it when they release. (What has no holder at
// all has no times either: only the client for Java writes it.)
type nobody uint8

const (
	// blank is written over at once, and not taken note of: what get_lock_object of configmaplock.py reads has no holder.
	blank nobody = iota
	// free is taken note of, and taken at once.
	free
	// held is like any other: only a null holder is nobody to LeaderElector.java.
	held
)

// habitsOf returns the habits of the client for Java, C# or Python. For any other client it returns Python's.
func habitsOf(c machine.Client) *habits {
	switch c {
	case machine.OfJava:
		return &java
	case machine.OfCSharp:
		return &csharp
	}
	return &python
}

// python is leaderelection.py: acquire, renew_loop, try_acquire_or_renew.
var python = habits{
	unit: time.Millisecond, stamps: time.Microsecond, rounds: true,
	late: awaited, blank: machine.Update,
	same: func(a, b *machine.Record) bool {
		return a.Holder == b.Holder && a.DurationSeconds == b.DurationSeconds && a.Acquire == b.Acquire && a.Renew == b.Renew
	},
}

// java is LeaderElector.java; a java.util.Date has milliseconds (getRecordFromLease of LeaseLock.java), and equals of
// LeaderElectionRecord.java compares all fields.
var java = habits{
	unit: time.Millisecond, stamps: time.Millisecond,
	late: ended, looks: true, jitters: true, counts: true, blank: machine.Update, nobody: held, reports: true, stopped: true, releases: true,
	same: func(a, b *machine.Record) bool {
		const unit = time.Millisecond
		return a.Holder == b.Holder && a.DurationSeconds == b.DurationSeconds && a.Transitions == b.Transitions &&
			a.Acquire.Truncate(unit) == b.Acquire.Truncate(unit) && a.Renew.Truncate(unit) == b.Renew.Truncate(unit)
	},
}

// csharp is LeaderElector.cs; a DateTime has ticks of 100 ns, and Equals of LeaderElectionRecord.cs compares holder and times.
// A record without times has it call CreateAsync, which a server refuses.
var csharp = habits{
	unit: 100 * time.Nanosecond, stamps: time.Microsecond,
	late: left, answered: true, counts: true, blank: machine.Create, nobody: free, reports: true, named: true,
	same: func(a, b *machine.Record) bool {
		return a.Holder == b.Holder && a.Acquire == b.Acquire && a.Renew == b.Renew
	},
}
