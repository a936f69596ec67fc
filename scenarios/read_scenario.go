package scenarios

import (
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
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
	clockFields   = []string{"offset", "driftPPM"}
	networkFields = []string{"request", "response"}
	serviceFields = []string{"clock"}
	delayFields   = []string{"min", "max"}
	faultFields   = faultFieldNames()
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

// clock decodes a clock into out, of which it leaves the fields that are not given.
func (d *decoder) clock(n *node, out *Clock) {
	d.mapping(n, "a clock", clockFields, func(name string, n *node) {
		if name == "offset" {
			out.Offset = d.duration(n)
		} else {
			out.DriftPPM = d.whole(n)
		}
	})
}

// profile decodes the name of a profile. An unknown name is left for Validate to refuse.
func (d *decoder) profile(n *node) machine.Profile {
	name := d.word(n)
	if p, known := machine.ProfileNamed(name); known {
		return p
	}
	return machine.Profile{Name: name}
}

// kind decodes one of these names. An unknown name is left for Validate to refuse, unless it is close to one of them.
func (d *decoder) kind(n *node, what string, names []string) string {
	name := d.word(n)
	if near := nearest(name, names); near != "" && near != name {
		d.fail("%s is not a %s; did you mean %s?", phrase.Quote(name), what, near)
	}
	return name
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

// delay decodes the delay of a leg: a duration, or {min: , max: }.
func (d *decoder) delay(n *node) (out Delay) {
	if n.kind != mapKind {
		if n.kind == listKind {
			d.fail("want a duration such as 1ms, or {min: 1ms, max: 5ms}; got a list")
		}
		constant := d.duration(n)
		return Delay{Min: constant, Max: constant}
	}
	d.mapping(n, "a delay", delayFields, func(name string, n *node) {
		if name == "min" {
			out.Min = d.duration(n)
		} else {
			out.Max = d.duration(n)
		}
	})
	d.need(n, "min", "a delay has both min and max, or is a single duration")
	d.need(n, "max", "a delay has both min and max, or is a single duration")
	return out
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

func (d *decoder) fault(n *node) (f Fault) {
	if k := n.get("kind"); k != nil && k.value.kind == textKind {
		f.Kind = plan.FaultKind(k.value.text)
	}
	known := f.Kind.Fields() != nil
	d.mapping(n, "a fault", faultFields, func(name string, n *node) {
		if known {
			if why := f.Kind.Refuses(name); why != "" {
				d.fail("%s", why)
			}
		}
		d.faultField(name, n, &f)
	})
	d.need(n, "kind", "want one of "+strings.Join(plan.FaultKindNames(), ", "))
	d.need(n, "at", "it is when the fault begins, such as 20s")
	return f
}

func faultFieldNames() []string {
	names := []string{"kind"}
	for _, field := range plan.FaultFields() {
		names = append(names, field.Name)
	}
	return names
}

func (d *decoder) faultField(name string, n *node, f *Fault) {
	switch name {
	case "kind":
		f.Kind = plan.FaultKind(d.word(n))
	case "at":
		f.At = d.duration(n)
	case "until":
		f.Until = new(d.duration(n))
	case "on":
		d.list(n, "a list of candidates and roles, such as [a] or [leader]", func(_ int, n *node) {
			f.On = append(f.On, d.word(n))
		})
		if len(f.On) == 0 {
			d.fail("names nobody; leave it out if everybody is meant")
		}
	case "election":
		f.Election = d.word(n)
	case "object":
		f.Object = d.kind(n, "kind of object", plan.ObjectNames())
	case "request":
		f.Request = new(d.delay(n))
	case "response":
		f.Response = new(d.delay(n))
	case "limiter":
		f.Limiter = d.duration(n)
	case "leg":
		f.Leg = plan.Leg(d.word(n))
	case "probability":
		f.Probability = new(d.number(n))
	case "verb":
		f.Verb = d.verb(n)
	case "status":
		f.Status = int(d.whole(n))
		if f.Status == 0 {
			d.fail("0 is not the status of an error; want 400 to 599")
		}
	case "applied":
		f.Applied = d.boolean(n)
	case "identity":
		f.Identity = plan.Identity(d.word(n))
	case "jump":
		f.Jump = d.duration(n)
	case "driftPPM":
		f.DriftPPM = new(d.whole(n))
	default:
		d.editField(name, n, &f.Edit)
	}
}

func (d *decoder) verb(n *node) machine.Verb {
	word := d.word(n)
	verbs := plan.Verbs()
	i := slices.IndexFunc(verbs, func(v machine.Verb) bool { return v.String() == word })
	if i < 0 {
		d.fail("%s is not a verb; want get, create or update, or none for all; locks %s have get, create, "+
			"replace, refresh, release and watch", phrase.Quote(word), strings.Join(plan.LocksThat(plan.Lock.Expires), " and "))
		return 0
	}
	return verbs[i]
}

// clone returns a pointer to a copy of what p points to, nil for nil.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
