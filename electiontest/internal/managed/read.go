package managed

import (
	"fmt"
	"reflect"

	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
)

// Election is what manager.Options decide about the election of their manager.
type Election struct {
	machine.Timings
	// Release tells whether a manager that is told to stop gives the lock up, OwnLock whether the lock is the options' own.
	Release, OwnLock bool
}

// Read returns what decides the election in a manager.Options or a pointer to one. Timings that are nil there are those of
// usual. It returns an error for any other value, and for options that elect nobody. Without a lock of their own, options that
// name a lock that client-go has dropped are an error too.
func Read(options any, usual machine.Timings) (*Election, error) {
	all := reflect.Indirect(reflect.ValueOf(options))
	if all.Kind() != reflect.Struct {
		return nil, fmt.Errorf("want a manager.Options of controller-runtime, got %T", options)
	}
	f := fields{all: all}
	o := &Election{
		Timings: machine.Timings{
			LeaseDuration: f.duration("LeaseDuration", usual.LeaseDuration),
			RenewDeadline: f.duration("RenewDeadline", usual.RenewDeadline),
			RetryPeriod:   f.duration("RetryPeriod", usual.RetryPeriod),
		},
		Release: field[bool](&f, "LeaderElectionReleaseOnCancel"),
		OwnLock: field[resourcelock.Interface](&f, "LeaderElectionResourceLockInterface") != nil,
	}
	elects, lock := field[bool](&f, "LeaderElection"), field[string](&f, "LeaderElectionResourceLock")
	switch {
	case f.err != nil:
		return nil, f.err
	case !elects:
		return nil, fmt.Errorf("LeaderElection is false, so that every replica works; want true")
	case !o.OwnLock && lock != "" && lock != resourcelock.LeasesResourceLock:
		return nil, fmt.Errorf("LeaderElectionResourceLock: client-go has no lock %q any more; want %q or nothing",
			lock, resourcelock.LeasesResourceLock)
	}
	return o, nil
}
