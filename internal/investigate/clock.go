package investigate

import (
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// driftPPM is by how much at most a clock runs faster or slower than the server's, in parts per million: what an NTP daemon may slew.
const driftPPM = 500

// bound bounds the offset of a clock when that clock shows at.
type bound struct {
	at    time.Time
	value time.Duration
	place evidence.Place
}

// moved is by how much an offset may change in a time.
func moved(d time.Duration) time.Duration { return d.Abs()/1_000_000*driftPPM + time.Microsecond }

// stampUnit is how finely the records of a lock say the time.
func stampUnit(lock evidence.Lock) time.Duration {
	if lock.Resource == "leases" {
		return time.Microsecond
	}
	return time.Second
}

// read has the pod's clock bounded by the records that it wrote: client-go stamps a record before the server receives it. Others do not
// always: the elector of this module stamps later times where records have whole seconds, so that each differs from the one before.
func (p *pod) read(writes []Write) {
	if !slices.ContainsFunc(p.sayings, saysClientGo) {
		return
	}
	for i := range writes {
		w := &writes[i]
		if p.has(w.Record.Holder) && !w.Record.Renew.IsZero() {
			p.highs = append(p.highs, bound{w.Record.Renew, w.Received.Add(time.Microsecond).Sub(w.Record.Renew), w.Place})
		}
	}
}

// hear has the pod's clock bounded by what it says: that it has acquired the lock, after the server received the write which did it.
func (p *pod) hear(writes []Write, terms []Term, stamp time.Duration) {
	for _, s := range p.sayings {
		if s.Step != evidence.Acquired || p.vague {
			continue
		}
		if t := p.termOf(s, writes, terms, stamp); t >= 0 {
			p.lows = append(p.lows, bound{s.At, writes[terms[t].First].Received.Sub(s.At) - unit(s), s.Place})
		}
	}
}

// termOf returns the last term that the pod has begun before it said s, -1 if there is none or the times are too coarse to tell.
// Both times are by the pod's clock.
func (p *pod) termOf(s *evidence.Saying, writes []Write, terms []Term, stamp time.Duration) int {
	sure, maybe := -1, -1
	for i := range terms {
		began := writes[terms[i].First].Record.Renew
		if !p.has(terms[i].Holder) || began.IsZero() {
			continue
		}
		if !began.Add(stamp).After(s.At) {
			sure = i
		}
		if began.Before(s.At.Add(unit(s))) {
			maybe = i
		}
	}
	if maybe != sure {
		return -1
	}
	return sure
}

// offset bounds the offset of the pod's clock when it shows at, nil where nothing bounds it. It is by what the clock was seen to show
// before and after, and how far it may have moved since.
func (p *pod) offset(at time.Time) (low, high *time.Duration) {
	for _, b := range p.lows {
		if v := b.value - moved(at.Sub(b.at)); low == nil || v > *low {
			low = &v
		}
	}
	for _, b := range p.highs {
		if v := b.value + moved(at.Sub(b.at)); high == nil || v < *high {
			high = &v
		}
	}
	if low != nil && high != nil && *low > *high {
		return nil, nil // the clock was set meanwhile, or logs of two clocks are taken for one
	}
	return low, high
}

// instant returns when, by the server's clock, the pod's clock showed a time of that unit.
func (p *pod) instant(at time.Time, unit time.Duration) (i Instant) {
	low, high := p.offset(at)
	if low != nil {
		i.Low = at.Add(*low)
	}
	if high != nil {
		i.High = at.Add(*high + unit)
	}
	return i
}

// set tells whether the pod's clock was seen to be set: what bounds it has no common solution.
func (p *pod) set() bool {
	if len(p.lows) == 0 || len(p.highs) == 0 {
		return false
	}
	for _, b := range p.lows {
		if low, high := p.offset(b.at); low == nil && high == nil {
			return true
		}
	}
	return false
}

// offsetsOf states the offset of each log of the pods, such that it holds for the whole of it.
func offsetsOf(e *evidence.Evidence, pods []*pod) (all []Offset) {
	for _, p := range pods {
		for _, source := range p.sources {
			o := Offset{Identity: p.name, Source: source}
			if !p.set() {
				o.state(p, &e.Sources[source])
			}
			all = append(all, o)
		}
	}
	return all
}

// state states an offset within the first and the last line of a log.
func (o *Offset) state(p *pod, s *evidence.Source) {
	far := func(at time.Time) time.Duration {
		return moved(max(at.Sub(s.First).Abs(), at.Sub(s.Last).Abs()) + p.unit)
	}
	for _, b := range p.lows {
		if v := b.value - far(b.at); o.Low == nil || v > *o.Low {
			o.Low = &v
		}
	}
	for _, b := range p.highs {
		if v := b.value + far(b.at); o.High == nil || v < *o.High {
			o.High = &v
		}
	}
	if o.Low != nil {
		o.Rests = append(o.Rests, places("it said that it had acquired the lock after the server had received its write", p.lows))
	}
	if o.High != nil {
		o.Rests = append(o.Rests, places("its records were stamped before the server received them", p.highs))
	}
}

// places returns a link with the first and the last place among bounds.
func places(text string, bounds []bound) Link {
	l := Link{Text: text, Places: []evidence.Place{bounds[0].place}}
	if n := len(bounds); n > 1 {
		l.Places = append(l.Places, bounds[n-1].place)
	}
	return l
}
