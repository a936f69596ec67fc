package investigate

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/evidence"
)

// byHand is the program by which people write an object, and stead is the one that writes objects in others' stead: the API server
// itself, as the controller of coordinated elections does.
const byHand, stead = "kubectl", "kube-apiserver"

// programOf returns the program that a user agent names.
func programOf(agent string) string {
	program, _, _ := strings.Cut(agent, "/")
	return program
}

// helps tells whether a client is no elector, but a tool that people or the API server write with. The API server counts as an
// elector if nobody else writes the lock: it has locks of its own.
func (t *teller) helps(c client) bool {
	switch program := programOf(c.agent); {
	case program == stead:
		return !t.steadOnly
	default:
		return program == byHand || strings.HasPrefix(program, byHand+"-")
	}
}

// ownersOf returns for each holder the client by which it writes itself: the one from which most of the writes came that name it
// and that the server has accepted, if they are more than those of all its other clients. Tools do not count (see helps). It is the zero value,
// known for no holder, if several programs or users write the name, or if no client has most of them.
func (t *teller) ownersOf() map[string]client {
	t.steadOnly = !slices.ContainsFunc(t.e.Requests, func(q evidence.Request) bool {
		program := programOf(q.Agent)
		return q.Lock == t.s.Lock && writing(&q) && program != stead && program != byHand && !strings.HasPrefix(program, byHand+"-")
	})
	wrote := map[string]map[client]int{}
	for i := range t.s.Writes {
		holder, c := t.s.Writes[i].Record.Holder, clientOf(t.by[i])
		if wrote[holder] == nil {
			wrote[holder] = map[client]int{}
		}
		if !t.helps(c) {
			wrote[holder][c]++
		}
	}
	owners := map[string]client{}
	for holder, counts := range wrote {
		owners[holder] = most(counts)
	}
	return owners
}

// nobody is the client of a holder that nobody writes for, or of whom it is not known who does.
var nobody = client{agent: "?"}

// most returns the client that has more than half of the writes, nobody if there is none, or if the clients are not all of one
// program and one user.
func most(counts map[client]int) client {
	total, best := 0, nobody
	for c, n := range counts {
		for d := range counts {
			if programOf(c.agent) != programOf(d.agent) || c.user != d.user {
				return nobody
			}
		}
		if total += n; n > counts[best] {
			best = c
		}
	}
	if 2*counts[best] <= total {
		return nobody
	}
	return best
}

// itself tells whether the holder that a request names has sent it: it came from the holder's own client. It is false for a
// release, which names nobody.
func (t *teller) itself(q *evidence.Request) bool {
	owner, known := t.owners[q.Wrote.Holder]
	return known && q.Wrote.Holder != "" && owner == clientOf(q)
}

// another tells whether a request to write a holder's name came from somebody else, or perhaps did. If the server never accepted
// a write that names that holder, it is false, unless a tool has sent it.
func (t *teller) another(q *evidence.Request) bool {
	_, known := t.owners[q.Wrote.Holder]
	return known && !t.itself(q) || t.helps(clientOf(q))
}

// others returns a note for each client by which somebody else than the holder, or perhaps somebody else, has written the lock.
func (t *teller) others() (all []string) {
	type key struct {
		client client
		holder string
	}
	told := map[key]bool{}
	for i := range t.e.Requests {
		q := &t.e.Requests[i]
		if q.Lock != t.s.Lock || !writing(q) || q.Status != 200 && q.Status != 201 {
			continue
		}
		c, record := clientOf(q), q.Wrote
		if record == nil && q.Verb == "patch" && t.helps(c) {
			record = q.Saw
		}
		if record == nil {
			continue
		}
		k := key{c, record.Holder}
		strange := t.helps(c) || q.Wrote != nil && record.Holder != "" && t.another(q)
		if !strange || told[k] {
			continue
		}
		told[k] = true
		whom := "a record that names nobody"
		if k.holder != "" {
			whom = fmt.Sprintf("a record that names %s", k.holder)
		}
		all = append(all, fmt.Sprintf("%s wrote %s (%s:%d). Nothing is concluded from that as if the holder itself had written.", c.name(), whom, t.e.Sources[q.Source].File, q.Line))
	}
	return all
}

// name returns the words for a client: its user agent, its user and its address, as far as they are logged.
func (c client) name() string {
	agent, _, _ := strings.Cut(c.agent, " ")
	if agent == "" {
		agent = "A client"
	}
	var more []string
	if c.user != "" {
		more = append(more, "user "+c.user)
	}
	if c.from != "" {
		more = append(more, "from "+c.from)
	}
	if len(more) > 0 {
		agent += " (" + strings.Join(more, ", ") + ")"
	}
	return agent
}
