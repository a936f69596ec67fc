package investigate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"interregnum/internal/evidence"
)

// Process is what the processes of one host, one after the other, asked of the lock, as far as it is logged.
type Process struct {
	// Name is that of its log; if there is none, of its holders, without an underscore and a UUID as client-go's users append them; if
	// it asked to write no holder's name, that of the pod whose token it has. "": none of these is known, or several processes wrote
	// from there.
	Name string
	// Agent and From are the user agent and the address of its first request, "" if they are not logged.
	Agent, From string
	// Names are how many names it asked to write, and Stands how often its log says that it stands for election: each restart is one more.
	Names, Stands int
	// Requests are those about the lock, in the order in which the server received them: a read alone is a poll, and the writes are its attempts.
	Requests []*evidence.Request
	// Reads, Writes and Accepted count the requests to read, to write, and the writes that the server took.
	Reads, Writes, Accepted int
	// Refused were answered with 400 to 499, but for a read that found no object; Failed with 500 and above, or not at all.
	Refused, Failed int
	// Slowest is for how long at most the server has worked on one. Untimed: that is not known, since some are of a log of OneTime.
	Slowest time.Duration
	Untimed bool
}

// processOf returns the name of a holder's process: that of the pod whose logs have it, or else the holder's name, without an
// underscore and a UUID at its end.
func (t *teller) processOf(holder string) string {
	if p := t.podOf(holder); p != nil {
		return p.name
	}
	if name, unique, found := strings.Cut(holder, "_"); found && uuid.Validate(unique) == nil {
		return name
	}
	return holder
}

// asker is the key by which requests are counted together: a process's name, or a client if no holder's name is known for it.
type asker struct {
	name   string
	client client
}

// processesOf returns the processes that asked for the lock, in the order of their first requests, and then, by name, those that
// only have a log. Lists and watches, as informers make them, do not count.
func (t *teller) processesOf() (all []Process) {
	var found []*Process
	by := map[asker]*Process{}
	writers := t.writersBy(t.processOf)
	for _, q := range t.asked() {
		name := writers[clientOf(q)]
		if q.Wrote != nil && q.Wrote.Holder != "" && !t.another(q) {
			name = t.processOf(q.Wrote.Holder)
		}
		name = cmp.Or(name, q.Pod)
		key := asker{name: name}
		if name == "" {
			key.client = clientOf(q)
		}
		p := by[key]
		if p == nil {
			p = &Process{Name: name, Agent: q.Agent, From: q.From}
			found, by[key] = append(found, p), p
		}
		p.count(q)
		p.Untimed = p.Untimed || t.e.Sources[q.Source].OneTime
	}
	for _, pod := range t.pods {
		p := by[asker{name: pod.name}]
		if p == nil {
			p = &Process{Name: pod.name}
			found = append(found, p)
		}
		for _, s := range pod.sayings {
			if s.Step == evidence.Tries {
				p.Stands++
			}
		}
	}
	for _, p := range found {
		p.Names = p.named()
		all = append(all, *p)
	}
	return all
}

// named returns how many different holders' names the process asked to write.
func (p *Process) named() int {
	names := map[string]bool{}
	for _, q := range p.Requests {
		if q.Wrote != nil && q.Wrote.Holder != "" {
			names[q.Wrote.Holder] = true
		}
	}
	return len(names)
}

// asked returns the requests about the lock's object that get, write or delete it, in the order in which the server received
// them. Lists and watches are left out. It keeps the answer in t.requests.
func (t *teller) asked() (all []*evidence.Request) {
	if t.requests != nil {
		return t.requests
	}
	for i := range t.e.Requests {
		q := &t.e.Requests[i]
		if q.Lock == t.s.Lock && (writing(q) || q.Verb == "get" || q.Verb == "delete") {
			all = append(all, q)
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Request) int { return a.Received.Compare(b.Received) })
	t.requests = all
	return all
}

// count adds a request to Requests and to the counts, by its verb and its status, and raises Slowest. Each request that is not
// a get counts as a write, so that a delete does, too. A get of status 404 is not Refused.
func (p *Process) count(q *evidence.Request) {
	p.Requests = append(p.Requests, q)
	if q.Verb == "get" {
		p.Reads++
	} else {
		p.Writes++
	}
	switch {
	case q.Status == 0 || q.Status >= 500:
		p.Failed++
	case q.Status >= 400 && !(q.Verb == "get" && q.Status == 404):
		p.Refused++
	case q.Verb != "get":
		p.Accepted++
	}
	p.Slowest = max(p.Slowest, took(q))
}
