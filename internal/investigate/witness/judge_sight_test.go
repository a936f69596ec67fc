package witness

import (
	"slices"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/internal/trace"
)

// sighting judges what the story says that objects, events and metrics show, and counts it. A sign that is not known fails the
// story.
func (j *judge) sighting(x *investigate.Sighting) {
	j.counts.Sightings++
	switch x.Sign {
	case investigate.Held, investigate.Freed:
		j.held(x)
	case investigate.Began, investigate.Stopped:
		j.reported(x)
	case investigate.Leads, investigate.Idle:
		j.measured(x)
	case investigate.Acquired, investigate.GaveUp:
		j.logged(x)
	case investigate.Named:
		j.named(x)
	default:
		j.fail("want a sign, got %q", x.Sign)
	}
}

// written returns the requests that have changed the object, in order; nil stands for a deletion.
func (j *judge) written() (all []*Call) {
	calls := map[key]*Call{}
	for _, c := range j.l.Run.Calls {
		calls[key{c.Candidate, c.ID}] = c
	}
	for i := range j.l.Run.Events {
		switch e := &j.l.Run.Events[i]; e.Kind {
		case trace.Written:
			all = append(all, calls[key{int(e.Candidate), e.Request}])
		case trace.Deleted:
			all = append(all, nil)
		}
	}
	return all
}

// within tells whether a time is in the range of an instant: Low is included, High is not.
func within(at time.Time, i investigate.Instant) bool { return !at.Before(i.Low) && at.Before(i.High) }

// held fails the story unless the record really named the sighting's holder without a break, between two writes: one whose
// acquire time is within First, and one that is stamped within Last and has the sighting's count of transitions. If First and
// Last are equal, the second write alone is enough.
func (j *judge) held(x *investigate.Sighting) {
	begun := false
	for _, c := range j.written() {
		if c == nil || identity(c.Op.Record.Holder) != x.Holder {
			begun = false
			continue
		}
		k := kept(c.Op.Object, c.Op.Record)
		last := within(shown(k.Renew), x.Last) && int(k.Transitions) == x.Transitions
		begun = begun || within(shown(k.Acquire), x.First) || last && x.First == x.Last
		if begun && last {
			return
		}
	}
	j.fail("%s %q from %s to %s, with %d transitions: the record did not", x.Sign, x.Holder, timeOfDay(x.First.Low), timeOfDay(x.Last.Low), x.Transitions)
}

// reported fails the story unless the sighting's holder has reported the event of its sign at least Times times, at First and at
// Last by its own clock.
func (j *judge) reported(x *investigate.Sighting) {
	var at []time.Time
	clocks := make([]trace.Clock, len(j.l.Run.Plan.Candidates))
	for i := range clocks {
		clocks[i] = clockOf(j.l.Run, i)
	}
	names := map[int32]string{}
	text := map[investigate.Sign]string{investigate.Began: "became leader", investigate.Stopped: "stopped leading"}[x.Sign]
	for i := range j.l.Run.Events {
		e := &j.l.Run.Events[i]
		switch {
		case e.Kind == trace.ClockChanged && e.Candidate >= 0:
			clocks[e.Candidate].Change(e)
		case e.Kind == trace.RunStarted:
			names[e.Candidate] = identity(e.Holder)
		case e.Kind == trace.EventRecorded && e.Holder == text && names[e.Candidate] == x.Holder:
			at = append(at, start.Add(time.Duration(clocks[e.Candidate].Wall(e.At))))
		}
	}
	at = slices.DeleteFunc(at, func(t time.Time) bool { return t.Before(x.First.Low) || !t.Before(x.Last.High) })
	if len(at) < x.Times || len(at) == 0 || !within(at[0], x.First) || !slices.ContainsFunc(at, func(t time.Time) bool { return within(t, x.Last) }) {
		j.fail("%s %s %d times, from %s to %s: it did so at %v", x.Holder, x.Sign, x.Times, timeOfDay(x.First.Low), timeOfDay(x.Last.Low), at)
	}
}

