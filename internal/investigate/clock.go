package investigate

import (
	"sort"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// stampUnit returns the precision of the times in a lock's records: a microsecond for a Lease, a second for other objects.
func stampUnit(lock evidence.Lock) time.Duration {
	if lock.Resource == "leases" {
		return time.Microsecond
	}
	return time.Second
}

// boundByRecords bounds the offset of the pod's clock from above, by the records that the pod sent, whether or not the server
// took them. client-go stamps a record before the server receives it. So does the elector of this module, except where stamps
// are in whole seconds: there it stamps later times, so that each differs. It sets p.known for each log that contains a line of
// such an elector. If no log of the pod does, it adds no bound; if one does, each of the pod's attempts gives a bound.
func (t *teller) boundByRecords(p *pod) {
	for _, s := range p.sayings {
		if saysClientGo(s) || saysOurs(s) && t.stamp < time.Second {
			p.known[s.Source] = true
		}
	}
	if len(p.known) == 0 {
		return
	}
	for _, q := range p.attempts {
		p.highs.bounds = append(p.highs.bounds, bound{q.Wrote.Renew, q.Received.Add(time.Microsecond).Sub(q.Wrote.Renew), q.Place})
	}
}

// boundByLines bounds the offset of the pod's clock by each line that says that the pod has acquired the lock. From below: by
// then the server had received the write that acquired it. From above: later the server received a write that the pod made after
// the line (see again). A line of which neither write is known gives no bound.
func (t *teller) boundByLines(p *pod) {
	for _, c := range p.courses {
		received := latest(c.sure, c.earliest)
		if !received.IsZero() {
			p.lows.bounds = append(p.lows.bounds, bound{c.acquired.At, received.Sub(c.acquired.At) - unit(c.acquired), c.acquired.Place})
		}
		if w := t.again(c); w != nil {
			p.highs.bounds = append(p.highs.bounds, bound{c.acquired.At, w.Received.Add(time.Microsecond).Sub(c.acquired.At), w.Place})
		}
	}
}

// again returns a write that the pod certainly made after it said, by the first line of c, that it has acquired the lock; nil
// if none is known. It is the second write that is stamped after the line before, by which the pod stands for election: the
// first one has acquired the lock. Both lines must be of client-go and in one log. It returns nil if the pod says between them
// that something failed that can be the first write.
func (t *teller) again(c *course) *Write {
	if k := t.second(c); k < len(c.pod.writes) {
		return &t.s.Writes[c.pod.writes[k]]
	}
	return nil
}

// second returns which one of the pod's writes again returns, by its index in pod.writes. If none is known, that is len(pod.writes).
func (t *teller) second(c *course) int {
	p, tries := c.pod, c.before
	n := len(p.writes)
	if tries == nil || tries.Step != evidence.Tries || tries.Source != c.acquired.Source || !saysClientGo(tries) || !saysClientGo(c.acquired) {
		return n
	}
	first := sort.Search(n, func(k int) bool { return !t.s.Writes[p.writes[k]].Record.Renew.Before(tries.At.Add(unit(tries))) })
	if first+1 >= n {
		return n
	}
	if p.perhapsFailed(tries.At, c.acquired.At.Add(unit(c.acquired))) {
		return n
	}
	creates := t.by[p.writes[first]].Verb == "create"
	for k := p.after(tries); p.sayings[k] != c.acquired; k++ {
		if s := p.sayings[k]; s.Step == evidence.Failed && canBeWrite(s.Text, creates) {
			return n
		}
	}
	return first + 1
}

// canBeWrite tells whether a line about a failure can be about a write that the server accepted: not if it is about a read, nor if it is
// about a creation and the write is an update. creates tells whether the write is a creation.
func canBeWrite(text string, creates bool) bool {
	text = strings.ToLower(text)
	return !strings.Contains(text, readFailed) && (creates || !strings.Contains(text, "error initially creating"))
}

// offset returns bounds of the offset of the pod's clock at the time when that clock shows at. They come from the known bounds
// before and after, and from how far an offset can move since. A bound is nil if there is none. Both are nil if they contradict
// each other. p.lows and p.highs must be ready.
func (p *pod) offset(at time.Time) (low, high *time.Duration) {
	low, high = p.lows.tightest(at), p.highs.tightest(at)
	if low != nil && high != nil && *low > *high {
		return nil, nil // the clock was set meanwhile, or logs of two clocks are taken for one
	}
	return low, high
}

// instant returns the bounds, by the server's clock, of the time when the pod's clock showed at. at is cut down to multiples of
// unit, so that the clock showed up to a unit more. A bound that is not known is zero.
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

// judgeClock sets p.set if somebody certainly set the pod's clock: the bounds of its offset contradict each other, or the stamps
// of its records go back from one write to the next.
func (p *pod) judgeClock(writes []Write) {
	for k := 1; k < len(p.writes); k++ {
		if writes[p.writes[k]].Record.Renew.Before(writes[p.writes[k-1]].Record.Renew) {
			p.set = true
		}
	}
	for _, b := range p.lows.bounds {
		if low, high := p.offset(b.at); low == nil && high == nil {
			p.set = true
		}
	}
}

// offsetsOf returns, for each log of the pods, bounds of the clock's offset that hold from the log's first line to its last. If
// the pod's clock was set, the entry has no bounds.
func offsetsOf(e *evidence.Evidence, pods []*pod) (all []Offset) {
	for _, p := range pods {
		for _, source := range p.sources {
			o := Offset{Identity: p.name, Source: source}
			if !p.set {
				o.state(p, &e.Sources[source])
			}
			all = append(all, o)
		}
	}
	return all
}

// state sets Low, High and Rests to what holds for the pod p from the first to the last line of its log s.
func (o *Offset) state(p *pod, s *evidence.Source) {
	far := func(at time.Time) time.Duration {
		return moved(max(at.Sub(s.First).Abs(), at.Sub(s.Last).Abs()) + p.unit)
	}
	for _, b := range p.lows.bounds {
		if v := b.value - far(b.at); o.Low == nil || v > *o.Low {
			o.Low = &v
		}
	}
	for _, b := range p.highs.bounds {
		if v := b.value + far(b.at); o.High == nil || v < *o.High {
			o.High = &v
		}
	}
	if o.Low != nil {
		o.Rests = append(o.Rests, places("it said that it had acquired the lock after the server had received its write", p.lows.bounds))
	}
	if o.High != nil {
		o.Rests = append(o.Rests, places("its records were stamped before the server received them", p.highs.bounds))
	}
}

// places returns a link with that text, and with the places of the first and the last of the bounds. bounds must not be empty.
func places(text string, bounds []bound) Link {
	l := Link{Text: text, Places: []evidence.Place{bounds[0].place}}
	if n := len(bounds); n > 1 {
		l.Places = append(l.Places, bounds[n-1].place)
	}
	return l
}
