package scenarios

import (
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// The fields of a scenario file, in the order in which they are written.
var (
	scenarioFields = []string{
		"name", "about", "seed", "horizon", "defaults", "elections", "candidates", "network", "service", "coordinator", "faults",
		"expect",
	}
	serviceFields = []string{"clock"}
)

// scenario decodes the whole file. root is its top-level mapping.
func (d *decoder) scenario(root *node) *Scenario {
	s := &Scenario{Plan: Plan{Seed: builtinSeed, Network: builtinNetwork()}}
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
			fields(d, n, "the network", networkFields, &s.Network)
		case "service":
			d.mapping(n, "the service", serviceFields, func(_ string, n *node) { d.value(n, &s.Service) })
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

// defaults decodes the file's defaults for candidates. Fields that they do not give have the built-in values. They are
// decoded before the other fields, wherever they are in the file, so that an error in them is reported first.
func (d *decoder) defaults(root *node) Candidate {
	c := plan.DefaultCandidate()
	f := root.get("defaults")
	if f == nil || f.value.kind == nullKind {
		return c
	}
	d.at(step{name: f.name, line: f.line}, func() {
		if root.electionsOf() == nil {
			d.noElections(f.value)
		}
		timeoutByKind(f.value, &c)
		d.mapping(f.value, "a candidate's defaults", names(plan.CandidateFields()[1:]), func(name string, n *node) {
			d.candidateField(name, n, &c)
		})
	})
	return c
}

// candidates decodes n, the list of candidates. It returns an entry for each candidate, or, if the file has elections, one
// for each election that the candidate takes part in. Fields that a candidate does not give come from defaults, or from the
// entry in elections.
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
		d.refuseSameID(n, i, seen)
	})
	return all
}

// expect decodes n, a mapping from properties to expected verdicts; nil if it is empty.
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
		if !slices.Contains(check.Names(), name) {
			d.fail("%s (there are %s)", unknown("property", name, check.Names()), phrase.And(check.Names()))
		}
		out[name] = Expectation(d.word(n))
	})
	return out
}
