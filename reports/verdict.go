package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/internal/trace"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// PropertyOf returns a property of a result, by its name. It returns a zero Property if r is nil or has no such property.
func PropertyOf(r *scenarios.Result, name string) check.Property {
	if r != nil {
		if p := check.Named(r.Properties, name); p != nil {
			return *p
		}
	}
	return check.Property{}
}

// Violations returns the violations of the property with that name; none if r is nil or lacks it.
func Violations(r *scenarios.Result, property string) []check.Violation {
	return PropertyOf(r, property).Violations
}

// verdictOf returns one verdict on a whole run: the names of the violated properties; if there are none, "inconclusive" and the
// names of such properties; if there are none of these either, "held".
func verdictOf(r *scenarios.Result) string {
	var violated, unclear []string
	for i := range r.Properties {
		switch r.Properties[i].Verdict {
		case check.Violated:
			violated = append(violated, r.Properties[i].Name)
		case check.Inconclusive:
			unclear = append(unclear, r.Properties[i].Name)
		}
	}
	switch {
	case len(violated) > 0:
		return strings.Join(violated, ", ")
	case len(unclear) > 0:
		return "inconclusive: " + strings.Join(unclear, ", ")
	}
	return "held"
}

// Headline returns a sentence on whether the run shows a split brain, with the longest one and how many there are. It also says so
// if nobody can tell, and if a violation of single-work is an instant, at which one begins work while another holds the lock. h is
// the run's header: if it has several elections, leaders of two of them are no split brain, and the sentence says so.
func Headline(h *trace.Header, r *scenarios.Result) string {
	all := Violations(r, check.SingleWork)
	if PropertyOf(r, check.SingleWork).Verdict == check.Inconclusive { // only electiontest has such a verdict
		return "nobody can tell whether two candidates worked at once"
	}
	switch {
	case len(all) > 0:
	case len(h.Elections) > 0:
		return "no split brain: at no instant do two candidates of one election work"
	default:
		return "no split brain: at no instant do two candidates work"
	}
	worst := slices.MaxFunc(all, func(a, b check.Violation) int { return cmp.Compare(a.ToNs-a.FromNs, b.ToNs-b.FromNs) })
	if worst.FromNs == worst.ToNs { // only electiontest has such ones
		names := worst.Names()
		return fmt.Sprintf("SPLIT BRAIN: %s begins work at %s, while the lock is held by %s", names[0], words.Duration(all[0].FromNs), names[1])
	}
	times := ""
	if len(all) > 1 {
		times = fmt.Sprintf(", %s times; the longest", words.Count(len(all)))
	}
	return fmt.Sprintf("SPLIT BRAIN%s: %s work at once for %s, from %s to %s", times, Parties(&worst, phrase.And(worst.Names())),
		words.Duration(worst.ToNs-worst.FromNs), words.Duration(worst.FromNs), words.Duration(worst.ToNs))
}

// Parties returns names, which are the candidates of a violation as text. If there are more than two, it puts "two or more of"
// before them, since not all of them need take part all the time.
func Parties(v *check.Violation, names string) string {
	if len(v.Candidates) > 2 {
		return "two or more of " + names
	}
	return names
}

// Extent returns how long the worst violation of a property was, such as "overlap 2s"; "" if none has a length. For properties
// other than single-work and single-belief it is by how much a time was too short, such as "short by 2s".
func Extent(p *check.Property) string {
	switch {
	case p.OverlapNs == 0:
		return ""
	case p.Name == check.SingleWork || p.Name == check.SingleBelief:
		return "overlap " + words.Duration(p.OverlapNs)
	}
	return "short by " + words.Duration(p.OverlapNs)
}

// Length returns how long a violation lasted, as text; "at once" for an instant.
func Length(v *check.Violation) string {
	if v.ToNs <= v.FromNs {
		return "at once"
	}
	return words.Duration(v.ToNs - v.FromNs)
}
