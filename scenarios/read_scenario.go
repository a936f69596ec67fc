package scenarios

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// The fields of a scenario file, in the order in which they are written.
var (
	scenarioFields = []string{
		"name", "about", "seed", "horizon", "defaults", "elections", "candidates", "network", "service", "coordinator", "faults",
		"expect",
	}
	candidateFields = []string{
		"id", "identity", "profile", "lock", "leaseDuration", "renewDeadline", "retryPeriod", "releaseOnCancel",
		"requestTimeout", "jitter", "drain", "writeEvery", "startAt", "rejoin", "sameElector", "clock",
		"onLoss", "elections", "livenessProbe", "now", "precision", "coordinated", "binaryVersion", "emulationVersion", "strategy",
	}
	networkFields = []string{"request", "response"}
	serviceFields = []string{"clock"}
)

// builtinSeed, builtinDelay and builtinCandidate are what a file means that does not say otherwise.
const (
	builtinSeed  = 1
	builtinDelay = time.Millisecond
)

// builtinCandidate returns a candidate as a file means it that gives no more than its id.
func builtinCandidate() Candidate {
	return Candidate{
		Profile: machine.ClientGo,
		Lock:    plan.Lease,
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second,
			RenewDeadline: 10 * time.Second,
			RetryPeriod:   2 * time.Second,
		},
	}
}

func (d *decoder) scenario(root *node) *Scenario {
	still := Delay{Min: builtinDelay, Max: builtinDelay}
	s := &Scenario{Plan: Plan{Seed: builtinSeed, Network: Network{Request: still, Response: still}}}
	defaults := d.defaults(root)
	elections := d.elections(root, &defaults)
	for i := range elections {
		s.Elections = append(s.Elections, elections[i].Election)
	}
	d.mapping(root, "a scenario", scenarioFields, func(name string, n *node) {
		switch name {
		case "name":
			s.Name = d.text(n)
		case "about":
			s.About = d.text(n)
		case "seed":
			s.Seed = d.unsigned(n)
		case "horizon":
			s.Horizon = d.duration(n)
		case "candidates":
			s.Candidates = d.candidates(n, &defaults, elections, root)
		case "network":
			d.network(n, &s.Network)
		case "service":
			d.mapping(n, "the service", serviceFields, func(_ string, n *node) { d.clock(n, &s.Service) })
		case "coordinator":
			s.Coordinator = d.coordinator(n)
		case "faults":
			d.list(n, "a list of faults", func(_ int, n *node) { s.Faults = append(s.Faults, d.fault(n)) })
		case "expect":
			s.Expect = d.expect(n)
		}
	})
	d.need(root, "name", "it is made of a-z, 0-9 and -")
	d.need(root, "horizon", "it is how much true time to simulate, such as 60s")
	d.need(root, "candidates", "want one or more, such as [{id: a}, {id: b}]")
	return s
}

// defaults returns what candidates start from. It is decoded first, wherever it stands in the file: of two errors the
// one in the defaults is reported, even where the other comes before it.
func (d *decoder) defaults(root *node) Candidate {
	c := builtinCandidate()
	f := root.get("defaults")
	if f == nil || f.value.kind == nullKind {
		return c
	}
	d.at(step{name: f.name, line: f.line}, func() {
		if root.electionsOf() == nil {
			d.noElections(f.value)
		}
		d.mapping(f.value, "a candidate's defaults", candidateFields[1:], func(name string, n *node) {
			d.candidateField(name, n, &c)
		})
	})
	return c
}

