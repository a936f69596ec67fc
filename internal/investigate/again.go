package investigate

import (
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// again returns a request that shows that the server answered the holder's client again: had the holder gone on until then,
// it would have renewed its lease. It is the first one that the server received after all of the holder's requests in the
// window and after idle, and that had a normal answer which arrived (see arrived). It is a write or, unless the server had
// answered reads all the time (see readOn and opened), a read: a leader that gets an answer to a read writes at once. It is
// nil if there is none by the clock of the same log, or if the address of the holder's client is not logged.
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

// opened returns when the server received the write with which the poll began in which the term was lost, as far as the
// writes show. It is the last write of the term before which the holder's client did not read: a client reads within a poll
// only after a write that failed. Of a holder that reads before most of its writes, as client-go v0.24 does, it is the last
// write. It looks at the last hundred writes at most.
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

// idle returns from when on the holder would not have written after a read that was answered: when it had certainly given up,
// if its own log says that before the next write was received, and otherwise when that write was received.
func (w *window) idle() time.Time {
	if lines := w.said(); len(lines) > 0 {
		s := lines[len(lines)-1]
		if high := w.pod.instant(s.At, unit(s)).High; turns(s.Step) && !high.IsZero() && high.Before(w.next.Received) {
			return high
		}
	}
	return w.next.Received
}

// answered tells whether the text of an error certainly shows that the server answered the request.
func answered(text string) bool {
	return answerOf(text) != "" || says(text, []string{"has been modified", "already exists", "not found", "server answered"})
}

// arrived tells whether the answer to the k-th of these requests, which are all of one client, reached that client. The
// client must have asked again, by the clock of the same log. If the log of the holder's pod is known, it must not say, until
// the client asked again, that a request failed, except one that the server answered. Otherwise the client must have asked
// sooner than it does without an answer: then the request timeout, which is taken to be a second at least, or RetryPeriod if
// that is shorter, and RetryPeriod pass.
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
