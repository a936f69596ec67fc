package draw

import (
	"slices"
	"time"

	"interregnum/plan"
)

// mutate makes one random change of the plan: it adds, removes, moves or stretches a fault, or moves a candidate's start. A
// fault for which a limit leaves nothing to do is not added, and the plan stays as it is.
func (d *drawing) mutate() {
	if len(d.plan.Faults) > 0 && !d.oneIn(4) {
		d.mutateFault()
		return
	}
	if d.oneIn(2) {
		c := &d.plan.Candidates[d.IntN(len(d.plan.Candidates))]
		at := max(0, c.StartAt+d.nudge()/8)
		for i := range d.plan.Candidates {
			if d.plan.Candidates[i].ID == c.ID {
				d.plan.Candidates[i].StartAt = at
			}
		}
		return
	}
	d.add(pick(d, d.allowed()...))
}

// mutateFault removes, moves or stretches a random fault of the plan, which must have one. A fault without an end is only moved
// or removed, and a freeze is never stretched, only shortened.
func (d *drawing) mutateFault() {
	p, calm := d.plan, d.calm()
	f := &p.Faults[d.IntN(len(p.Faults))]
	switch {
	case d.oneIn(4):
		at := d.IntN(len(p.Faults))
		p.Faults = slices.Delete(p.Faults, at, at+1)
	case f.Until == nil:
		f.At = min(calm-1, max(0, f.At+d.nudge()))
	case d.oneIn(2):
		until := max(f.At+1, min(calm, *f.Until+d.nudge()))
		if f.Kind != plan.FaultPause || until < *f.Until {
			f.Until = d.sheet.durations.Put(until)
		}
	default:
		length := *f.Until - f.At
		f.At = min(calm-1, max(0, f.At+d.nudge()))
		f.Until = d.sheet.durations.Put(max(f.At+1, min(calm, f.At+length)))
	}
}

// nudge draws by how much something is moved: up to a LeaseDuration, positive or negative.
func (d *drawing) nudge() time.Duration {
	by := d.spread(1, d.timings.LeaseDuration)
	if d.oneIn(2) {
		return -by
	}
	return by
}
