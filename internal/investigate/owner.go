package investigate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

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

// isByHand tells whether a program is kubectl, or names itself after it, such as kubectl-edit.
func isByHand(program string) bool {
	return program == byHand || strings.HasPrefix(program, byHand+"-")
}

// helps tells whether a client is no elector, but a tool that people or the API server write with. The API server counts as an
// elector if nobody else writes the lock: it has locks of its own.
func (t *teller) helps(c client) bool {
	program := programOf(c.agent)
	return isByHand(program) || program == stead && !t.steadOnly
}

// ownersOf returns for each holder the client by which it writes itself: the one from which most of the writes came that name
// it and that the server has accepted, if they are more than those of all its other clients. Tools do not count (see helps).
// It is nobody if several programs or users write the name, if no client has most of the writes, or if another program writes
// the lock as often as the client's does: the electors of a lock are of one program. It sets t.steadOnly, which helps needs.
func (t *teller) ownersOf() map[string]client {
	t.steadOnly = !slices.ContainsFunc(t.e.Requests, func(q evidence.Request) bool {
		program := programOf(q.Agent)
		return q.Lock == t.s.Lock && writing(&q) && program != stead && !isByHand(program)
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
	owners, programs := map[string]client{}, map[string]int{}
	for holder, counts := range wrote {
		owners[holder] = most(counts)
		for c, n := range counts {
			programs[programOf(c.agent)] += n
		}
	}
	for holder, c := range owners {
		for program, n := range programs {
			if c != nobody && program != programOf(c.agent) && n >= programs[programOf(c.agent)] {
				owners[holder] = nobody
			}
		}
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

// perhaps tells whether it is not known of a request that names a holder whether the holder has sent it: neither its own client
// has, nor a tool.
func (t *teller) perhaps(q *evidence.Request) bool {
	_, known := t.owners[q.Wrote.Holder]
	return known && q.Wrote.Holder != "" && !t.itself(q) && !t.helps(clientOf(q))
}

// others returns a note for each client by which somebody else than the holder, or perhaps somebody else, has written the lock,
// one for each holder that its records name. Of a tool's patch that carries no record, the one in the answer counts.
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
		why := "Nothing is concluded from that as if the holder itself had written."
		if !t.helps(c) {
			why = "Whether that was the holder itself is not known, since several programs write the lock, or several clients the name: nothing is concluded from it that only the holder's own writes show."
		}
		all = append(all, fmt.Sprintf("%s wrote %s (%s:%d). %s", c.name(), whom, t.e.Sources[q.Source].File, q.Line, why))
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

// unique tells whether a holder's name is of one process alone: it ends with an underscore and a UUID, as client-go's users make
// names.
func unique(holder string) bool {
	_, id, found := strings.Cut(holder, "_")
	return found && uuid.Validate(id) == nil
}

// sharedBy sets t.shared to the holders that wrote from several addresses, by one program and user, unless their names are
// unique. It returns a sentence for each: their names may be those of several processes, each of which takes the others' lease for its own.
func (t *teller) sharedBy() (all []string) {
	from := map[string][]int{} // for each holder its writes of which the address is not that of the one before
	for i := range t.s.Writes {
		holder, q := t.s.Writes[i].Record.Holder, t.by[i]
		if holder == "" || q.From == "" || unique(holder) || t.helps(clientOf(q)) {
			continue
		}
		if before := from[holder]; len(before) > 0 {
			last := t.by[before[len(before)-1]]
			if last.From == q.From || programOf(last.Agent) != programOf(q.Agent) || last.User != q.User {
				continue
			}
		}
		from[holder] = append(from[holder], i)
	}
	t.shared = map[string]bool{}
	for _, holder := range slices.Sorted(maps.Keys(from)) {
		turns := from[holder]
		if len(turns) < 2 {
			continue
		}
		t.shared[holder] = true
		a, b := t.by[turns[0]], t.by[turns[1]]
		how, what := "%s wrote first", "it is that of a process that was moved, or of several processes"
		if len(turns) > 2 {
			how, what = "WARNING: %s wrote in turns", "it is that of several processes, as far as is known"
		}
		all = append(all, fmt.Sprintf(how+" from %s (%s) and then from %s (%s). The name is not that of one process alone: %s, each of which renews the others' lease as its own. "+
			"They may have worked at once, which no verdict here is about.", holder, a.From, t.at(a.Place), b.From, t.at(b.Place), what))
	}
	return all
}

// crowd returns a sentence if more processes say by their logs that they have acquired the lock than there are names for them; "" if
// that is not so, or if writes may be missing between those that are logged. Then some of them share a name. Only lines of the time of the writes count.
func (t *teller) crowd() string {
	if len(t.s.Writes) == 0 || slices.ContainsFunc(t.s.Writes[1:], func(w Write) bool { return !w.Follows }) {
		return ""
	}
	from, until := t.s.Writes[0].Received, t.s.Writes[len(t.s.Writes)-1].Answered
	free, taken := map[string]bool{}, map[*pod]bool{}
	for i := range t.s.Terms {
		if p := t.podOf(t.s.Terms[i].Holder); p != nil {
			taken[p] = true
		} else {
			free[hostOf(t.s.Terms[i].Holder)] = true
		}
	}
	var others []string
	for _, p := range t.pods {
		acquired := slices.ContainsFunc(p.sayings, func(s *evidence.Saying) bool {
			return s.Step == evidence.Acquired && s.At.After(from) && s.At.Before(until)
		})
		if acquired && !taken[p] {
			others = append(others, p.name)
		}
	}
	if len(others) <= len(free) || len(t.s.Terms) == 0 {
		return ""
	}
	return fmt.Sprintf("WARNING: By its log each of these has acquired the lock, and no holder is named like that, nor are there as many other holders: %s. Several processes may share a name, "+
		"each of which renews the others' lease as its own: they may have worked at once. Nothing is certain, and nothing impossible.", strings.Join(others, ", "))
}
