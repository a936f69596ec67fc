package electiontest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
)

// GateManager is Gate for the manager.Options of controller-runtime, or for a pointer to them. What they leave nil is the
// manager's default: 15 s, 10 s and 2 s. Without a RequestTimeout of the environment it is the one that a manager's client
// has: half of RenewDeadline, and a second at least. What a lock of the options' own has is not known: none or that, whichever
// is worse. `simulate gate --request-timeout half` says the same of the same numbers.
//
// Options that elect nobody are refused, and so are locks that client-go has dropped.
func GateManager(t testing.TB, options any, e Environment) {
	t.Helper()
	o, err := managerOptions(options)
	if err != nil {
		t.Errorf("electiontest: manager.Options: %v", err)
		return
	}
	timeout := e.timeout()
	switch {
	case e.RequestTimeout != 0:
	case o.ownLock:
		timeout = files.Timeout{Kind: files.Either}
	default:
		timeout = files.Timeout{Kind: files.Half}
	}
	judge(t, bound.Config{Timings: o.Timings, Profile: machine.ClientGo, ReleaseOnCancel: o.release}, timeout, e)
}

// managed is what decides the election of a manager.
type managed struct {
	machine.Timings
	release, ownLock bool
}

// managerOptions reads what decides the election from a manager.Options. It reads the fields by their names: the module
// of controller-runtime is too large to be asked of everybody for one type.
func managerOptions(options any) (*managed, error) {
	all := reflect.Indirect(reflect.ValueOf(options))
	if all.Kind() != reflect.Struct {
		return nil, fmt.Errorf("want a manager.Options of controller-runtime, got %T", options)
	}
	f := fields{all: all}
	o := &managed{
		Timings: machine.Timings{
			LeaseDuration: f.duration("LeaseDuration", usual.LeaseDuration),
			RenewDeadline: f.duration("RenewDeadline", usual.RenewDeadline),
			RetryPeriod:   f.duration("RetryPeriod", usual.RetryPeriod),
		},
		release: field[bool](&f, "LeaderElectionReleaseOnCancel"),
		ownLock: field[resourcelock.Interface](&f, "LeaderElectionResourceLockInterface") != nil,
	}
	elects, lock := field[bool](&f, "LeaderElection"), field[string](&f, "LeaderElectionResourceLock")
	switch {
	case f.err != nil:
		return nil, f.err
	case !elects:
		return nil, fmt.Errorf("LeaderElection is false, so that every replica works; want true")
	case !o.ownLock && lock != "" && lock != resourcelock.LeasesResourceLock:
		return nil, fmt.Errorf("LeaderElectionResourceLock: client-go has no lock %q any more; want %q or nothing",
			lock, resourcelock.LeasesResourceLock)
	}
	return o, nil
}

// fields are those of a struct. The first that is missing is left in err.
type fields struct {
	all reflect.Value
	err error
}

// field is the value of the field of that name and type. Where there is none it notes an error in f, unless there is
// one already.
func field[T any](f *fields, name string) (value T) {
	v := f.all.FieldByName(name)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		if f.err == nil {
			f.err = fmt.Errorf("want a manager.Options of controller-runtime, with a field %s of type %v; got %v",
				name, reflect.TypeFor[T](), f.all.Type())
		}
		return value
	}
	value, _ = v.Interface().(T) // a nil interface has no type
	return value
}

// duration is the value of an optional duration, and unsaid where it is nil.
func (f *fields) duration(name string, unsaid time.Duration) time.Duration {
	if d := field[*time.Duration](f, name); d != nil {
		return *d
	}
	return unsaid
}
