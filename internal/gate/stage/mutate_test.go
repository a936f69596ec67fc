package stage

import (
	"math/rand/v2"
	"slices"
	"time"
)

// mutator varies genomes within their environment.
type mutator struct{ *rand.Rand }

// mutated is a copy that differs in a point or a few.
func (r mutator) mutated(g *genome) *genome {
	child := *g
	child.people, child.moves = slices.Clone(g.people), slices.Clone(g.moves)
	for range 1 + r.IntN(1+r.IntN(4)) {
		switch n := r.IntN(12); {
		case n == 0 && g.cfg.Lock.Expires() && r.IntN(2) == 0:
			child.service = r.vary(child.service, g.env)
		case n < 2:
			p := &child.people[r.IntN(len(child.people))]
			if r.IntN(2) == 0 {
				p.jitter = r.jitter(p.jitter)
			} else {
				p.clock = r.vary(p.clock, g.env)
			}
		case n < 4 || len(child.moves) == 0:
			child.addMove(r)
		case n == 4:
			i := r.IntN(len(child.moves))
			if child.moves[i].kind != moveStart {
				child.moves = slices.Delete(child.moves, i, i+1)
			}
		case n == 5 && len(child.people) < max(3, g.crowd):
			child.people = append(child.people, person{r.jitter(0.5), r.clock(g.env)})
			m := child.randomMove(r, moveStart)
			m.other = len(child.people) - 1
			child.moves = append(child.moves, m)
		default:
			m := &child.moves[r.IntN(len(child.moves))]
			child.varyMove(r, m)
		}
	}
	child.withinPause()
	return &child
}

func (g *genome) addMove(r mutator) {
	kind := moveFate
	switch r.IntN(8) {
	case 0:
		if g.env.MaxPause > 0 {
			kind = moveFreeze
		}
	case 1:
		if g.env.MaxDriftPPM > 0 {
			kind = moveRate
		}
	case 2:
		kind = moveCancel
	case 3, 4, 5:
		if g.cfg.Client.Limits() && g.env.MostAtOnce() > 0 {
			kind = moveTraffic
		}
	}
	m := g.randomMove(r, kind)
	if kind != moveFate {
		g.moves = append(g.moves, m)
		return
	}
	// One fate may befall several requests that follow each other.
	for n := 1 + r.IntN(1+r.IntN(4)); n > 0; n-- {
		same := func(o move) bool { return o.kind == moveFate && o.who == m.who && o.request == m.request }
		g.moves = append(slices.DeleteFunc(g.moves, same), m)
		m.request++
	}
}

func (g *genome) randomMove(r mutator, kind moveKind) move {
	m := move{kind: kind, who: r.IntN(len(g.people)), request: r.IntN(16) - 1}
	if len(g.moves) > 0 && r.IntN(2) == 0 {
		near := &g.moves[r.IntN(len(g.moves))]
		m.who, m.request = near.who, max(-1, near.request+r.IntN(4)-1)
	}
	if kind == moveStart {
		m.who = 0
	}
	g.varyMove(r, &m)
	return m
}

func (g *genome) varyMove(r mutator, m *move) {
	if m.kind == moveTraffic {
		g.varyCrowd(r, m)
		return
	}
	if m.kind != moveFate || r.IntN(8) == 0 {
		if r.IntN(4) == 0 {
			m.request = max(-1, m.request+r.IntN(3)-1)
		} else {
			m.after = r.length(m.after, g.cfg.LeaseDuration)
		}
	}
	switch m.kind {
	case moveFate:
		m.request = max(0, m.request)
		g.varyFate(r, &m.fate)
	case moveFreeze:
		m.length = max(1, r.length(m.length, g.env.MaxPause))
		m.answersFirst = r.IntN(2) == 0
	case moveRate:
		m.ppm = r.drift(g.env)
	}
}

func (g *genome) varyFate(r mutator, f *fate) {
	if r.IntN(3) == 0 {
		f.outcome = []outcome{answered, refused, hidden, lost, unheard}[r.IntN(5)]
	}
	g.varyAgain(r, f)
	most := g.env.MaxRoundTrip
	switch r.IntN(3) {
	case 0:
		f.out = r.length(f.out, most)
		f.back = most - f.out
	case 1:
		f.out = r.length(f.out, most)
		f.back = min(f.back, most-f.out)
	default:
		f.back = r.length(f.back, most)
		f.out = min(f.out, most-f.back)
	}
}

// withinPause shortens freezes so that no process is frozen for too long.
func (g *genome) withinPause() {
	left := make([]time.Duration, len(g.people))
	for i := range left {
		left[i] = g.env.MaxPause
	}
	g.moves = slices.DeleteFunc(g.moves, func(m move) bool { return m.kind == moveFreeze && g.env.MaxPause == 0 })
	for i := range g.moves {
		if m := &g.moves[i]; m.kind == moveFreeze {
			m.length = min(m.length, left[m.who])
			left[m.who] -= m.length
		}
	}
	g.moves = slices.DeleteFunc(g.moves, func(m move) bool { return m.kind == moveFreeze && m.length <= 0 })
}
