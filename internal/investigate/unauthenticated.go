package investigate

import (
	"slices"

	"interregnum/internal/evidence"
)

// unnamed tells whether the server refused a request (401) before it knew whose it was: then its log names no user.
func unnamed(q *evidence.Request) bool { return q.Status == 401 && q.User == "" }

// attributed returns the evidence in which the requests about the lock that are unnamed have the user of whoever else asked for it from
// that address with that agent, if that is one user alone. If there are none it returns e.
func attributed(e *evidence.Evidence, lock evidence.Lock) *evidence.Evidence {
	users := map[client]string{} // "" if there are several
	refused := false
	for i := range e.Requests {
		q := &e.Requests[i]
		if q.Lock != lock || q.From == "" {
			continue
		}
		if unnamed(q) {
			refused = true
			continue
		}
		from := client{from: q.From, agent: q.Agent}
		if user, known := users[from]; known && user != q.User {
			users[from] = ""
			continue
		}
		users[from] = q.User
	}
	if !refused {
		return e
	}
	all := *e
	all.Requests = slices.Clone(e.Requests)
	for i := range all.Requests {
		if q := &all.Requests[i]; q.Lock == lock && unnamed(q) {
			q.User = users[client{from: q.From, agent: q.Agent}]
		}
	}
	return &all
}

// perhapsAsked tells whether the server received a request in the window that is perhaps the holder's: one that it could not
// authenticate, from the address and the agent of the client from, where several users asked.
func (w *window) perhapsAsked(from client) bool {
	asked := w.within(w.t.clients[client{from: from.from, agent: from.agent}])
	return from.user != "" && slices.ContainsFunc(asked, unnamed)
}
