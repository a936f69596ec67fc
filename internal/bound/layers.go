package bound

import "time"

// zoneSteps is how many steps a search through the turns takes at most.
const zoneSteps = 20_000

// layers counts turns of two leaders: it keeps all situations S that can follow each other, turn by turn.
type layers[S any] struct {
	// covers tells whether whatever can be in the situation o can be in s, too.
	covers func(s, o *S) bool
	// steps is how many more steps of the search are allowed. reached has the situations after the turns that were tried since it was last
	// cleared.
	steps   int
	reached []S
}

// count returns how many turns are possible at most, one after the other, beside those that have led to the situations in layer. turn adds to
// reached all situations that are possible after one more turn, and lowers steps. count returns 0 and false if it finds no limit within
// zoneSteps.
func (l *layers[S]) count(layer []S, turn func(from *S)) (n time.Duration, known bool) {
	l.steps = zoneSteps
	var before []S
	for n = 4; len(layer) > 0; n++ {
		l.reached = before[:0]
		for i := range layer {
			if turn(&layer[i]); l.steps <= 0 {
				return 0, false
			}
		}
		if l.stays(layer) {
			return 0, false
		}
		before, layer = layer, l.reached
	}
	return n, true
}

// stays tells whether each situation of layer is among those that follow, so that nothing is known to end.
func (l *layers[S]) stays(layer []S) bool {
	for i := range layer {
		if !l.covered(&layer[i]) {
			return false
		}
	}
	return true
}

// covered tells whether one of reached covers o.
func (l *layers[S]) covered(o *S) bool {
	for i := range l.reached {
		if l.covers(&l.reached[i], o) {
			return true
		}
	}
	return false
}

// reach adds a situation to reached. If another one covers it, it adds nothing; it removes the situations that it covers.
func (l *layers[S]) reach(o *S) {
	if l.covered(o) {
		return
	}
	kept := 0
	for i := range l.reached { // large values, which a function of slices would copy
		if l.covers(o, &l.reached[i]) {
			continue
		}
		if kept < i {
			l.reached[kept] = l.reached[i]
		}
		kept++
	}
	l.reached = append(l.reached[:kept], *o)
}
