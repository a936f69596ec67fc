package world

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// leftBehind is called when OnStartedLeading returns. If the candidate still leads, it looks for goroutines that
// OnStartedLeading has begun and that go on: now, and again a nanosecond later, so that those that end or guard their work at
// this instant do not count. If it finds any, it sets p.behind and p.began to this return and the first such goroutine; aides it
// adds to p.aides instead. The caller must not hold w.mu.
func (p *Part) leftBehind(ctx context.Context) {
	t, begun := ctx.Value(termKey{}).(*term)
	if !begun || ctx.Err() != nil {
		return
	}
	w := p.world()
	at := w.now()
	id, _ := goroutines.Current()
	left := begunBy(id)
	if len(left) == 0 {
		return
	}
	go func() {
		time.Sleep(time.Nanosecond)
		still := slices.DeleteFunc(begunBy(id), func(s goroutines.Stack) bool {
			return !slices.ContainsFunc(left, func(before goroutines.Stack) bool { return before.ID == s.ID })
		})
		w.mu.Lock()
		defer w.mu.Unlock()
		if p.process.gone() || w.isOver() || len(p.open) > 0 {
			return
		}
		for _, s := range still {
			if aide(s) {
				p.aides = append(p.aides, s.ID)
			} else if p.behind == nil {
				p.behind = &earlyReturn{at, t.number}
				_, p.began = s.Origin()
			}
		}
	}()
}

// begunBy returns the goroutines that exist now and were begun by the goroutine with that id.
func begunBy(id string) []goroutines.Stack {
	return slices.DeleteFunc(goroutines.All(), func(s goroutines.Stack) bool { return s.Parent != id })
}

// unguardedBehind fails the run if OnStartedLeading left goroutines behind (p.behind), and no guarded work has begun since. The
// caller holds w.mu.
func (p *Part) unguardedBehind() {
	if p.behind == nil || p.terms > p.behind.term || p.process.gone() {
		return
	}
	p.world().fail("candidate %s: OnStartedLeading returned at %v, before its context had ended, and a goroutine that it had begun (%s) went on. "+
		"Nothing is known of its work, so that the run shows nothing: want Guard around it, or an OnStartedLeading that waits for it; what does no work "+
		"can be begun by the candidate's function",
		p.seat.name(), p.behind.at, p.began)
}

// neverDone fails the run if work was guarded with a context that had already ended, and done has not been called even now, when
// grace has passed. The caller holds w.mu.
func (w *world) neverDone() {
	for _, s := range w.seats {
		if s.part == nil {
			continue
		}
		for _, t := range s.part.open {
			if t.late != "" {
				w.fail("Guard at %s was called at %v, when its context had ended, and what it returns was not called: want defer Guard(ctx)() before "+
					"the work, which calls it twice", t.late, t.at)
			}
		}
	}
}

// allBehind fails the run if goroutines that an OnStartedLeading left behind still go on at the end of the run: see
// unguardedBehind. The caller holds w.mu.
func (w *world) allBehind() {
	for _, s := range w.seats {
		if s.part != nil {
			s.part.unguardedBehind()
		}
	}
}

// insteadWords returns an end for a message that names up to three of the objects in w.instead, which were asked for and are no
// locks of this run; "" if there are none. Leases come first, since the lock that was meant is perhaps among them. It sorts
// w.instead. The caller holds w.mu.
func (w *world) insteadWords() string {
	if len(w.instead) == 0 {
		return ""
	}
	other := func(asks string) int { // than a Lease
		if strings.HasPrefix(asks, "lease ") {
			return 0
		}
		return 1
	}
	slices.Sort(w.instead)
	slices.SortStableFunc(w.instead, func(a, b string) int { return cmp.Compare(other(a), other(b)) })
	text := strings.Join(w.instead[:min(3, len(w.instead))], ", ")
	if more := len(w.instead) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return ". It asked for " + text
}
