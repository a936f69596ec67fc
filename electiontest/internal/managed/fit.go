package managed

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
)

// Candidacy is what Fit writes into the manager.Options of one candidate's manager.
type Candidacy struct {
	machine.Timings
	// Key is where the lock is.
	Key types.NamespacedName
	// Config is called for the lock's client.
	Config func() *rest.Config
	// Lock is called for a lock that is no Lease; it is nil for a Lease.
	Lock func() resourcelock.Interface
	// Base makes the context of the manager's runnables of the options' own BaseContext, which may be nil.
	Base func(own func() context.Context) context.Context
}

// Fit changes the manager.Options that options points to. It always sets the lock's name and namespace and the base context,
// turns off the addresses of metrics, probes and pprof, and skips the validation of controllers' names. It sets timings and the
// logger only where they have none, the lock only if c.Lock is not nil and they have none of their own, and the lock's client
// configuration only if they have one. It returns an error if options is no pointer to manager.Options, or if these elect
// nobody; some fields are then perhaps changed.
func Fit(options any, c *Candidacy) error {
	pointer := reflect.ValueOf(options)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() || pointer.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("want a pointer to the manager.Options of controller-runtime, got %T", options)
	}
	o := fields{all: pointer.Elem()}
	if !field[bool](&o, "LeaderElection") && o.err == nil {
		o.err = errors.New("LeaderElection is false, so that every replica works; want true, as in the program's deployment")
	}
	for name, d := range map[string]time.Duration{
		"LeaseDuration": c.LeaseDuration, "RenewDeadline": c.RenewDeadline, "RetryPeriod": c.RetryPeriod,
	} {
		if field[*time.Duration](&o, name) == nil {
			set(&o, &d, name)
		}
	}
	set(&o, c.Key.Name, "LeaderElectionID")
	set(&o, c.Key.Namespace, "LeaderElectionNamespace")
	if field[*rest.Config](&o, "LeaderElectionConfig") != nil {
		set(&o, c.Config(), "LeaderElectionConfig")
	}
	if c.Lock != nil && field[resourcelock.Interface](&o, "LeaderElectionResourceLockInterface") == nil {
		set[resourcelock.Interface](&o, c.Lock(), "LeaderElectionResourceLockInterface")
	}
	for _, name := range []string{"HealthProbeBindAddress", "PprofBindAddress"} {
		set(&o, "0", name)
	}
	set(&o, "0", "Metrics", "BindAddress")
	set(&o, new(true), "Controller", "SkipNameValidation")
	if field[logr.Logger](&o, "Logger").GetSink() == nil {
		set(&o, logr.Discard(), "Logger")
	}
	o.base(c.Base)
	return o.err
}

// base sets the options' BaseContext to a function that returns make(own); own is their BaseContext until now, nil if they have
// none. If the options have no such field, base sets f.err.
func (f *fields) base(make func(own func() context.Context) context.Context) {
	const name = "BaseContext"
	v := f.find(name)
	if !v.IsValid() || !v.Type().ConvertibleTo(reflect.TypeFor[func() context.Context]()) {
		f.missing(name, reflect.TypeFor[func() context.Context]())
		return
	}
	own, _ := v.Convert(reflect.TypeFor[func() context.Context]()).Interface().(func() context.Context)
	of := func() context.Context { return make(own) }
	v.Set(reflect.ValueOf(of).Convert(v.Type()))
}