// candidates decodes the list of candidates. It returns an entry for each candidate, or one for each of its elections where there are several.
func (d *decoder) candidates(n *node, defaults *Candidate, elections []Candidate, root *node) []Candidate {
	all := make([]Candidate, 0, min(len(n.items), plan.MaxCandidates))
	seen := map[string]int{}
	d.list(n, "a list of candidates, such as [{id: a}, {id: b}]", func(i int, n *node) {
		if len(elections) == 0 {
			d.noElections(n)
			all = append(all, d.candidate(n, defaults))
			return
		}
		if len(all)+len(elections) > plan.MaxCandidates {
			d.fail("more than %d candidates, each counted in each of its elections", plan.MaxCandidates)
			return
		}
		for _, in := range d.takesPart(n, root, elections) {
			all = append(all, d.candidate(n, &elections[in]))
		}
		d.unlike(n, i, seen)
	})
	return all
}

// candidate decodes a candidate; what it does not give is as in base.
func (d *decoder) candidate(n *node, base *Candidate) Candidate {
	c := *base
	c.Jitter, c.Rejoin, c.LivenessProbe = clone(c.Jitter), clone(c.Rejoin), clone(c.LivenessProbe)
	d.mapping(n, "a candidate", candidateFields, func(name string, n *node) { d.candidateField(name, n, &c) })
	d.need(n, "id", "it is the candidate's name")
	return c
}

func (d *decoder) candidateField(name string, n *node, c *Candidate) {
	switch name {
	case "coordinated", "binaryVersion", "emulationVersion", "strategy":
		d.coordinatedField(name, n, c)
	case "id":
		c.ID = d.word(n)
	case "identity":
		c.Identity = d.word(n)
	case "profile":
		c.Profile = d.profile(n)
	case "lock":
		c.Lock = plan.Lock(d.kind(n, "kind of lock", plan.LockNames()))
	case "leaseDuration":
		c.LeaseDuration = d.duration(n)
	case "renewDeadline":
		c.RenewDeadline = d.duration(n)
	case "retryPeriod":
		c.RetryPeriod = d.duration(n)
	case "releaseOnCancel":
		c.ReleaseOnCancel = d.boolean(n)
	case "requestTimeout":
		c.RequestTimeout = d.duration(n)
	case "jitter":
		c.Jitter = new(d.number(n))
	case "drain":
		c.Drain = d.duration(n)
	case "writeEvery":
		c.WriteEvery = d.duration(n)
	case "startAt":
		c.StartAt = d.duration(n)
	case "rejoin":
		c.Rejoin = new(d.duration(n))
	case "sameElector":
		c.SameElector = d.boolean(n)
	case "onLoss":
		c.OnLoss = plan.OnLoss(d.kind(n, "thing to do", lossNames()))
	case "elections":
		d.names(n)
	case "livenessProbe":
		c.LivenessProbe = d.livenessProbe(n, c.LivenessProbe)
	case "clock":
		d.clock(n, &c.Clock)
	case "now":
		c.Now = plan.Now(d.kind(n, "clock", []string{string(plan.CallerNow), string(plan.DatabaseNow)}))
	case "precision":
		c.Precision = d.duration(n)
	}
}

// profile decodes the name of a profile. An unknown name is left for Validate to refuse.
func (d *decoder) profile(n *node) machine.Profile {
	name := d.word(n)
	if p, known := machine.ProfileNamed(name); known {
		return p
	}
	return machine.Profile{Name: name}
}

func (d *decoder) network(n *node, out *Network) {
	d.mapping(n, "the network", networkFields, func(name string, n *node) {
		if name == "request" {
			out.Request = d.delay(n)
		} else {
			out.Response = d.delay(n)
		}
	})
}

func (d *decoder) expect(n *node) map[string]Expectation {
	if n.kind != mapKind {
		d.fail("want a mapping from properties to verdicts, such as {single-work: violated}; got %s", n)
		return nil
	}
	if len(n.fields) == 0 {
		return nil
	}
	out := make(map[string]Expectation, len(n.fields))
	d.each(n, func(name string, n *node) {
		if !slices.Contains(properties(), name) {
			d.fail("%s (there are %s)", unknown("property", name, properties()), list(properties()))
		}
		out[name] = Expectation(d.word(n))
	})
	return out
}

// clone returns a pointer to a copy of what p points to, nil for nil.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
