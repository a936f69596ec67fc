package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// A block is so many runs, of which the last ones are mutations of those among the first that came closest to two leaders.
// Blocks know nothing of each other, so that a campaign is the same in whatever order and on however many machines its
// blocks run.
const (
	BlockRuns = 64
	freshRuns = 48
	parents   = 4
)

// Block is what became of a block's runs.
type Block struct {
	Block uint64 `json:"block"`
	// Failures are the runs that violated something, by seed.
	Failures []Failure `json:"failures,omitempty"`
	// MarginNs is the shortest time from the end of one candidate's work to the start of another's, and MarginSeed the
	// run that had it. NoMargin where nobody ever took over.
	MarginNs   int64  `json:"marginNs"`
	MarginSeed uint64 `json:"marginSeed"`
	// MarginCorpus is where that run comes from, if from a corpus.
	MarginCorpus *Origin `json:"marginCorpus,omitempty"`
	// Witnesses are the names of those that were seen, with the number of runs.
	Witnesses map[string]int `json:"witnesses"`
	Events    uint64         `json:"events"`
	// Failovers are the times, in milliseconds, from the crash of the only leader to the start of the next one's work.
	// Vacant counts the crashes after which nobody worked before the run had ended.
	Failovers Times `json:"failoversMs"`
	Vacant    int   `json:"vacant,omitempty"`
}

// NoMargin is the margin of what had no takeover.
const NoMargin = math.MaxInt64

// Failure is a run that violated properties, or that could not be run to its end.
type Failure struct {
	Seed       uint64   `json:"seed"`
	Properties []string `json:"properties,omitempty"`
	// OverlapNs is for how long, at most, two worked at once.
	OverlapNs int64 `json:"overlapNs,omitempty"`
	// Error is that of a run that stood still.
	Error string `json:"error,omitempty"`
	// Corpus is where the run comes from, if from a corpus.
	Corpus *Origin `json:"corpus,omitempty"`
}

// Run runs a block.
func (t *Target) Run(block uint64) *Block {
	b, _ := t.runUntil(block, BlockRuns)
	return b
}

// Find returns the scenario of a seed, which says where in a campaign the run is.
func (t *Target) Find(seed uint64) *scenarios.Scenario {
	_, s := t.runUntil(seed/BlockRuns, int(seed%BlockRuns)+1)
	return s
}

// runUntil runs the first n runs of a block, and returns the last one's scenario too.
func (t *Target) runUntil(block uint64, n int) (*Block, *scenarios.Scenario) {
	b := &Block{Block: block, MarginNs: NoMargin, Witnesses: map[string]int{}}
	var closest []attempt
	var s *scenarios.Scenario
	for i := range uint64(n) {
		seed := block*BlockRuns + i
		var origin *Origin
		if s, origin = t.inherit(seed); origin != nil {
			b.run(t, s, seed, origin)
			continue
		}
		if i < freshRuns || len(closest) == 0 {
			s = t.Scenario(seed)
		} else {
			s = t.mutant(closest[int(i)%len(closest)].scenario, seed)
		}
		margin := b.run(t, s, seed, nil)
		if i < freshRuns {
			closest = append(closest, attempt{s, margin})
		}
		if i == freshRuns-1 {
			slices.SortStableFunc(closest, func(x, y attempt) int { return cmp.Compare(x.margin, y.margin) })
			closest = slices.Clip(closest[:parents])
		}
	}
	return b, s
}

// attempt is a run and its margin.
type attempt struct {
	scenario *scenarios.Scenario
	margin   int64
}