// logged fails the story unless the log of the sighting's holder has a line of its sign that is stamped within First.
func (j *judge) logged(x *investigate.Sighting) {
	step := map[investigate.Sign]evidence.Step{investigate.Acquired: evidence.Acquired, investigate.GaveUp: evidence.Lost}[x.Sign]
	for _, p := range j.l.Processes {
		for i := range p.Lines {
			if line := &p.Lines[i]; line.Step == step && pod(j.l.Run.Plan.Candidates[p.Candidate].ID) == x.Holder && within(j.l.Habits.stamped(line), x.First) {
				return
			}
		}
	}
	j.fail("%s %s at %s: it does not", x.Holder, x.Sign, timeOfDay(x.First.Low))
}

// named fails the story unless the log of the process has lines that name the sighting's holder: Times of them or more, one of them
// within First and one within Last.
func (j *judge) named(x *investigate.Sighting) {
	first, last, times := false, false, 0
	for _, p := range j.l.Processes {
		for i := range p.Lines {
			line := &p.Lines[i]
			if pod(j.l.Run.Plan.Candidates[p.Candidate].ID) != x.By || line.Identity != x.Holder {
				continue
			}
			at := line.At
			first, last, times = first || within(at, x.First), last || within(at, x.Last), times+1
		}
	}
	if !first || !last || times < x.Times {
		j.fail("%s: the log of %s names %s %d times from %s to %s: it does not", x.Sign, x.By, x.Holder, x.Times, timeOfDay(x.First.Low), timeOfDay(x.Last.Low))
	}
}

// measured fails the story unless the metric of the sighting's holder had the value of its sign at First and at Last, by
// Prometheus' clock.
func (j *judge) measured(x *investigate.Sighting) {
	for i := range j.l.Run.Plan.Candidates {
		if pod(j.l.Run.Plan.Candidates[i].ID) != x.Holder {
			continue
		}
		for _, at := range []investigate.Instant{x.First, x.Last} {
			if !j.showed(i, at, x.Sign == investigate.Leads) {
				j.fail("%s of %s between %s and %s by the clock of Prometheus: it did not", x.Sign, x.Holder, timeOfDay(at.Low), timeOfDay(at.High))
			}
		}
		return
	}
	j.fail("want a process, got %s", x.Holder)
}

// showed tells whether a candidate's metric had the value leads at some time within an instant, by the clock of Prometheus.
func (j *judge) showed(candidate int, within investigate.Instant, leads bool) bool {
	offset := j.l.Habits.Scraping.Offset
	at, until := within.Low.Sub(start)-offset, within.High.Sub(start)-offset
	if v, answers := j.l.metric(candidate, at); answers && v == leads {
		return true
	}
	for i := range j.l.Run.Events {
		e := &j.l.Run.Events[i]
		if t := time.Duration(e.At); int(e.Candidate) == candidate && t >= at && t <= until {
			if v, answers := j.l.metric(candidate, t); answers && v == leads {
				return true
			}
		}
	}
	return false
}

// unseen fails the story if it says that more terms have no object than really have none, by the record's count of transitions.
func (j *judge) unseen() {
	type term struct{ acquired, transitions int64 }
	least, greatest, terms := -1, -1, map[term]bool{}
	for i := range j.s.Sightings {
		if x := &j.s.Sightings[i]; x.Sign == investigate.Held {
			greatest = max(greatest, x.Transitions)
			if least < 0 || x.Transitions < least {
				least = x.Transitions
			}
		}
	}
	for _, c := range j.written() {
		if c != nil && c.Op.Record.Holder != "" {
			if n := c.Op.Record.Transitions; int(n) >= least && int(n) <= greatest {
				terms[term{int64(c.Op.Record.Acquire), n}] = true
			}
		}
	}
	for i := range j.s.Sightings {
		x := &j.s.Sightings[i]
		for t := range terms {
			if x.Sign == investigate.Held && int(t.transitions) == x.Transitions {
				delete(terms, t)
			}
		}
	}
	if j.s.Unseen > len(terms) {
		j.fail("%d terms are said not to be seen, but there were %d", j.s.Unseen, len(terms))
	}
}
