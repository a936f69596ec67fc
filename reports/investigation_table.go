package reports

import (
	"slices"
	"time"

	"interregnum/internal/investigate"
	"interregnum/reports/internal/words"
)

// TermTable returns the table of the lock's terms. If there are more terms than most, it has rows for the last ones, as many as
// most says.
func (x *LockStory) TermTable(most int) Table {
	t := Table{Columns: []string{"holder", "first write", "last write", "certainly worked"}, Left: max(0, len(x.Terms)-most)}
	for i := t.Left; i < len(x.Terms); i++ {
		u := &x.Terms[i]
		t.Rows = append(t.Rows, []string{x.Holder(i), ClockTime(x.Writes[u.First].Received), ClockTime(x.Writes[u.Last].Received), surely(&u.Worked)})
	}
	return t
}

// surely returns, as text, the time for which it is certain that what the span x is about went on: from the latest possible start
// to the earliest possible end. It returns "not known" if there is no such time.
func surely(x *investigate.Span) string {
	from, until := x.Start.High, x.End.Low
	if from.IsZero() || until.IsZero() || !from.Before(until) {
		return "not known"
	}
	return ClockTime(from) + " to " + ClockTime(until)
}

// SightingTable returns the table of what objects, events, metrics and logs show of the lock. If there are more sightings than
// most, it has rows for the last ones, as many as most says.
func (x *LockStory) SightingTable(most int) Table {
	t := Table{Columns: []string{"holder", "what is seen", "first", "last", "or later by", "times", "by the clock of"}, Left: max(0, len(x.Sightings)-most)}
	for i := t.Left; i < len(x.Sightings); i++ {
		s := &x.Sightings[i]
		holder := HolderName(s.Holder)
		clock := "its host"
		switch s.Sign {
		case investigate.Freed:
			holder, clock = "nobody", "who wrote it"
		case investigate.Leads, investigate.Idle:
			clock = "Prometheus"
		case investigate.Named:
			clock = words.Visible(s.By, words.MaxLabel)
		}
		if s.Relayed {
			clock = "what gathered the log, later"
		}
		t.Rows = append(t.Rows, []string{holder, string(s.Sign), ClockTime(s.First.Low), ClockTime(s.Last.Low),
			words.Duration(max(laterBy(s.First), laterBy(s.Last))), words.Count(s.Times), clock})
	}
	return t
}

// laterBy returns by how much an instant's upper bound is later than its lower bound as ClockTime shows that. If ClockTime cuts off
// the lower bound, it rounds the result up to a multiple of shownUnit.
func laterBy(i investigate.Instant) time.Duration {
	shown := i.Low.Truncate(shownUnit)
	late := i.High.Sub(shown)
	if !shown.Equal(i.Low) {
		late = (late + shownUnit - 1).Truncate(shownUnit)
	}
	return late
}

// Asked tells whether a request of a process about the lock is logged.
func (x *LockStory) Asked() bool {
	return slices.ContainsFunc(x.Processes, func(p investigate.Process) bool { return len(p.Requests) > 0 })
}

// ProcessTable returns the table of the processes that asked for the lock, without the columns of requests if none is logged. If there
// are more processes than most, it has rows for the first ones, as many as most says.
func (x *LockStory) ProcessTable(most int) Table {
	asked, read := x.Asked(), slices.ContainsFunc(x.Processes, func(p investigate.Process) bool { return p.Reads > 0 })
	t := Table{Columns: []string{"process", "reads", "writes", "accepted", "refused", "failed", "slowest", "names", "starts"}, Left: max(0, len(x.Processes)-most)}
	if !asked {
		t.Columns = []string{"process", "starts"}
	}
	for i := range x.Processes[:len(x.Processes)-t.Left] {
		p := &x.Processes[i]
		stands := "not logged"
		if p.Stands > 0 {
			stands = words.Count(p.Stands)
		}
		row := []string{processName(p.Name, p.Agent, p.From)}
		if asked {
			row = append(row, askedFor(p, read)...)
		}
		t.Rows = append(t.Rows, append(row, stands))
	}
	return t
}

// askedFor returns the cells of a process about its requests: reads, writes, accepted, refused, failed, slowest and names. For a
// process without a logged request the first two say so, and the others are empty. read tells whether anybody's reads are logged.
func askedFor(p *investigate.Process, read bool) []string {
	if len(p.Requests) == 0 {
		return []string{"none logged", "none logged", "", "", "", "", ""}
	}
	reads, slowest := words.Count(p.Reads), words.Duration(p.Slowest)
	if !read {
		reads = "none logged"
	}
	if p.Untimed {
		slowest = "not known"
	}
	return []string{reads, words.Count(p.Writes), words.Count(p.Accepted), words.Count(p.Refused), words.Count(p.Failed), slowest, words.Count(p.Names)}
}

// processName returns a text that names a process: by its holders' name or, if that is "", by its client's user agent and
// address.
func processName(name, agent, from string) string {
	if name != "" {
		return words.Visible(name, 2*words.MaxLabel)
	}
	if agent == "" {
		agent = "an unknown client"
	}
	if from != "" {
		agent += " at " + from
	}
	return words.Visible(agent, 2*words.MaxLabel)
}
