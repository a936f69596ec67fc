package adversary

import (
	"errors"
	"fmt"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/fate"
	"interregnum/plan"
	"interregnum/scenarios"
)

// Scenario returns the plan g as a scenario file with that name, whose run shows the same overlap. It returns an error if such a
// file cannot express something of the plan, if the plan cannot be run, or if the file shows another overlap. In the last case it
// returns the file too.
func Scenario(c *Case, g *Genome, name string) (*scenarios.Scenario, error) {
	s := newStaging(c, g)
	out := s.run()
	if out.Err != nil {
		return nil, out.Err
	}
	p := s.base
	p.Faults = s.said
	var cannot []error
	for i := range p.Candidates {
		cannot = append(cannot, s.says(p, i)...)
	}
	if err := errors.Join(cannot...); err != nil {
		return nil, err
	}
	file := &scenarios.Scenario{Name: name, About: c.String(), Plan: *p, Expect: map[string]scenarios.Expectation{}}
	for _, property := range check.Names() {
		file.Expect[property] = scenarios.ExpectAny
	}
	want := max(0, out.overlap(g.Horizon))
	if want > 0 {
		file.Expect["single-work"] = scenarios.ExpectViolated
	}
	got, err := Replayed(file)
	if err == nil && got != want {
		err = fmt.Errorf("the order of two events at one instant: as a file it shows an overlap of %v, the plan shows %v", got, want)
	}
	return file, err
}

// Replayed runs a scenario, and returns the longest overlap that the run shows; 0 if there is none. It returns an error if the
// scenario does not run, or if its result does not have the property single-work.
func Replayed(s *scenarios.Scenario) (time.Duration, error) {
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	if err != nil {
		return 0, err
	}
	if p := check.Named(r.Properties, check.SingleWork); p != nil {
		return time.Duration(p.OverlapNs), nil
	}
	return 0, errors.New("no property single-work in the result")
}

// draws returns what the i-th candidate drew, in turn: first has the first draws, and rest is the one that all after them
// have; nil and 0 if it drew none.
func (s *staging) draws(i int) (first []float64, rest float64) {
	for _, at := range s.out.Drew[i] {
		first = append(first, s.g.Parts[i].jitter(at))
	}
	if len(first) == 0 {
		return nil, 0
	}
	rest = first[len(first)-1]
	for len(first) > 0 && first[len(first)-1] == rest {
		first = first[:len(first)-1]
	}
	return first, rest
}

// says writes into the simulator's plan p, in the words of a scenario file, what the i-th candidate met: it sets the draws of jitter,
// Rejoin and SameElector of that candidate, and appends the faults of its requests to p.Faults. It returns an error for each thing
// that such a file cannot express.
func (s *staging) says(p *plan.Plan, i int) (cannot []error) {
	part, x := &s.g.Parts[i], &p.Candidates[i]
	first, rest := s.draws(i)
	x.FirstJitters, x.Jitter = first, &rest
	x.Rejoin, x.SameElector = nil, false
	if n := min(s.actors[i].runs, len(part.Reruns)); s.c.Env.Reruns && n > 0 {
		again := max(0, part.Reruns[0])
		x.Rejoin, x.SameElector = &again, true
		for _, r := range part.Reruns[1:n] {
			if max(0, r) != again {
				cannot = append(cannot, fmt.Errorf("times after which Runs begin again that differ: %s after %v", x.ID, part.Reruns[:n]))
				break
			}
		}
		if s.actors[i].runs > n {
			cannot = append(cannot, fmt.Errorf("a Run that is not followed by another, where earlier ones were: number %d of %s", n+1, x.ID))
		}
	}
	met := map[time.Duration]time.Duration{}
	for k := range s.actors[i].asked {
		q := &s.actors[i].asked[k]
		if q.called == never {
			continue
		}
		f := q.fate
		f.Hold = q.hold
		arrived := s.out.Sent[q.index].Arrived
		p.Faults = append(p.Faults, f.Faults(x.ID, fate.Times{Called: q.called, Sent: q.sent, Arrived: arrived})...)
		if arrived == never {
			continue
		}
		if other, clash := met[arrived]; clash {
			cannot = append(cannot, fmt.Errorf("two requests of a candidate that arrive at one instant: of %s, sent at %v and %v, at %v",
				x.ID, other, q.sent, arrived))
		}
		met[arrived] = q.sent
	}
	return cannot
}
