package reports

import (
	"slices"

	"interregnum/internal/trace"
)

// Each of several elections but the first has a lock service of its own in the file, after all candidates, for who holds
// its lock and how many work. Requests and faults stay with the first.

// openElections makes room for each election's holders and counter, and names the processes of the elections' lock
// services.
func (p *Perfetto) openElections() {
	n := max(len(p.header.Elections), 1)
	p.working, p.holders = make([]int, n), make([][trace.Objects]perfettoSlice, n)
	for i, name := range p.header.Elections {
		pid := p.serviceOf(int32(i))
		p.nameProcess(pid, "lock of "+name, i+len(p.header.Candidates)*min(i, 1))
		if i > 0 {
			p.nameThreads(pid, p.holderThreads())
		}
	}
}

// serviceOf returns the process id of an election's lock service.
func (p *Perfetto) serviceOf(election int32) int {
	if election == 0 {
		return servicePID
	}
	return pidOf(int32(len(p.header.Candidates)) + election - 1)
}

// election is the index of the one that an event is about, 0 where there is but one.
func (p *Perfetto) election(e *trace.Event) int32 {
	if e.Candidate == trace.Nobody {
		return e.Election
	}
	return int32(max(slices.Index(p.header.Elections, p.header.Candidates[e.Candidate].Election), 0))
}

// holder returns the slice that shows whom the record names, of the record that an event is about.
func (p *Perfetto) holder(e *trace.Event) *perfettoSlice { return &p.holders[p.election(e)][e.Object] }

// crashedAs is what the end of a process is called.
func crashedAs(why trace.Cause) string {
	switch why {
	case trace.Exited:
		return "exited"
	case trace.ProbeFailed:
		return "killed by its liveness probe"
	}
	return "crashed"
}
