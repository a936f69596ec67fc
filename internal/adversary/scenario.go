package adversary

import (
	"errors"
	"fmt"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/fate"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
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

// keepable returns a scenario file for the plan f, with that name, and the overlap that the file shows. If no file can express f,
// it takes a similar plan, in which each candidate has a single draw of jitter and the overlap is least or longer. It returns an
// error if it finds no file for either; the error says why f has none.
func keepable(c *Case, f *found, least time.Duration, name string) (*scenarios.Scenario, time.Duration, error) {
	file, err := Scenario(c, f.g, name)
	if err == nil {
		return file, f.score, nil
	}
	other := sayable(c, f, least)
	if file, also := Scenario(c, other.g, name); also == nil {
		return file, other.score, nil
	}
	return nil, 0, fmt.Errorf("a scenario file cannot say this plan: %w", err)
}

// sayable searches for a plan like f in which each candidate has a single draw of jitter, with an overlap of least or longer. It
// returns f itself if it finds none.
func sayable(c *Case, f *found, least time.Duration) *found {
	k := &climber{c: c, w: Simulated{}, d: newDraw(1, 3), limit: 1 << 30, enough: bound.MaxDuration}
	k.d.evenly = true
	at := &island{of: overlap, cold: true}
	for i := range f.g.Parts {
		for n := -1; n < min(len(f.o.Drew[i]), mostDraws); n++ {
			g := f.g.tidy(f.o)
			g.oneJitter(f.o)
			if n >= 0 {
				g.Parts[i].Jitter = f.g.Parts[i].jitter(f.o.Drew[i][n])
			}
			at.take(k.try(g))
		}
	}
	k.sweep(at, 2000)
	if at.best.score < least {
		return f
	}
	return at.best
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

// says writes into the simulator's plan p, in the words of a scenario file, what the i-th candidate met: it sets Jitter, Rejoin
// and SameElector of that candidate, and appends the faults of its requests to p.Faults. It returns an error for each thing that
// such a file cannot express.
func (s *staging) says(p *plan.Plan, i int) (cannot []error) {
	part, x := &s.g.Parts[i], &p.Candidates[i]
	x.Jitter = new(float64)
	for n, at := range s.out.Drew[i] {
		if n == 0 {
			*x.Jitter = part.jitter(at)
		} else if other := part.jitter(at); other != *x.Jitter {
			cannot = append(cannot, fmt.Errorf("a candidate's draws of jitter that differ: %s draws %v, and then %v", x.ID, *x.Jitter, other))
			break
		}
	}
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
