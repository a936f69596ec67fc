package elector

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
)

// eventTeller is a lock whose events can be recorded while it is called: the copy of a *resourcelock.LeaseLock, or a
// lock of kubelock.
type eventTeller interface {
	// Event prepares what RecordEvent records, with what the lock knows at present. The function that it returns records
	// it, and does not look at the lock.
	Event(what string) (tell func())
}

// recorderFunc is a function that serves as a resourcelock.EventRecorder.
type recorderFunc func(about runtime.Object, kind, reason, message string, args ...any)

// Eventf implements resourcelock.EventRecorder: it calls f with its arguments.
func (f recorderFunc) Eventf(about runtime.Object, kind, reason, message string, args ...any) {
	f(about, kind, reason, message, args...)
}

// turn is a mutex that is held during a call of a lock: RecordEvent, which is called on another goroutine, can read what a
// request of the lock writes. A nil turn is always free.
type turn chan struct{}

// turnOf returns the turn that the lock's requests and its events have to take. It is nil if they need not: with ClientGo, where
// one goroutine makes both, and for a lock that is an eventTeller.
func turnOf(config *LeaderElectionConfig) turn {
	if _, ok := driven(config.Lock).(eventTeller); ok || config.Profile != Strict {
		return nil
	}
	return make(turn, 1)
}

// take waits for the turn and takes it. It returns ctx's error where ctx ends first; a turn that is free is taken even
// if ctx has ended.
func (t turn) take(ctx context.Context) error {
	if t == nil {
		return nil
	}
	select {
	case t <- struct{}{}:
		return nil
	default:
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// give frees the turn, for the next one to take.
func (t turn) give() {
	if t != nil {
		<-t
	}
}
