package search

import (
	"cmp"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/scenarios"
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
	m.everyone(s.Candidates)
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

// usualCandidate has what a file need not say of a candidate. Its settings are usual, and the client that it has not is noClient.
var (
	usualCandidate = plan.DefaultCandidate()
	noClient       plan.Client
	usual          = settingsOf(&usualCandidate)
)

// everyone adds to m what a file says of candidates. What all have alike is counted once; only identities, entries of other traffic
// and a jitter that is drawn count for each candidate.
func (m *size) everyone(all []scenarios.Candidate) {
	of := make([]settings, len(all))
	for i := range all {
		of[i] = settingsOf(&all[i])
	}
	for i := range all {
		for k, n := range of[i] {
			if i == 0 || slices.ContainsFunc(of, func(other settings) bool { return other.at(k) != of[0].at(k) }) {
				m.number(n, usual.at(k))
			}
		}
		c := &all[i]
		m.flag(c.Identity != "" && c.Identity != c.ID)
		if c.Client != nil {
			m.settings += len(c.Client.Other)
		}
		if c.Jitter == nil {
			m.settings += 2 // a draw is worse to read than a number
		}
	}
}

// settings is what a candidate has for its fields, as numbers: 1 and 0 for what it has and has not.
type settings []int64

// at returns the k-th number, 0 if there are not so many.
func (s settings) at(k int) int64 {
	if k < len(s) {
		return s[k]
	}
	return 0
}

// settingsOf returns the settings of a candidate. Texts and other traffic are not among them, except that there is one for each entry of
// other traffic, at the end.
func settingsOf(c *scenarios.Candidate) settings {
	s := make(settings, 0, 2*len(plan.CandidateFields()))
	for _, field := range plan.CandidateFields() {
		switch in := field.In(c).(type) {
		case *string:
		case *time.Duration:
			s = append(s, int64(*in))
		case **time.Duration:
			n := time.Duration(-1)
			if *in != nil {
				n = **in
			}
			s = append(s, int64(n))
		case *plan.Clock:
			s = append(s, int64(in.Offset), in.DriftPPM)
		case plan.Draws:
			s = append(s, flag(*in.Rest != nil && **in.Rest != roundJitter))
		default:
			s = append(s, flag(!field.Alike(c, &usualCandidate)))
		}
	}
	client := cmp.Or(c.Client, &noClient)
	for _, field := range plan.ClientFields() {
		if field.Name != "burst" && field.Name != "other" { // a burst goes with qps
			s = append(s, flag(!field.Alike(client, &noClient)))
		}
	}
	return append(s, slices.Repeat([]int64{1}, len(client.Other))...)
}

// flag returns 1 if on is true, otherwise 0.
func flag(on bool) int64 {
	if on {
		return 1
	}
	return 0
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
