package draw

import (
	"slices"
	"time"

	"interregnum/plan"
)

// rollout draws a rollout and adds it to the plan, in which some of its candidates replace as many others. Those that replace
// lose their StartAt, since the rollout starts them. It adds none if there is only one candidate.
func (d *drawing) rollout() {
	var ids []string
	for i := range d.plan.Candidates {
		if id := d.plan.Candidates[i].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) < 2 {
		return
	}
	n := 1 + d.IntN(len(ids)/2)
	calm := d.calm()
	f := plan.Fault{Kind: plan.FaultRollout, At: min(calm-1, d.moment(calm)), On: ids[:n:n], Rollout: plan.Rollout{
		To: ids[len(ids)-n:], Surge: plan.Count(d.IntN(n + 1)), MaxUnavailable: plan.Count(d.IntN(n + 1)),
		Readiness: pick(d, plan.ReadyLeading, plan.ReadyAlways), Startup: d.even(d.timings.LeaseDuration),
		GracePeriod: d.sheet.durations.Put(d.spread(time.Millisecond, time.Minute)),
		Deadline:    d.sheet.durations.Put(d.timings.LeaseDuration),
	}}
	if f.Surge == 0 && f.MaxUnavailable == 0 {
		f.Surge = 1
	}
	for i := range d.plan.Candidates {
		if c := &d.plan.Candidates[i]; slices.Contains(f.To, c.ID) {
			c.StartAt = 0
		}
	}
	d.plan.Faults = append(d.plan.Faults, f)
}
