package investigate

import (
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// again returns a request by which the holder, had it gone on until then, would have renewed its lease; nil if none is known, or
// if the address of the holder's client is not logged. If the server answered that client's reads all the time, it is the next
// write of that client. Otherwise it is a request of that client, with a normal answer that reached it, after all that were refused
// in the window, and after the holder has given up or another has written: a leader that gets an answer before writes at once. It is
// never by another log's clock.
func (w *window) again() *evidence.Request {
	last := w.t.by[w.term.Last]
	if last.From == "" {
		return nil
	}
	all, from, readOn := w.t.clients[clientOf(last)], w.idle(), w.readOn()
	for _, q := range w.own() {
		from = latest(from, q.Received)
	}
	readOn = readOn || w.opened().Before(w.last.Received)
	first := sort.Search(len(all), func(k int) bool { return all[k].Received.After(from) })
	for k := first; k < len(all); k++ {
		q := all[k]
		if k == first && !q.Received.After(w.next.Received) {
			continue // it may have been sent before the holder gave up
		}
		if normal(q) && w.t.sameClock(q.Source, last.Source) && (writing(q) || !readOn) && w.arrived(all, k) {
			return q
		}
	}
	return nil
}

// readOn tells whether the server gave the holder's client a normal answer to a read after a write that it refused, in the window.
func (w *window) readOn() bool {
	own := w.own()
	refused := slices.IndexFunc(own, func(q *evidence.Request) bool { return !normal(q) })
	return refused >= 0 && slices.ContainsFunc(w.within(w.t.clients[clientOf(w.t.by[w.term.Last])]), func(q *evidence.Request) bool {
		return q.Verb == "get" && normal(q) && q.Received.After(own[refused].Received)
	})
}

// opened returns when the server received the first attempt, or an earlier one, of the poll in which the term was lost. That is the last
// write if the holder had seen the version before it, since it had not read between. If it had read, it had failed to write before:
// then the poll is as old as the last write before which it had not. Of a holder that mostly reads before it writes, as client-go v0.24
// does, it is the last write.
func (w *window) opened() time.Time {
	reads, least := w.t.clients[clientOf(w.t.by[w.term.Last])], max(w.term.First+1, w.term.Last-100)
	straight := func(i int) bool {
		from, until := w.t.s.Writes[i-1].Received, w.t.s.Writes[i].Received
		k := sort.Search(len(reads), func(k int) bool { return reads[k].Received.After(from) })
		for ; k < len(reads) && reads[k].Received.Before(until); k++ {
			if reads[k].Verb == "get" {
				return false
			}
		}
		return true
	}
	all, opened := 0, w.last.Received
	for i := w.term.Last; i >= least; i-- {
		if !straight(i) {
			continue
		}
		if all++; all == 1 {
			opened = w.t.s.Writes[i].Received
		}
	}
	if 2*all <= w.term.Last-least {
		return w.last.Received
	}
	return opened
}

// idle returns from when on the holder's client had nothing to write after an answer: the holder had given up, as its own log says, or
// the next write was there.
func (w *window) idle() time.Time {
	if lines := w.said(); len(lines) > 0 {
		s := lines[len(lines)-1]
		if high := w.pod.instant(s.At, unit(s)).High; turns(s.Step) && !high.IsZero() && high.Before(w.next.Received) {
			return high
		}
	}
	return w.next.Received
}

// answered tells whether the text of an error is certainly of an answer.
func answered(text string) bool {
	return answerOf(text) != "" || says(text, []string{"has been modified", "already exists", "not found", "server answered"})
}

// arrived tells whether the answer to the k-th of these requests, which are all of one client, reached that client. The client must
// have asked again. If the log of the holder's pod is known, it must say of no failure until then, but of what the server answered.
// Otherwise the client must have asked sooner than it does without an answer: RetryPeriod passes after the request timeout then, which
// is taken to be a second at least.
func (w *window) arrived(all []*evidence.Request, k int) bool {
	if k+1 == len(all) || !w.t.sameClock(all[k+1].Source, all[k].Source) {
		return false
	}
	next := all[k+1].Received
	if !w.pod.trusted() {
		return next.Sub(all[k].Answered) < w.period()+min(time.Second, w.period())
	}
	return !slices.ContainsFunc(w.pod.sayings, func(s *evidence.Saying) bool {
		at := w.pod.instant(s.At, unit(s))
		return s.Step == evidence.Failed && !answered(s.Text) && (at.High.IsZero() || at.High.After(all[k].Received)) && !at.Low.After(next)
	})
}

// stopped tells whether the holder's own log says first, after the last write, that it was told to stop: what it asked afterwards was
// to release the lock, or is another process's.
func (w *window) stopped() bool {
	line, _ := w.over()
	return line != nil && line.Step != evidence.Tries && over(line)
}
