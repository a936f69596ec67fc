package scenarios

import (
	"slices"
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// faultFields are the fields of a fault in a file. The table plan.FaultFields decides them and their order.
var faultFields = faultFieldNames()

// faultFieldNames returns the names of a fault's fields in a file: kind, then those of plan.FaultFields.
func faultFieldNames() []string {
	names := []string{"kind"}
	for _, field := range plan.FaultFields() {
		names = append(names, field.Name)
	}
	return names
}

// fault decodes n into a Fault; kind and at are required. The field kind, wherever it is in n, decides which other fields are
// allowed. If it is unknown, any are: Validate then refuses the kind.
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
		if name == "kind" {
			f.Kind = plan.FaultKind(d.oneOf(n, "fault kind", plan.FaultKindNames()))
			return
		}
		for _, field := range plan.FaultFields() {
			if field.Name == name {
				d.faultValue(n, field, &f)
			}
		}
	})
	d.need(n, "kind", "want one of "+strings.Join(plan.FaultKindNames(), ", "))
	d.need(n, "at", "it is when the fault begins, such as 20s")
	return f
}

// faultValue decodes n, the value of the given field, into f.
func (d *decoder) faultValue(n *node, field *plan.FaultField, f *Fault) {
	switch out := field.In(f).(type) {
	case *[]string:
		*out = d.faultOn(n, field)
	case *int:
		*out = d.status(n)
	case *string:
		if field.Words != nil {
			*out = d.oneOf(n, "kind of "+field.Name, field.Words())
			return
		}
		*out = d.word(n)
	default:
		d.value(n, out)
	}
}

// faultOn decodes the value of a field that lists candidates: those that a fault affects, who may be roles too, or the
// successors in a rollout. An empty list is an error.
func (d *decoder) faultOn(n *node, field *plan.FaultField) (names []string) {
	want, empty := "a list of candidates and roles, such as [a] or [leader]", "names nobody; leave it out if everybody is meant"
	if !field.Scope {
		want, empty = "a list of candidates, such as [b]", "names nobody; want a successor for each candidate in on"
	}
	d.list(n, want, func(_ int, n *node) {
		names = append(names, d.word(n))
	})
	if len(names) == 0 {
		d.fail("%s", empty)
	}
	return names
}

// verb decodes the name of a request's verb, such as get. An unknown name is an error.
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

// status decodes the HTTP status of an error. It refuses 0, which in a plan means that no status is set.
func (d *decoder) status(n *node) int {
	status := int(d.whole(n))
	if status == 0 {
		d.fail("0 is not the status of an error; want 400 to 599")
	}
	return status
}

// faultMembers returns the fields of f to write to a scenario file: kind, those that a file always has, and those that are set.
func faultMembers(f *Fault) members {
	m := members{{"kind", string(f.Kind)}}
	for _, field := range plan.FaultFields() {
		if field.Always || field.Set(f) {
			m.add(true, field.Name, valueOf(field.In(f)))
		}
	}
	return m
}
