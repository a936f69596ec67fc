package world

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"interregnum/electiontest/internal/goroutines"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// startedReturn is a return of OnStartedLeading: the id of the goroutine that it ran on, when it was, the context that it had been given,
// and the number of the work. early: that context had not ended. met: see meetsForgotten.
type startedReturn struct {
	goroutine string

	at    time.Duration
	ctx   context.Context
	term  int32
	early bool
	met   bool
}

// noteReturn notes in p.returns that OnStartedLeading, which was given ctx, returns now. The caller runs on its goroutine, and does not
// hold w.mu.
func (p *Part) noteReturn(ctx context.Context) {
	id, _ := goroutines.Current()
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.returns = append(p.returns, startedReturn{goroutine: id, at: w.now(), ctx: ctx, term: p.terms, early: ctx.Err() == nil})
}

// forgot returns the return of the OnStartedLeading of p that has begun the goroutine, nil if none has that has returned.
func (p *Part) forgot(s *goroutines.Stack) *startedReturn {
	for i := range p.returns {
		if r := &p.returns[i]; r.goroutine == s.Parent {
			return r
		}
	}
	return nil
}

// forgottenWorks counts the request as work if a goroutine sends it that an OnStartedLeading began and did not wait for, or one that such
// a goroutine began, while nothing of the candidate is guarded and another candidate leads. The work lasts until done is called, which
// is never nil. The first such request of the run is told in w.forgotten. If it is not known who began the goroutine, the request is no
// work, and w.unknown tells of it: so too if the candidate's function has returned (see outlivedWorks). The caller must not hold w.mu.
func (m *message) forgottenWorks() (done func()) {
	w := m.process.node.world
	if !m.writes() {
		return func() {}
	}
	if !m.process.mayForget() {
		m.outlivedWorks()
		return func() {}
	}
	id, _ := goroutines.Current()
	all := goroutines.All()
	w.mu.Lock()
	defer w.mu.Unlock()
	_, known := goroutines.Owner(all, id, w.functions)
	for _, p := range m.process.parts {
		s, found := goroutines.Branch(all, id, func(s *goroutines.Stack) bool { return p.forgot(s) != nil })
		switch {
		case !p.restsBesideLeader():
			continue
		case !found && !known && len(p.returns) > 0 && w.unknown == "":
			w.unknown = m.strayWords(p)
			continue
		case !found:
			continue
		}
		r := p.forgot(&s)
		if r.early && p.behind != nil {
			continue // the run fails for that return: see unguardedBehind
		}
		if w.forgotten == "" {
			w.forgotten = p.forgottenWords(r.at, &s) + fmt.Sprintf(" and sent %s %s at %v, while another candidate led, which counts as work: %s",
				m.request.Method, m.request.URL.Path, w.now(), p.forgottenAdvice())
		}
		return p.begin(r.ctx).done
	}
	return func() {}
}

// outlivedWorks tells in w.unknown of the request if it comes from a process that has led and whose function has returned, while nothing of
// the candidate is guarded and another candidate leads. With a manager nobody knows what its goroutines do. The caller must not hold w.mu.
func (m *message) outlivedWorks() {
	w, p := m.process.node.world, m.process
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.running || w.isOver() || w.unknown != "" {
		return
	}
	for _, part := range p.parts {
		if part.led && part.restsBesideLeader() {
			w.unknown = fmt.Sprintf("candidate %s sent %s %s at %v, after it had led and its function had returned, while another candidate led and nothing of this "+
				"one was guarded. Perhaps that is a leader's work, and the run shows nothing of it: want Guard around it, or an end of it with the leading. Where "+
				"the real program exits at the end of that function (os.Exit, log.Fatal, the end of main), let the function call Candidate.Exit",
				part.seat.name(), m.request.Method, m.request.URL.Path, w.now())
		}
	}
}

// strayWords returns why the run shows nothing if a goroutine of p sends m of which nobody knows who began it: the one that did has ended,
// or it was a timer. The caller holds w.mu.
func (m *message) strayWords(p *Part) string {
	return fmt.Sprintf("candidate %s sent %s %s at %v, while another candidate led and nothing of this one was guarded. A timer, or a goroutine that has "+
		"ended, began the goroutine that sent it, so that perhaps it is work of an OnStartedLeading that has returned, and the run shows nothing of it: want "+
		"Guard around it, if only a leader may do it; if every replica may, a goroutine that the candidate's function has begun",
		p.seat.name(), m.request.Method, m.request.URL.Path, m.process.node.world.now())
}

// writes returns true if the request is neither on a Lease nor about an event, and perhaps changes something.
func (m *message) writes() bool {
	path := m.request.URL.Path
	return !m.lock && m.request.Method != http.MethodGet && !strings.HasSuffix(path, "/events") && !strings.Contains(path, "/events/") &&
		!strings.Contains(path, "/leases")
}

// mayForget returns true if the process takes part in an election in which one of its OnStartedLeadings has returned, nothing is guarded
// and another candidate leads. When the run is over it returns false.
func (p *process) mayForget() bool {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isOver() {
		return false
	}
	for _, part := range p.parts {
		if len(part.returns) > 0 && part.restsBesideLeader() {
			return true
		}
	}
	return false
}

