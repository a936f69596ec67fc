package world

import "sync/atomic"

// current is the run in progress, nil between runs.
var current atomic.Pointer[world]

// here returns the run that the calling goroutine belongs to, and the goroutine's id; nil and "" if it belongs to none.
func here() (*world, string) {
	w := current.Load()
	if w == nil {
		return nil, ""
	}
	id, in := w.bubble.Caller()
	if !in {
		return nil, ""
	}
	return w, id
}
