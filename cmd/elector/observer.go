package main

import (
	"encoding/json"
	"sync"
	"time"
)

// change is a state of the lock, as --observe prints it in one line.
type change struct {
	// Time is when this process saw the change.
	Time time.Time `json:"time"`
	// Holder is "" where nobody holds the lock, or where there is none.
	Holder string `json:"holder"`
	// FencingToken is that of an entry in SQL or etcd; the fields below it are those of a record in Kubernetes. Each is
	// left out for the other kinds of lock.
	FencingToken         uint64     `json:"fencingToken,omitempty"`
	Transitions          *int       `json:"transitions,omitempty"`
	AcquireTime          *time.Time `json:"acquireTime,omitempty"`
	LeaseDurationSeconds int        `json:"leaseDurationSeconds,omitempty"`
	ResourceVersion      string     `json:"resourceVersion,omitempty"`
}

// sameTerm tells whether two states of the lock are of one term, so that nothing but renewals lies between them. It compares the
// holders, the fencing tokens and, if both states have them, the transitions.
func (c *change) sameTerm(d *change) bool {
	if c.Transitions != nil && d.Transitions != nil && *c.Transitions != *d.Transitions {
		return false
	}
	return c.Holder == d.Holder && c.FencingToken == d.FencingToken
}

// observer prints each change of the lock's state. Its methods may be called from any goroutine.
type observer struct {
	of *candidate

	mu      sync.Mutex
	encoder *json.Encoder
	last    *change
	// trouble is the error that was logged last, "" once the lock has been seen again.
	trouble string
	err     error
}

// see prints a state of the lock to standard output and stores its holder. A state of the same term as the last one it does not
// print. If it cannot print, it ends this process's part with exit code 3.
func (o *observer) see(now *change) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trouble = ""
	if o.last != nil && o.last.sameTerm(now) {
		return
	}
	o.last, now.Time = now, time.Now().UTC()
	o.of.noteHolder(now.Holder)
	if err := o.encoder.Encode(now); err != nil && o.err == nil {
		o.err = &exitError{code: exitFailed, text: "standard output: " + err.Error()}
		o.of.end()
	}
}

// fail logs why the lock cannot be seen. It logs the same reason only once, until the lock has been seen again.
func (o *observer) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text := err.Error(); text != o.trouble {
		o.trouble = text
		o.of.log.Error("cannot follow the lock", "err", text)
	}
}
