package search

import (
	"cmp"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// size is how much there is to read in a scenario, the weightiest first.
type size struct{ elections, candidates, faults, settings, digits int }

// compare returns a negative number if s is smaller than o, 0 if they are equal: fewer elections count first, then
// candidates, faults, settings and digits.
func (s size) compare(o size) int {
	return cmp.Or(cmp.Compare(s.elections, o.elections), cmp.Compare(s.candidates, o.candidates), cmp.Compare(s.faults, o.faults),
		cmp.Compare(s.settings, o.settings), cmp.Compare(s.digits, o.digits))
}

// measure returns a scenario's size. It counts as settings the fields that a file would have to say, and as digits
// those of their numbers, without zeros at the end.
func measure(s *scenarios.Scenario) size {
	m := size{elections: len(s.Elections), candidates: len(s.Candidates), faults: len(s.Faults)}
	m.number(int64(s.Horizon), 0)
	m.delay(&s.Network.Request, time.Millisecond)
	m.delay(&s.Network.Response, time.Millisecond)
	m.number(int64(s.Service.Offset), 0)
	m.number(s.Service.DriftPPM, 0)
	for i := range s.Candidates {
		m.candidate(s, i)
	}
	for i := range s.Faults {
		m.fault(&s.Faults[i])
	}
	return m
}

// number adds a setting and its digits to m, unless n is the value that a file need not say.
func (m *size) number(n, unsaid int64) {
	if n != unsaid {
		m.said(n)
	}
}

// said adds a setting to m, and the digits of its number without zeros at the end.
func (m *size) said(n int64) {
	m.settings++
	for ; n != 0 && n%10 == 0; n /= 10 {
	}
	for ; n != 0; n /= 10 {
		m.digits++
	}
}

// flag adds a setting to m if on is true.
func (m *size) flag(on bool) {
	if on {
		m.settings++
	}
}

// delay adds the numbers of a delay that a file has to give to m. A fixed delay of length unsaid adds none.
func (m *size) delay(d *plan.Delay, unsaid time.Duration) {
	m.number(int64(d.Min), int64(unsaid))
	if d.Max != d.Min {
		m.number(int64(d.Max), 0)
	}
}

// candidate adds to m what a file says of the i-th candidate. What all candidates have alike is counted once; only identities,
// entries of other traffic and a jitter that is drawn count for each candidate.
func (m *size) candidate(s *scenarios.Scenario, i int) {
	c := &s.Candidates[i]
	m.flag(c.Identity != "" && c.Identity != c.ID)
	shared := func(get func(*scenarios.Candidate) int64, unsaid int64) {
		if i == 0 || differ(s.Candidates, get) {
			m.number(get(c), unsaid)
		}
	}
	for _, f := range numbersOf {
		shared(func(c *scenarios.Candidate) int64 { return *f.at(c) }, f.unsaid)
	}
	flags := []func(*scenarios.Candidate) bool{
		func(c *scenarios.Candidate) bool { return c.ReleaseOnCancel },
		func(c *scenarios.Candidate) bool { return c.Profile != machine.ClientGo },
		func(c *scenarios.Candidate) bool { return c.SameElector },
		func(c *scenarios.Candidate) bool { return c.OnLoss != "" },
		func(c *scenarios.Candidate) bool { return c.LivenessProbe != nil },
		func(c *scenarios.Candidate) bool { return c.Client != nil },
		func(c *scenarios.Candidate) bool { return c.Client.Repeats() },
		func(c *scenarios.Candidate) bool { return c.Jitter != nil && *c.Jitter != roundJitter },
		func(c *scenarios.Candidate) bool { return c.Client.Limits() },
	}
	shared(func(c *scenarios.Candidate) int64 {
		if c.Rejoin == nil {
			return -1
		}
		return int64(*c.Rejoin)
	}, -1)
	if c.Client != nil {
		for n := range len(c.Client.Other) {
			flags = append(flags, func(c *scenarios.Candidate) bool { return c.Client != nil && len(c.Client.Other) > n })
		}
	}
	for _, get := range flags {
		shared(func(c *scenarios.Candidate) int64 {
			if get(c) {
				return 1
			}
			return 0
		}, 0)
	}
	if c.Client != nil {
		m.settings += len(c.Client.Other)
	}
	if c.Jitter == nil {
		m.settings += 2 // a draw is worse to read than a number
	}
}

// differ tells whether get returns different values for some of the candidates.
func differ(all []scenarios.Candidate, get func(*scenarios.Candidate) int64) bool {
	for i := range all {
		if get(&all[i]) != get(&all[0]) {
			return true
		}
	}
	return false
}

// fault adds all that a file says of a fault to m.
func (m *size) fault(f *scenarios.Fault) {
	for _, field := range plan.FaultFields() {
		if field.Always || field.Set(f) {
			m.faultValue(field.In(f))
		}
	}
}

// faultValue adds what a file says of a fault's field to m; in is a pointer to the field. It does not count statuses:
// an error has one in any case, and none is plainer than another.
func (m *size) faultValue(in any) {
	switch in := in.(type) {
	case *time.Duration:
		m.said(int64(*in))
	case **time.Duration:
		m.said(int64(**in))
	case **int64:
		m.number(**in, -1)
	case **plan.Delay:
		m.delay(*in, -1)
	case *[]string:
		m.settings += len(*in)
	case **float64:
		m.settings++
		m.digits += 3
	case *plan.Identity:
		m.flag(*in != plan.SameIdentity)
	case *plan.Count:
		m.said(int64(*in))
	case *plan.Readiness:
		m.flag(*in != plan.ReadyAlways)
	case *string, **string, *plan.Leg, *machine.Verb, *bool:
		m.settings++
	}
}