// restsBesideLeader returns true if nothing of the part is guarded and another candidate leads. The caller holds w.mu.
func (p *Part) restsBesideLeader() bool {
	if p.process.gone() || len(p.open) > 0 {
		return false
	}
	for _, s := range p.world().seats {
		if s.election == p.seat.election && s.node != p.seat.node && s.role() == plan.RoleLeader {
			return true
		}
	}
	return false
}

// allForgotten fails the run if a goroutine that an OnStartedLeading began goes on at the end of the run, though that one has returned
// after its context had ended, and another candidate has led since, or if one went on as another candidate began to work. It does nothing
// if the candidate has guarded work since that return. Aides do not count. The caller holds w.mu.
func (w *world) allForgotten() {
	if w.forgotten != "" {
		return // that says more
	}
	if w.unknown != "" {
		w.fail("%s", w.unknown)
	}
	for _, s := range w.seats {
		if s.part == nil {
			continue
		}
		for i := range s.part.returns {
			if r := &s.part.returns[i]; s.part.knowsNothingSince(r) && s.followedSince(r.at) {
				if g := s.part.begunBefore(r); g != nil {
					w.fail("%s", s.part.unknownWork(r, g))
				}
			}
		}
	}
}

// meetsForgotten is called when guarded work of p begins. It looks for what allForgotten looks for at the end of the run, in the other
// candidates of p's election, since their goroutines may go on now and end before the run does. It does so once for each return of an
// OnStartedLeading, and again a nanosecond later, so that those that end or guard their work at this instant do not count. Nor do those
// that wait for the server, whose writes count as work: see forgottenWorks. It puts what it finds into w.unknown, for allForgotten. The
// caller holds w.mu.
func (p *Part) meetsForgotten() {
	w := p.world()
	for _, s := range w.seats {
		if s.part == nil || s.election != p.seat.election || s.node == p.seat.node {
			continue
		}
		for i := range s.part.returns {
			r := &s.part.returns[i]
			if r.met || !s.part.knowsNothingSince(r) {
				continue
			}
			r.met = true
			if s.part.begunBefore(r) == nil {
				continue
			}
			part, was := s.part, *r
			time.AfterFunc(time.Nanosecond, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				if g := part.begunBefore(&was); g != nil && !asks(g) && w.unknown == "" && !w.isOver() && part.knowsNothingSince(&was) {
					w.unknown = part.unknownWork(&was, g)
				}
			})
		}
	}
}

// asks tells whether the goroutine waits for the server's answer to a request.
func asks(s *goroutines.Stack) bool {
	return strings.Contains(s.Text, "electiontest/internal/world.(*transport).RoundTrip(")
}

// knowsNothingSince returns true if that OnStartedLeading returned after its context had ended, the process goes on, and the candidate has
// guarded nothing since. The caller holds w.mu.
func (p *Part) knowsNothingSince(r *startedReturn) bool {
	return !r.early && p.terms <= r.term && len(p.open) == 0 && !p.process.gone()
}

// begunBefore returns a goroutine that the OnStartedLeading began before that return, and that goes on and is no aide; nil if there is none.
func (p *Part) begunBefore(r *startedReturn) *goroutines.Stack {
	for _, s := range begunBy(r.goroutine) {
		if !aide(s) {
			return &s
		}
	}
	return nil
}

// unknownWork returns why a run with the goroutine s, which the OnStartedLeading began before that return, shows nothing, if another
// candidate has led since. The caller holds w.mu.
func (p *Part) unknownWork(r *startedReturn, s *goroutines.Stack) string {
	return fmt.Sprintf("%s. Another candidate has led meanwhile, and nothing is known of that goroutine's work, so that the run shows nothing: %s; what does no work "+
		"can be begun by the candidate's function", p.forgottenWords(r.at, s), p.forgottenAdvice())
}

// followedSince returns true if another candidate has written its name into the election's lock since the instant at. The caller holds
// w.mu.
func (s *seat) followedSince(at time.Duration) bool {
	for i := range s.node.world.events {
		e := &s.node.world.events[i]
		if e.Kind != trace.Written || e.Holder == "" || time.Duration(e.At) < at {
			continue
		}
		if other := s.node.world.seats[e.Candidate]; other.election == s.election && other.node != s.node {
			return true
		}
	}
	return false
}

// forgottenWords returns the beginning of a message about the goroutine s, which an OnStartedLeading began that returned at the time at.
func (p *Part) forgottenWords(at time.Duration, s *goroutines.Stack) string {
	_, place := s.Origin()
	return fmt.Sprintf("candidate %s: OnStartedLeading returned at %v, and a goroutine that it had begun (%s) went on after that", p.seat.name(), at, place)
}

// forgottenAdvice returns what can be done about a goroutine that goes on. The caller holds w.mu.
func (p *Part) forgottenAdvice() string {
	text := "want it to end with the context of OnStartedLeading, and an OnStartedLeading that waits for it; or Guard around its work"
	if !p.process.running {
		text += ". The candidate's function had returned: if the real program exits then (os.Exit, log.Fatal, the end of main), let the function call Candidate.Exit"
	}
	return text
}
