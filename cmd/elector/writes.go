package main

import "time"

// writes is what became of a candidate's last writes to the lock. A candidate whose writes all fail can still read the lock, as on a
// full disk, on a database that is read only, or without the right to write. It can take nothing over.
type writes struct {
	// first is when the first of the writes failed after which none has succeeded, and last is when the last one did. Both are zero
	// if there is none.
	first, last time.Time
	why         string
}

// failed stores that a write has failed. If no other has failed within the time quiet before, it is the first one: in between
// there was nothing to write.
func (w *writes) failed(err error, quiet time.Duration) {
	now := time.Now()
	if now.Sub(w.last) >= quiet {
		w.first = now
	}
	w.last, w.why = now, err.Error()
}

// failing tells whether all writes have failed for as long as lasts, and the last one within the time quiet.
func (w *writes) failing(lasts, quiet time.Duration) bool {
	return time.Since(w.last) < quiet && time.Since(w.first) >= lasts
}

// quiet returns the time without a write after which a candidate has nothing to write. One that tries to take the lock tries more
// often: every --retry-period, up to JitterFactor of that later.
func (o *options) quiet() time.Duration { return o.lease + 3*o.retry }
