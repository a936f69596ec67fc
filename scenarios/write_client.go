package scenarios

import (
	"reflect"
	"slices"

	"interregnum/plan"
)

// clientPart returns a field of a client, also if it has the default. With qps it returns burst too, if the client limits its requests.
func clientPart(c *plan.Client, name string) members {
	m := members{{name, valueOf(placeOf(plan.ClientFields(), name, c))}}
	m.add(name == "qps" && c.Limits(), "burst", wholeText(int64(c.Burst)))
	return m
}

// placeClients adds clients to the entries of elections and of candidates, in form, part by part. A part is what
// clientPart returns for a field. A part that is the same in all elections of a candidate goes to the candidate, any other to the
// elections. If no file can give all of them their clients so, or some candidate has none, placeClients returns false and adds
// nothing.
func (form *electionsForm) placeClients(s *Scenario) bool {
	if slices.ContainsFunc(s.Candidates, func(c Candidate) bool { return c.Client == nil }) {
		return false
	}
	elections := map[string]members{}
	candidates := make([]members, len(form.seats))
	for _, name := range names(plan.ClientFields()) {
		if name == "kind" || name == "burst" {
			continue
		}
		given := map[string]members{}
		for i, p := range form.seats {
			first := clientPart(p[0].client, name)
			if !slices.ContainsFunc(p, func(e seat) bool { return !reflect.DeepEqual(clientPart(e.client, name), first) }) {
				candidates[i] = append(candidates[i], first...)
				continue
			}
			for k := range p {
				value, e := clientPart(p[k].client, name), p[k].election
				if other, known := given[e]; known && !reflect.DeepEqual(other, value) {
					return false
				}
				given[e] = value
			}
		}
		for e, value := range given {
			elections[e] = append(elections[e], value...)
		}
	}
	for i, name := range s.Elections {
		if parts := elections[name]; parts != nil {
			form.elections[i].add(true, "client", append(members{{"kind", plan.NoClient}}, parts...))
		}
	}
	for i, parts := range candidates {
		form.candidates[i].add(len(parts) > 0, "client", parts)
	}
	return true
}
