package scenarios

import (
	"reflect"
	"strconv"

	"interregnum/scenarios/plan"
)

// clientParts are the parts of a client which a file can give for a candidate and for an election apart.
var clientParts = []func(*plan.Client) members{limitMembers, retryMembers, protocolMembers, dialMembers, otherMembers}

// limitMembers returns the fields that say how a client limits its requests: qps and burst, or a qps of -1 if it does not.
func limitMembers(c *plan.Client) (m members) {
	if !c.Limits() {
		return members{{"qps", literal("-1")}}
	}
	m.add(true, "qps", floatText(c.QPS))
	m.add(true, "burst", wholeText(int64(c.Burst)))
	return m
}

// retryMembers returns the field that says whether a client repeats its requests.
func retryMembers(c *plan.Client) members {
	return members{{"retries", literal(strconv.FormatBool(c.Retries))}}
}

// protocolMembers returns the field that says what connection a client has.
func protocolMembers(c *plan.Client) members {
	if c.HTTP1 {
		return members{{"protocol", http1}}
	}
	return members{{"protocol", protocols[0]}}
}

// dialMembers returns the field that says how long a new connection takes.
func dialMembers(c *plan.Client) (m members) {
	m.duration(true, "dial", c.Dial)
	return m
}

// otherMembers returns the field that has the traffic which shares a client.
func otherMembers(c *plan.Client) members {
	other := []members{}
	for i := range c.Other {
		other = append(other, trafficMembers(&c.Other[i]))
	}
	return members{{"other", other}}
}

// placeClients adds clients to the entries of elections and of candidates, in form, part by part. A part is what one function
// of clientParts returns. A part that is the same in all elections of a candidate goes to the candidate, any other to the
// elections. If no file can give all of them their clients so, or some candidate has none, placeClients returns false and adds
// nothing.
func (form *electionsForm) placeClients(s *Scenario) bool {
	elections := map[string]members{}
	candidates := make([]members, len(form.seats))
	for _, part := range clientParts {
		given := map[string]members{}
		for i, p := range form.seats {
			value, alike, ok := p.part(part)
			switch {
			case !ok:
				return false
			case alike:
				candidates[i] = append(candidates[i], value...)
				continue
			}
			for k := range p {
				value, e := part(p[k].client), p[k].election
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

// part returns the fields that of returns for the candidate's client; p are the seats of one candidate. alike tells whether
// they are the same in all seats; if not, value is that of the first seat. ok is false if the candidate has no client in one
// of the seats.
func (p seats) part(of func(*plan.Client) members) (value members, alike, ok bool) {
	alike = true
	for i := range p {
		if p[i].client == nil {
			return nil, false, false
		}
		if i == 0 {
			value = of(p[i].client)
		} else {
			alike = alike && reflect.DeepEqual(value, of(p[i].client))
		}
	}
	return value, alike, true
}
