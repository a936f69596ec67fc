package investigate

import (
	"fmt"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// quiet returns Silent if nothing came from the holder in the window (see nothingCame) and, if its log is known, for half of it or longer no
// line about anything; otherwise no cause (""). The window must be as long as the record's lease.
func (w *window) quiet() (l Link, cause Cause) {
	lease := w.last.Record.Duration
	if lease == 0 || w.lasts() < lease || !w.nothingCame() || w.goesOn() {
		return l, ""
	}
	from, _ := w.client()
	l.Text, l.Places = w.silence(from)
	return l, Silent
}

// lasts returns how long the window lasts.
func (w *window) lasts() time.Duration { return w.next.Received.Sub(w.last.Received) }

// goesOn tells whether the holder's log perhaps goes on in the window about other things than the election: it is not known to have
// nothing for half of it.
func (w *window) goesOn() bool {
	if w.pod == nil {
		return false
	}
	most, _ := w.unheard(w.next.Received)
	return most < w.lasts()/2
}

// unheardOf returns what is known if no cause is, and nothing came from the holder in the window, for longer than twice its
// RetryPeriod: that its log may go on about other things, or that the window is shorter than its lease. It returns nil in any
// other case, and if RetryPeriod is not known. See nothingCame.
func (w *window) unheardOf() []Link {
	lease, period := w.last.Record.Duration, w.period()
	switch {
	case period == 0 || w.lasts() <= 2*period || !w.nothingCame():
		return nil
	case w.goesOn():
		return []Link{{nil, "no request of it came meanwhile, and no line of its log about the election; its log perhaps goes on about other things, and nothing logged shows why it did not renew"}}
	case lease > 0 && w.lasts() < lease:
		return []Link{{nil, fmt.Sprintf("nothing came from it meanwhile%s; that is shorter than its lease of %v, and nothing logged shows why", w.lacks(w.next.Received), lease)}}
	}
	return nil
}

// nothingCame tells whether nothing about the lock came from the holder in the window: no request of its client, and no line of its pod
// that can be of that time. It is false if the client is perhaps not client-go, if its address is not logged or somebody of another
// host wrote from there, if the clock of its pod's log is not to be trusted, or if the lock was released.
func (w *window) nothingCame() bool {
	from, known := w.client()
	if w.term.Foreign || !w.term.Released.IsZero() || !known {
		return false
	}
	later := w.since(w.t.clients[from])
	asked := len(later) > 0 && !later[0].Received.After(w.next.Answered) // the next write was applied by when it was answered, at the latest
	return !asked && !w.perhapsAsked(from) && !w.mayHaveSaid()
}

// mayHaveSaid tells whether a line of the holder's pod may be of the window, or cannot be placed. That it has acquired the lock, or
// whom it sees lead, may be about its last write: that counts only if it is certainly of the window. If it is not known which
// log is that of the holder, each line of any log may be.
func (w *window) mayHaveSaid() bool {
	if w.pod == nil {
		return len(w.t.e.Sayings) > 0 // one of these lines may be its own
	}
	if !w.pod.trusted() {
		return true
	}
	for _, s := range w.perhapsLater() {
		at := w.pod.instant(s.At, unit(s))
		switch about := s.Step == evidence.Acquired || s.Step == evidence.Observed; {
		case at.Low.IsZero() || at.High.IsZero():
			return true
		case at.Low.After(w.next.Answered):
			return false
		case !about && at.High.After(w.last.Received), at.Low.After(w.last.Received):
			return true
		}
	}
	return false
}

// perhapsLater returns the lines of the holder's pod from the first one on that may have been written after the last write was
// received. The pod must be known. The record's stamp does not tell which these are, since our elector stamps ahead where records have
// whole seconds.
func (w *window) perhapsLater() []*evidence.Saying {
	all := w.pod.sayings
	return all[sort.Search(len(all), func(k int) bool {
		high := w.pod.instant(all[k].At, w.pod.unit).High
		return high.IsZero() || high.After(w.last.Received)
	}):]
}

// silence returns how long nothing came from the holder, whose client is from, what then came first, and what that looks like.
func (w *window) silence(from client) (text string, places []evidence.Place) {
	until, place, again := w.signOfLife(from)
	switch end := w.logged(); {
	case until.IsZero() && end.Low.After(w.next.Received):
		return "nothing more came from it" + w.lacks(end.High) + ": it stood still, was cut off, or was started again, since its log goes on about other things", nil
	case until.IsZero():
		return "nothing more came from it" + w.lacks(latest(w.next.Received, end.High)) + ": so a process looks that was killed, has crashed, stands still or is cut off", nil
	}
	text = fmt.Sprintf("nothing came from it for %v%s", until.Sub(w.last.Received).Round(time.Millisecond), w.lacks(until))
	if period := w.period(); period > 0 {
		text += fmt.Sprintf(", where it had asked every %v", period)
	}
	switch {
	case again:
		text += "; then it, or another process of its pod, stands for election again: it was killed or has crashed, or stood still"
	case w.pod == nil:
		text += "; then its client asks again: it stood still, was cut off, or was started again"
	default:
		if q, usual := w.fellSilent(); q != nil {
			text += fmt.Sprintf(". Its log, which otherwise has a line every %v on average, has none about anything for %v: it stood still, or was cut off together with what collects its log",
				usual, q.Until.Sub(q.From).Round(time.Millisecond))
			return text, []evidence.Place{place, q.Place}
		}
		text += ": it stood still, or what it asked or was answered was under way for so long"
	}
	return text, []evidence.Place{place}
}

// far is how many times as long as a log takes from line to line, on average, a silence must be to show something (see
// fellSilent).
const far = 100

// fellSilent returns the silence of the pod's log that takes up most of the window, and how long the log otherwise takes from line to
// line on average. It returns nil if no silence takes up half of it, or if the silence shows nothing: it is not far longer than that
// average, or the log had another one of a tenth of it.
func (w *window) fellSilent() (found *evidence.Silence, usual time.Duration) {
	from := w.last.Record.Renew // by the pod's clock, as silences are
	until := from.Add(w.lasts())
	for _, q := range w.pod.silences {
		if earliest(until, q.Until).Sub(latest(from, q.From)) > until.Sub(from)/2 {
			found = q
		}
	}
	if found == nil {
		return nil, 0
	}
	lasts := found.Until.Sub(found.From)
	for _, q := range w.pod.silences {
		if q != found && q.Source == found.Source && q.Until.Sub(q.From) > lasts/10 {
			return nil, 0
		}
	}
	x := &w.t.e.Sources[found.Source]
	if usual = (x.Last.Sub(x.First) - lasts) / time.Duration(max(x.Lines-1, 1)); usual <= 0 || usual*far > lasts {
		return nil, 0
	}
	return found, usual.Round(time.Microsecond)
}

// signOfLife returns when the first request, or line, came from the holder or its client after the window, and where that stands;
// zero if nothing more came. again tells whether the first line by which its pod says anything of its state is one by which it
// stands for election.
func (w *window) signOfLife(from client) (at time.Time, place evidence.Place, again bool) {
	for _, q := range w.since(w.t.clients[from]) {
		if w.t.sameClock(q.Source, w.last.Source) {
			at, place = q.Received, q.Place
			break
		}
	}
	if w.pod == nil {
		return at, place, false
	}
	for _, s := range w.perhapsLater() {
		low := w.pod.instant(s.At, 0).Low
		if !low.After(w.next.Received) {
			continue
		}
		if at.IsZero() || low.Before(at) {
			at, place = low, s.Place
		}
		if turns(s.Step) {
			return at, place, s.Step == evidence.Tries
		}
	}
	return at, place, false
}

// certainlyStill says with which RenewDeadline, at most, a silence of the pod's log shows that the process stood still (see
// stood). It returns nil if there is no such silence, or if RetryPeriod is not known.
func (w *window) certainlyStill() (all []Link) {
	period, most := w.period(), time.Duration(0)
	for q := range w.silences() {
		// With that RenewDeadline the silence ends when a process that runs gives up at the latest; see patience.
		if d := ((q.Until.Sub(w.last.Record.Renew) - w.coarse() - period) / 2).Truncate(time.Millisecond); period > 0 && d > most {
			most = d
			all = []Link{{[]evidence.Place{q.Place}, fmt.Sprintf("it certainly stood still if its RenewDeadline is %v or shorter (--renew-deadline)", d)}}
		}
	}
	return all
}

// wentOn tells whether the process of a holder from which nothing came went on later: its client asked, or its log has lines,
// and its log does not say first that it, or another process of its pod, stands for election again. It is false if no log of
// its pod is known.
func (w *window) wentOn() bool {
	from, _ := w.client()
	at, _, again := w.signOfLife(from)
	return w.pod != nil && !at.IsZero() && !again
}
