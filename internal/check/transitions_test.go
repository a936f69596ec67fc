package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTransitions(t *testing.T) {
	for name, c := range map[string]struct{ text, broken string }{
		"created, renewed, taken over, released, taken, deleted, created": {text: `
			1s a creates holder=a t=0
			1s a works
			2s a updates holder=a t=0
			3s a cancelled
			3s b updates holder=b t=1
			4s b updates t=1
			5s c updates holder=c t=2
			6s - deletes
			7s b creates holder=b t=3`},
		"a record that is created anew begins anew": {text: `
			1s a creates holder=a t=0
			2s b updates holder=b t=1
			3s - deletes
			4s a creates holder=a t=0`},
		"its own lock, taken again by another process": {text: `
			1s a creates holder=a t=0
			1s a works
			2s a crashes
			2s a cancelled
			9s a#2 updates holder=a t=1`},
		"one that an edit has named renews": {text: `
			1s a creates holder=a t=0
			2s - edits holder=b
			3s b updates holder=b t=0`},
		"a takeover from one that an edit has named does not count": {text: `
			1s a creates holder=a t=0
			2s - edits holder=b
			3s a updates holder=a t=0`, broken: `event 3: holder "a" with 0 transitions after holder "b" with 0`},
		"the first record has none": {text: `
			1s a creates holder=a t=1`, broken: `event 1: holder "a" with 1 transitions after holder "" with 0`},
		"a takeover that does not count": {text: `
			1s a creates holder=a t=0
			2s b updates holder=b t=0`, broken: `event 2: holder "b" with 0 transitions after holder "a" with 0`},
		"a takeover that counts two": {text: `
			1s a creates holder=a t=0
			2s b updates holder=b t=2`, broken: `event 2: holder "b" with 2 transitions after holder "a" with 0`},
		"a release that begins anew": {text: `
			1s a creates holder=a t=0
			2s b updates holder=b t=1
			3s b updates t=0`, broken: `event 3: holder "" with 0 transitions after holder "b" with 1`},
		"a renewal that counts": {text: `
			1s a creates holder=a t=0
			1s a works
			2s a updates holder=a t=1`, broken: `event 3: holder "a" with 1 transitions after holder "a" with 0`},
		"a count that falls when the lock is created anew": {text: `
			1s a creates holder=a t=0
			2s b updates holder=b t=1
			3s a updates holder=a t=2
			4s - deletes
			5s b creates holder=b t=1`, broken: `event 5: holder "b" with 1 transitions after holder "a" with 2`},
	} {
		t.Run(name, func(t *testing.T) {
			all, selected := NewTransitions((&script{}).header()), NewTransitions((&script{}).header())
			for _, e := range (&script{text: c.text}).events(t) {
				all.Observe(&e)
				if selected.Wants().Has(e.Kind) {
					selected.Observe(&e)
				}
			}
			assert.Equal(t, c.broken, all.Broken())
			assert.Equal(t, c.broken, selected.Broken(), "it misses what it does not want")
		})
	}
}
