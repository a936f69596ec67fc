package adversary

import "time"

// follower returns a random further candidate for the plan f, which must have been run. Its requests meet no faults, and it
// mostly starts near something that happened in that run.
func (d draw) follower(c *Case, f *found) Part {
	p := Part{Base: d.easy(c), Offset: d.wall(c), Jitter: d.fraction()}
	if at, ok := d.moment(f.o, -1); ok {
		p.Start = at + pick(d, 0, 1, d.upTo(c.Config.RetryPeriod))
	}
	if d.chance(0.5) {
		p.Start = f.end.since + pick[time.Duration](d, 0, 1)
	} else if d.chance(0.5) {
		d.follow(c, &p, f.o)
	}
	return p
}

// follow draws a request that arrived in the run with outcome o, mostly a write, and makes candidate p start after it: mostly by
// p.Follows, so that p stays behind that request in changed plans; more rarely by p.Start, at the time of the run. It changes
// nothing if no request arrived.
func (d draw) follow(c *Case, p *Part, o *Outcome) {
	e, ok := d.event(c, o)
	if !ok {
		return
	}
	if p.Follows = e; d.chance(0.2) {
		p.Follows, p.Start = nil, e.instant(o.request(e).Arrived)
	}
}

// event draws a request that arrived in the run o, mostly a write, and a time after it, mostly 0, and returns both as an event
// after which another candidate can start. It returns nil and false if no request arrived.
func (d draw) event(c *Case, o *Outcome) (*Event, bool) {
	var wrote, arrived []*Request
	for k := range o.Sent {
		switch q := &o.Sent[k]; {
		case q.Wrote:
			wrote = append(wrote, q)
		case q.Arrived != never:
			arrived = append(arrived, q)
		}
	}
	if len(wrote) == 0 || len(arrived) > 0 && d.chance(0.1) {
		wrote = arrived
	}
	if len(wrote) == 0 {
		return nil, false
	}
	q := wrote[d.IntN(len(wrote))]
	if d.chance(0.5) {
		q = wrote[max(0, len(wrote)-1-int(d.ExpFloat64()*2))]
	}
	return &Event{Of: q.Candidate, Anchor: Anchor{Step: q.Step, After: pick(d, 0, 0, 0, 1, d.wait(c))}}, true
}

// moment draws an instant of the run o, in true time: when a request was sent, arrived or was handled, or when work started or
// ended. of is the index of the candidate to which it happened, -1 for any. It returns 0 and false if it finds none in a few
// tries.
func (d draw) moment(o *Outcome, of int) (time.Duration, bool) {
	for range 8 {
		n := len(o.Sent) + len(o.Works)
		if n == 0 {
			break
		}
		k := d.IntN(n)
		if k >= len(o.Sent) {
			w := &o.Works[k-len(o.Sent)]
			if of < 0 || w.Candidate == of {
				return pick(d, w.Start, w.End), true
			}
			continue
		}
		s := &o.Sent[k]
		if at := pick(d, s.Sent, s.Arrived, s.Handled); at >= 0 && (of < 0 || s.Candidate == of) {
			return at, true
		}
	}
	return 0, false
}
