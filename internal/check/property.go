// Package check judges a run by its events: one file a property, each an online fold that looks into nothing
// but the trace.
package check

import (
	"cmp"
	"slices"

	"interregnum/internal/explain"
	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// Verdict is what a property says of a run.
type Verdict string

// The three verdicts.
const (
	Held         Verdict = "held"
	Violated     Verdict = "violated"
	Inconclusive Verdict = "inconclusive"
)

// Kind is what sort of claim a property makes.
type Kind string

// The three kinds.
const (
	Always     Kind = "always"
	Sometimes  Kind = "sometimes"
	Eventually Kind = "eventually"
)

// Violation is a stretch of true time, [FromNs, ToNs), in which a property did not hold.
// What happened at an instant has FromNs = ToNs.
type Violation struct {
	FromNs int64 `json:"fromNs"`
	ToNs   int64 `json:"toNs"`
	// Candidates are all that took part; of an overlap of more than two not all need be part of it all the time.
	Candidates []string `json:"candidates"`
	// Election is whose, "" where there is but one.
	Election string `json:"election,omitempty"`
	// Explanations are of each two candidates whose work overlapped, where they were asked for.
	Explanations []explain.Explanation `json:"explanations,omitempty"`
}

// Names returns the names by which reports call the violation's candidates.
func (v *Violation) Names() []string { return InElection(v.Election, v.Candidates...) }

// InElection returns the names by which reports call the candidates with these ids in an election. election is "" if there is
// only one.
func InElection(election string, ids ...string) []string {
	names := slices.Clone(ids)
	for i := range names {
		names[i] = (&trace.Candidate{ID: ids[i], Election: election}).Name()
	}
	return names
}

// Property is a property's verdict on one run.
type Property struct {
	Name    string  `json:"name"`
	Kind    Kind    `json:"kind"`
	Verdict Verdict `json:"verdict"`
	// Why says in a few words why liveness is inconclusive. It is "" for all other verdicts and properties.
	Why string `json:"why,omitempty"`
	// OverlapNs is the length of the longest violation.
	OverlapNs  int64       `json:"overlapNs"`
	Violations []Violation `json:"violations"`
}

// Named returns the property of that name, nil if it is not among the properties.
func Named(properties []Property, name string) *Property {
	if i := slices.IndexFunc(properties, func(p Property) bool { return p.Name == name }); i >= 0 {
		return &properties[i]
	}
	return nil
}

// found holds the violations that a fold has found so far in an election. header is the header of that election alone.
type found struct {
	header     *trace.Header
	violations []Violation
}

// again returns what a fold has found before a run of that header: nothing. It has the memory of f.
func (f *found) again(h *trace.Header) found { return found{header: h, violations: f.violations[:0]} }

// violate adds a violation from one instant to another, in nanoseconds of true time. candidates are the indices of those who took
// part. f.header must be that of one election.
func (f *found) violate(from, to int64, candidates ...int32) {
	n := len(f.violations)
	f.violations = reuse.Sized(f.violations, n+1)
	v := &f.violations[n]
	if v.Candidates == nil {
		v.Candidates = []string{} // in JSON a list without entries, and not null
	}
	*v = Violation{FromNs: from, ToNs: to, Candidates: v.Candidates[:0], Election: f.header.Candidates[0].Election}
	for _, c := range candidates {
		v.Candidates = append(v.Candidates, f.header.Candidates[c].ID)
	}
}

// verdict returns a Property with the violations found so far and the length of the longest, without its name and kind. It is
// held if there are none, otherwise violated. The horizon makes no difference.
func (f *found) verdict(int64) Property {
	p := Property{Verdict: Held, Violations: []Violation{}}
	if len(f.violations) == 0 {
		return p
	}
	p.Verdict, p.Violations = Violated, f.violations
	for _, v := range f.violations {
		p.OverlapNs = max(p.OverlapNs, v.ToNs-v.FromNs)
	}
	return p
}

// keep has p keep its violations in memory of its own, that no later run uses.
func (p *Property) keep() {
	p.Violations = slices.Clone(p.Violations)
	for i := range p.Violations {
		v := &p.Violations[i]
		v.Candidates = slices.Clone(v.Candidates)
	}
}

// merge adds to p the verdict q that another election gave the same property. The worse of the two verdicts counts, and the longer
// overlap. p then has the violations of both, sorted by the time at which they begin.
func (p *Property) merge(q *Property) {
	if q.Verdict.worse(p.Verdict) {
		p.Verdict, p.Why = q.Verdict, q.Why
	}
	p.OverlapNs = max(p.OverlapNs, q.OverlapNs)
	p.Violations = append(slices.Clip(p.Violations), q.Violations...) // in no fold's memory
	slices.SortStableFunc(p.Violations, func(a, b Violation) int { return cmp.Compare(a.FromNs, b.FromNs) })
}

// worse tells whether v is a worse verdict than the other. Inconclusive is between held and violated.
func (v Verdict) worse(than Verdict) bool {
	rank := []Verdict{Held, Inconclusive, Violated}
	return slices.Index(rank, v) > slices.Index(rank, than)
}
