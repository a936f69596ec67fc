package behaviour

import (
	"fmt"
	"time"

	"interregnum/internal/phrase"
)

// compare adds a warning for each distribution of b that exceeds a bound of the environment in the same file: round trips, usual
// and in brownouts, are compared with maxRoundTrip, and the lengths of pauses with maxPause. all are the fields of that file. A
// bound that is not among them is not compared; a bad value of one is a problem.
func (r *reader) compare(b *Behaviour, all []field) {
	if f, ok := find(all, "maxRoundTrip"); ok {
		limit := r.duration(f, 0, year)
		if r.err != nil {
			return
		}
		r.exceeds(f, limit, &b.RoundTrip, "behaviour.roundTrip", 1)
		for i, e := range b.Episodes {
			path := fmt.Sprintf("behaviour.episodes[%d]", i)
			switch {
			case e.RoundTrip != nil:
				r.exceeds(f, limit, e.RoundTrip, path+".roundTrip", 1)
			case e.Kind == Brownout:
				r.exceeds(f, limit, &b.RoundTrip, "behaviour.roundTrip times the factor of "+path, e.Factor)
			}
		}
	}
	if f, ok := find(all, "maxPause"); ok {
		limit := r.duration(f, 0, year)
		for i, e := range b.Episodes {
			if r.err == nil && e.Kind == Pause {
				r.exceeds(f, limit, &e.Lasts, fmt.Sprintf("behaviour.episodes[%d].lasts", i), 1)
			}
		}
	}
}

// exceeds adds a warning if values of d, each multiplied by factor, are above the bound limit. It adds none if only an assumed
// tail of d is above it. what is the name of d in the warning.
func (r *reader) exceeds(bound value, limit time.Duration, d *Distribution, what string, factor float64) {
	limit = time.Duration(float64(limit) / factor)
	stated := d.longest
	percentile := 0.0
	for _, p := range d.points {
		stated = max(stated, p.Value)
		if p.Value == limit && p.P > 0 && p.P < 1 {
			percentile = 100 * p.P
		}
	}
	above := d.Above(limit)
	shown := phrase.Duration(time.Duration(float64(limit) * factor).Round(time.Microsecond))
	switch {
	case above < 1e-12:
	case percentile > 0:
		r.warn(bound, "%s is the p%.6g of %s, and no maximum: %s of these values are longer, and the gate wants the longest",
			shown, percentile, what, percent(above))
	case stated > limit:
		r.warn(bound, "%s is no maximum of %s: %s of these values are longer, and the gate wants the longest", shown, what,
			percent(above))
	}
}
