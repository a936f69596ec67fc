package electiontest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"interregnum/scenarios/plan"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Manager makes manager.Options of controller-runtime, which options points to, fit for the run, and returns the rest.Config for
// NewManager:
//
//	config := c.Manager(ctx, &options)
//	m, err := ctrl.NewManager(config, options)
//
// The context is that of the candidate's function. These fields are set:
//
//   - BaseContext, so that Guard knows whose the runnables are. A base context of the options' own keeps its values.
//   - LeaderElectionID and LeaderElectionNamespace to the scenario's lock; LeaderElectionConfig, where there is one, to the
//     candidate's. Where the scenario's lock is no Lease, LeaderElectionResourceLockInterface to Candidate.Lock.
//   - LeaseDuration, RenewDeadline and RetryPeriod to the scenario's, where the options leave them nil.
//   - The addresses of metrics, probes and pprof to 0, which is off: a run cannot listen.
//   - Controller.SkipNameValidation, since several managers are in one process; and Logger, where there is none, to a silent one.
//
// All else is the program's own, LeaderElectionReleaseOnCancel too. Options that elect nobody fail the test, and so does a value
// that is no pointer to such options; any version of controller-runtime from v0.20 on has them.
func (c *Candidate) Manager(ctx context.Context, options any) *rest.Config {
	if err := c.fit(ctx, options); err != nil {
		w := c.part.world()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.fail("Candidate.Manager of candidate %s: %v", c.ID, err)
	}
	return c.RESTConfig()
}

// fit sets the fields that Manager names in a manager.Options, and returns an error for anything else and for options
// that elect nobody.
func (c *Candidate) fit(ctx context.Context, options any) error {
	pointer := reflect.ValueOf(options)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() || pointer.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("want a pointer to the manager.Options of controller-runtime, got %T", options)
	}
	o := fields{all: pointer.Elem()}
	if !field[bool](&o, "LeaderElection") && o.err == nil {
		o.err = errors.New("LeaderElection is false, so that every replica works; want true, as in the program's deployment")
	}
	s := &c.Settings
	for name, d := range map[string]time.Duration{
		"LeaseDuration": s.LeaseDuration, "RenewDeadline": s.RenewDeadline, "RetryPeriod": s.RetryPeriod,
	} {
		if field[*time.Duration](&o, name) == nil {
			set(&o, &d, name)
		}
	}
	set(&o, c.LockKey.Name, "LeaderElectionID")
	set(&o, c.LockKey.Namespace, "LeaderElectionNamespace")
	if field[*rest.Config](&o, "LeaderElectionConfig") != nil {
		set(&o, c.RESTConfig(), "LeaderElectionConfig")
	}
	if s.Lock != plan.Lease && field[resourcelock.Interface](&o, "LeaderElectionResourceLockInterface") == nil {
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
	o.base(ctx, c)
	return o.err
}

// base sets BaseContext, so that the contexts of the manager's runnables say whose they are; one that was there keeps
// its values.
func (f *fields) base(ctx context.Context, c *Candidate) {
	const name = "BaseContext"
	v := f.find(name)
	if !v.IsValid() || !v.Type().ConvertibleTo(reflect.TypeFor[func() context.Context]()) {
		f.missing(name, reflect.TypeFor[func() context.Context]())
		return
	}
	own, _ := v.Convert(reflect.TypeFor[func() context.Context]()).Interface().(func() context.Context)
	of := func() context.Context {
		if own == nil {
			return context.WithoutCancel(ctx)
		}
		return context.WithValue(own(), candidateKey{}, c)
	}
	v.Set(reflect.ValueOf(of).Convert(v.Type()))
}

// find is the field at a path of names; it is not valid where there is none.
func (f *fields) find(path ...string) reflect.Value {
	v := f.all
	for _, name := range path {
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(name)
	}
	return v
}

// set sets the field at a path of names. Where there is none of the value's type it notes that as an error in f.
func set[T any](f *fields, value T, path ...string) {
	v := f.find(path...)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		f.missing(fmt.Sprint(path), reflect.TypeFor[T]())
		return
	}
	v.Set(reflect.ValueOf(&value).Elem())
}

// missing notes, as the error of f, that there is no field of such a name and type, unless there is an error already.
func (f *fields) missing(name string, want reflect.Type) {
	if f.err == nil {
		f.err = fmt.Errorf("want a pointer to the manager.Options of controller-runtime, with a field %s of type %v; got %v",
			name, want, f.all.Type())
	}
}
