package world

import (
	"cmp"
	"slices"
	"testing/synctest"
	"time"
)

// action is something that the run itself does at an instant: it begins or ends a fault, or starts a candidate.
type action struct {
	at time.Duration
	do func()
}

// actions returns what the run itself does before the horizon, in order of time: it begins and ends faults, and starts
// candidates. At one instant windows on fixed candidates begin and all windows end first. Then come other faults, windows on a
// role among them, and last the starts of candidates.
func (w *world) actions() []action {
	var all []action
	add := func(at time.Duration, do func()) {
		if at < w.scenario.Horizon {
			all = append(all, action{at, do})
		}
	}
	for _, first := range []bool{true, false} {
		for i := range w.scenario.Faults {
			f := &w.scenario.Faults[i]
			if first == (f.Kind.Window() && !f.NamesRole()) {
				add(f.At, func() { w.begin(i) })
			}
			if f.Until != nil && first {
				add(*f.Until, func() { w.end(i) })
			}
		}
	}
	for i := range w.nodes {
		n := w.nodes[i]
		add(n.plan.StartAt, func() { n.spawn(1) }) // unless a restart has begun it
	}
	slices.SortStableFunc(all, func(a, b action) int { return cmp.Compare(a.at, b.at) })
	return all
}

// grace is how long, in virtual time, a candidate may go on once its context has ended at the horizon. Goroutines that it leaves
// behind may run for as long, and no longer: a bubble's time stands still once its function has returned.
const grace = 10 * time.Minute

// play runs the scenario to its horizon, and waits for all candidates' functions to return: see finish. At one instant the
// timers of the code under test come first, then the scenario's actions, then messages, one after the other. Each action and
// message waits until all goroutines that were set going before it are at rest.
func (w *world) play() {
	w.mu.Lock()
	w.inherit()
	w.mu.Unlock()
	go w.look()
	actions := w.actions()
	for {
		synctest.Wait()
		now, next := w.now(), w.scenario.Horizon
		if now >= next {
			break
		}
		if len(actions) > 0 {
			next = min(next, actions[0].at)
		}
		w.mu.Lock()
		parcel := w.post.First()
		if parcel != nil {
			next = min(next, parcel.At)
		}
		if next <= now {
			w.step++
		}
		w.mu.Unlock()
		switch {
		case next > now:
			w.sleep(next - now)
		case len(actions) > 0 && actions[0].at <= now:
			actions[0].do()
			actions = actions[1:]
		default:
			w.mu.Lock()
			w.post.Remove(parcel)
			w.mu.Unlock()
			go parcel.Deliver()
		}
	}
	w.finish()
}

// finish ends the run at the horizon: it cancels the contexts of all candidates, and waits until grace has passed. It fails the
// run if a candidate's function has not returned then, unless blind has another reason, or a manager of it waits for its caches. It also fails it for guarded work and
// goroutines that go on when they should not: see allOutstaying, allBehind, allForgotten and neverDone.
func (w *world) finish() {
	w.mu.Lock()
	w.allOutstaying()
	w.allBehind()
	w.allForgotten()
	close(w.over)
	for _, n := range w.nodes {
		if n.process != nil {
			n.process.end()
		}
	}
	w.mu.Unlock()
	time.Sleep(grace)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.neverDone()
	why, _ := w.blind()
	for _, n := range w.nodes {
		if n.process != nil && n.process.running && why == "" && !n.process.starts() { // what else shows nothing is rather the cause
			w.fail("the function of candidate %s has not returned within %v of virtual time after its context had ended: "+
				"let it return, or let what it waits for have an end", n.plan.ID, grace)
		}
	}
}

// sleep waits for d, or until a new message is on its way if that is sooner.
func (w *world) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.post.More:
	}
}
