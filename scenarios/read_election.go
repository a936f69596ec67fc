package scenarios

import (
	"slices"
	"strings"

	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

// electionFields are what an entry of elections may say: the candidates' fields that are not of the process as a whole.
var electionFields = []string{
	"name", "profile", "lock", "leaseDuration", "renewDeadline", "retryPeriod", "releaseOnCancel", "requestTimeout",
	"jitter", "drain", "writeEvery", "rejoin", "sameElector", "onLoss", "now", "precision",
}

// elections decodes the list of elections. For each it returns what its candidates start from: the defaults, with
// what the election's entry says in their place.
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
			c.Jitter, c.Rejoin = clone(c.Jitter), clone(c.Rejoin)
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

// electionsOf is the field that lists elections, nil where there are none: each process is in a single one then.
func (n *node) electionsOf() *field {
	f := n.get("elections")
	if f == nil || len(f.value.items) == 0 && (f.value.kind == listKind || f.value.kind == nullKind) {
		return nil
	}
	return f
}

// takesPart returns the indices of the elections that a candidate takes part in, in their order: those that it names,
// or else the defaults name, or else all.
func (d *decoder) takesPart(n, root *node, elections []Candidate) (in []int) {
	list := n.get("elections")
	if defaults := root.get("defaults"); list == nil && defaults != nil {
		list = defaults.value.get("elections")
	}
	if list != nil && len(list.value.items) == 0 {
		d.at(step{name: list.name, line: list.line}, func() { d.names(list.value) })
	}
	for i := range elections {
		if list == nil || slices.ContainsFunc(list.value.items, func(n *node) bool { return n.text == elections[i].Election }) {
			in = append(in, i)
		}
	}
	if list != nil && len(in) < len(list.value.items) {
		d.at(step{name: list.name, line: list.line}, func() { d.fail("%s", misnamed(list.value, elections)) })
	}
	return in
}

// unlike refuses an id that another candidate has: entries of one id would be those of one process.
func (d *decoder) unlike(n *node, i int, seen map[string]int) {
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

// misnamed says what is wrong with a candidate's list of elections that has more entries than elections were found for.
func misnamed(list *node, elections []Candidate) string {
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

// noElections refuses the field elections of a candidate in a file that has but one election.
func (d *decoder) noElections(n *node) {
	if f := n.get("elections"); f != nil {
		d.at(step{name: f.name, line: f.line}, func() { d.fail("there is but one election; want several at the top of the file") })
	}
}