// run runs a scenario, adds what came of it to the block, and returns its margin: the shortest time between two candidates' work.
func (b *Block) run(t *Target, s *scenarios.Scenario, seed uint64, o *Origin) int64 {
	h := s.Header()
	coverage, elections := check.NewCoverage(h), trace.NewByElection(h, newHandovers)
	r, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{coverage, &elections}})
	if err != nil {
		b.Failures = append(b.Failures, Failure{Seed: seed, Error: err.Error(), Corpus: o.of(s)})
		return NoMargin
	}
	if broken := t.surprises(r, s, o); len(broken) > 0 {
		b.Failures = append(b.Failures, Failure{Seed: seed, Properties: broken, OverlapNs: overlap(r), Corpus: o.of(s)})
	}
	shortest := int64(NoMargin)
	for _, own := range elections.Observers {
		shortest = min(shortest, own.miss.shortest)
		if err := b.succession(&own.vacancies); err != nil {
			b.Failures = append(b.Failures, Failure{Seed: seed, Error: err.Error()})
		}
	}
	for _, w := range coverage.Seen() {
		b.Witnesses[w]++
	}
	b.Events += r.Stats.Events
	if shortest < b.MarginNs {
		b.MarginNs, b.MarginSeed, b.MarginCorpus = shortest, seed, o
	}
	return shortest
}

// succession adds the times that it took to replace leaders that crashed.
func (b *Block) succession(f *failovers) error {
	for _, ns := range f.lengths {
		if err := b.Failovers.add(ns/int64(time.Millisecond), 1); err != nil {
			return err
		}
	}
	if f.vacant >= 0 {
		b.Vacant++
	}
	return nil
}

// overlap is the longest time for which two worked at once.
func overlap(r *scenarios.Result) int64 {
	for i := range r.Properties {
		if r.Properties[i].Name == check.SingleWork {
			return r.Properties[i].OverlapNs
		}
	}
	return 0
}

// nearMiss finds the shortest time between two candidates' work.
type nearMiss struct {
	// last is whose work ended last, and ended when.
	last     int32
	ended    int64
	shortest int64
}

// observe takes in an event, and keeps the shortest time from the end of one candidate's work to the start of another's.
func (m *nearMiss) observe(e *trace.Event) {
	switch {
	case e.Kind == trace.WorkEnded:
		m.last, m.ended = e.Candidate, e.At
	case e.Kind == trace.WorkStarted && m.last >= 0 && m.last != e.Candidate:
		m.shortest = min(m.shortest, e.At-m.ended)
	}
}

// mutant returns a copy of a scenario, changed at random in one to three places.
func (t *Target) mutant(parent *scenarios.Scenario, seed uint64) *scenarios.Scenario {
	w := &swarm{Rand: rand.New(rand.NewPCG(seed, 0x6d757461)), target: t, s: clone(parent)}
	w.timings = parent.Candidates[0].Timings
	w.s.Name, w.s.Seed = name(seed), seed
	w.apart = t.Limits.MaxClockOffset - t.apart(w.s)
	for _, f := range w.s.Faults {
		if f.Kind == plan.FaultPause {
			w.frozen += *f.Until - f.At // fit gives every pause an end
		}
	}
	for range 1 + w.IntN(3) {
		w.mutate()
	}
	return w.s
}

// mutate makes one random change: it adds, removes, moves or stretches a fault, or moves a candidate's start.
func (w *swarm) mutate() {
	s, calm := w.s, w.s.Horizon*2/3
	nudge := func() time.Duration {
		d := w.spread(1, w.timings.LeaseDuration)
		if w.one(2) {
			return -d
		}
		return d
	}
	if i := len(s.Faults); i > 0 && !w.one(4) {
		f := &s.Faults[w.IntN(i)]
		switch {
		case w.one(4):
			at := w.IntN(i)
			s.Faults = slices.Delete(s.Faults, at, at+1)
		case f.Until == nil:
			f.At = min(calm-1, max(0, f.At+nudge()))
		case w.one(2):
			until := max(f.At+1, min(calm, *f.Until+nudge()))
			if f.Kind != plan.FaultPause || until < *f.Until {
				f.Until = &until
			}
		default:
			length := *f.Until - f.At
			f.At = min(calm-1, max(0, f.At+nudge()))
			until := max(f.At+1, min(calm, f.At+length))
			f.Until = &until
		}
		return
	}
	if w.one(2) {
		c := &s.Candidates[w.IntN(len(s.Candidates))]
		at := max(0, c.StartAt+nudge()/8)
		for i := range s.Candidates {
			if s.Candidates[i].ID == c.ID {
				s.Candidates[i].StartAt = at
			}
		}
		return
	}
	kinds := w.target.Limits.kinds()
	s.Faults = append(s.Faults, w.fault(kinds[w.IntN(len(kinds))], calm))
}
