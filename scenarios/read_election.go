package scenarios

import (
	"slices"
	"strings"

	"interregnum/internal/phrase"
	"interregnum/plan"
)

// electionFields are the fields of an entry of elections.
var electionFields = append([]string{"name"}, names(plan.ElectionFields())...)

// elections decodes the list of elections in the file. It returns the defaults for the candidates of each election: those of
// the file, replaced where the election's entry gives a field. It returns nil if the file lists no elections.
func (d *decoder) elections(root *node, defaults *Candidate) (all []Candidate) {
	f := root.electionsOf()
	if f == nil {
		return nil
	}
	d.at(step{name: f.name, line: f.line}, func() {
		if len(f.value.items) > plan.MaxElections {
			d.fail("has more than %d entries", plan.MaxElections)
		}
		d.list(f.value, "a list of elections, such as [{name: main}, {name: other}]", func(_ int, n *node) {
			c := *defaults
			timeoutByKind(n, &c)
			d.mapping(n, "an election", electionFields, func(name string, n *node) {
				if name != "name" {
					d.candidateField(name, n, &c)
					return
				}
				c.Election = d.word(n)
			})
			d.need(n, "name", "it is made of a-z, 0-9, - and .")
			all = append(all, c)
		})
	})
	return all
}

// electionsOf returns the field that lists the elections, nil if the file has none or the list is empty.
func (n *node) electionsOf() *field {
	f := n.get("elections")
	if f == nil || len(f.value.items) == 0 && (f.value.kind == listKind || f.value.kind == nullKind) {
		return nil
	}
	return f
}

// takesPart returns the indices in elections, in order, of those that the candidate n takes part in: those that it names. If
// it names none, those that the file's defaults name count; without these, all do. An empty list is an error, and so is a name
// that is unknown or given twice.
func (d *decoder) takesPart(n, root *node, elections []Candidate) (in []int) {
	list := n.get("elections")
	if defaults := root.get("defaults"); list == nil && defaults != nil {
		list = defaults.value.get("elections")
	}
	if list != nil && len(list.value.items) == 0 {
		d.at(step{name: list.name, line: list.line}, func() { d.electionNames(list.value) })
	}
	for i := range elections {
		if list == nil || slices.ContainsFunc(list.value.items, func(n *node) bool { return n.text == elections[i].Election }) {
			in = append(in, i)
		}
	}
	if list != nil && len(in) < len(list.value.items) {
		d.at(step{name: list.name, line: list.line}, func() { d.fail("%s", electionsProblem(list.value, elections)) })
	}
	return in
}

// refuseSameID records an error if an earlier candidate has the id of candidate i: their entries would be taken for those of
// one process. seen maps the ids so far to the indices of their candidates; the id is added to it.
func (d *decoder) refuseSameID(n *node, i int, seen map[string]int) {
	id := n.get("id")
	if id == nil {
		return
	}
	if first, taken := seen[id.value.text]; taken {
		d.at(step{name: id.name, line: id.line}, func() {
			d.fail("%s is the id of candidates[%d] too; ids must differ", phrase.Quote(id.value.text), first)
		})
	}
	seen[id.value.text] = i
}

// electionsProblem returns what is wrong with a candidate's list of elections that is known to be wrong, never "": the first name
// in it that is unknown, or given twice. Where there is none it says that two elections have the same name.
func electionsProblem(list *node, elections []Candidate) string {
	var names []string
	for i := range elections {
		names = append(names, elections[i].Election)
	}
	for i, item := range list.items {
		switch {
		case !slices.Contains(names, item.text):
			return phrase.Quote(item.text) + " is not an election; want some of " + strings.Join(names, ", ")
		case slices.ContainsFunc(list.items[:i], func(n *node) bool { return n.text == item.text }):
			return item.text + " is named twice"
		}
	}
	return "two elections have the same name"
}

// noElections records an error if n, a candidate or the defaults, has the field elections. It is for files with only one
// election.
func (d *decoder) noElections(n *node) {
	if f := n.get("elections"); f != nil {
		d.at(step{name: f.name, line: f.line}, func() { d.fail("there is but one election; want several at the top of the file") })
	}
}
