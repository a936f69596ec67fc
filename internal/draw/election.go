package draw

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/reuse"
	"interregnum/plan"
)

// split names the elections of a space with several in d.plan.Elections, and replaces each drawn process in d.plan.Candidates by one
// candidate for each election that it takes part in. The first process takes part in all elections, the others in the first and in
// most of the rest. It does nothing in a space with one election, whose Elections is 0.
//
// Each election but the first can get timings of its own, if the space leaves them open, and each election a drain of its own. Each
// process can get a liveness probe, and gets a Rejoin if it has none. What a loss does is drawn by process or by election, since
// a file cannot say both.
func (d *drawing) split() {
	n := d.space.Elections
	if n == 0 {
		return
	}
	t := d.sheet
	t.timings, t.losses = reuse.Sized(t.timings, n), reuse.Sized(t.losses, n)
	timings, losses, ownLosses := t.timings, t.losses, d.oneIn(2)
	d.plan.Elections = t.electionNames(n)
	for i := range timings {
		if timings[i] = d.timings; i > 0 && d.space.Timings == (machine.Timings{}) {
			// With a shorter RetryPeriod than that for which the network was drawn nobody might ever lead.
			if own := d.anyTimings(); own.RetryPeriod > d.timings.RetryPeriod {
				timings[i] = own
			}
		}
		losses[i] = d.loss()
	}
	drains := d.drains(n)
	processes := d.plan.Candidates
	d.plan.Candidates, t.processes = t.processes[:0], processes
	for p := range processes {
		probe, loss := d.probe(), d.loss()
		if processes[p].Rejoin == nil {
			rejoin := d.spread(time.Millisecond, 10*time.Second)
			processes[p].Rejoin = t.durations.Put(rejoin)
		}
		for i, name := range d.plan.Elections {
			if p > 0 && i > 0 && d.oneIn(4) {
				continue
			}
			c := processes[p]
			c.Election, c.LivenessProbe, c.Timings, c.OnLoss = name, probe, timings[i], loss
			if ownLosses {
				c.OnLoss = losses[i]
			}
			if drains != nil {
				c.Drain = drains[i]
			}
			d.plan.Candidates = append(d.plan.Candidates, c)
		}
	}
}

// loss draws what a process does after it has lost an election: the default of the plan (""), exit or ignore.
func (d *drawing) loss() plan.OnLoss { return pick(d, "", plan.LossExit, plan.LossIgnore) }

// drains draws how long work drains in each of n elections. nil means that each process keeps one drain for all of them; so it
// is, and nothing is drawn, in a space that is not restless or allows no drain.
func (d *drawing) drains(n int) []time.Duration {
	if !d.space.Restless || d.space.Limits.MaxDrain == 0 || d.oneIn(2) {
		return nil
	}
	all := reuse.Sized(d.sheet.drains, n)
	for i := range all {
		all[i] = d.even(d.space.Limits.MaxDrain)
	}
	d.sheet.drains = all
	return all
}

// probe draws a liveness probe; nil, for none, in half of the draws.
func (d *drawing) probe() *plan.LivenessProbe {
	if d.oneIn(2) {
		return nil
	}
	return d.sheet.probes.Put(plan.LivenessProbe{
		Period: d.spread(time.Second, 10*time.Second), FailureThreshold: 1 + d.IntN(3), Tolerance: d.even(20 * time.Second),
		RestartAfter: d.even(5 * time.Second),
	})
}

// inElection draws one election and stores its name in each of the faults that is on a role, since such a fault must name one.
// In half of the draws it does so too in all other faults that are not of a whole process. It does nothing in a plan with one
// election.
func (d *drawing) inElection(faults []plan.Fault) {
	names := d.plan.Elections
	if len(names) == 0 {
		return
	}
	name, narrows := pick(d, names...), d.oneIn(2)
	for i := range faults {
		if f := &faults[i]; f.NamesRole() || narrows && !f.Kind.OfProcess() {
			f.Election = name
		}
	}
}
