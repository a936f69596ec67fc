package investigate

import (
	"fmt"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// freed returns ShutDown if the holder released the lock because it was told to stop, Undone if the release came from a client of
// another host, and otherwise no cause (""). It returns no cause either if the logs do not show which it was: the last write is not the
// holder's own, the release is not stamped, the holder's log does not cover that time, or another client released the lock and its host
// is the holder's or not known. A process that gave up at its deadline can release the lock too, but says before that it gave up.
// client-go does not look whose record it releases.
func (w *window) freed() (Link, Cause) {
	if w.term.Released.IsZero() || !w.t.itself(w.t.by[w.term.Last]) {
		return Link{}, ""
	}
	by, own := clientOf(w.t.by[w.term.Last+1]), clientOf(w.t.by[w.term.Last])
	if by != own {
		if host := w.t.hosts[by]; host != "" && w.t.hosts[own] != "" && host != w.t.hosts[own] {
			return Link{[]evidence.Place{w.next.Place}, fmt.Sprintf("the release came from where %s wrote", host)}, Undone
		}
		return Link{}, ""
	}
	stamped := w.next.Record.Renew
	if stamped.IsZero() {
		return Link{}, ""
	}
	switch s, knows := w.turned(stamped.Add(w.t.stamp)); {
	case s != nil && s.Step == evidence.Lost && over(s):
		return Link{[]evidence.Place{s.Place}, "its own log says that it gave up because its context was cancelled"}, ShutDown
	case knows && (s == nil || s.Step != evidence.Lost):
		return Link{[]evidence.Place{w.next.Place}, "it released the lock, and its own log does not say before that it gave up: it was told to stop"}, ShutDown
	}
	return Link{}, ""
}

// gaveBack returns Released if the holder's own client released the lock, its own log does not say that it had given up before, and it
// is not known whether it was told to stop; otherwise no cause ("").
func (w *window) gaveBack() (Link, Cause) {
	own, known := w.client()
	if w.term.Released.IsZero() || !known || clientOf(w.t.by[w.term.Last+1]) != own {
		return Link{}, ""
	}
	if s, _ := w.turned(w.next.Record.Renew.Add(w.t.stamp)); s != nil {
		return Link{}, ""
	}
	return Link{[]evidence.Place{w.next.Place}, "its own client released it; whether it was told to stop, or had given up before, is not known"}, Released
}

// released returns ShutDown if the holder says that it could not release the lock, and does not say before that it gave up; otherwise,
// also if the logs do not show it, no cause ("").
func (w *window) released() (Link, Cause) {
	if s := w.unreleased(); s != nil {
		return Link{[]evidence.Place{s.Place}, "its own log says that it could not release the lock, and not before that it gave up: it was told to stop"}, ShutDown
	}
	return Link{}, ""
}

// unreleased returns the first line of the window by which the holder says that it could not release the lock, if its log does not say
// before that it gave up: only a process whose term is over tries to release the lock. It returns nil if there is none, or if the logs
// do not show it.
func (w *window) unreleased() *evidence.Saying {
	for _, s := range w.said() {
		if !releases(s) {
			continue
		}
		if before, knows := w.turned(s.At); before == nil && knows && w.earlier(s) {
			return s
		}
		break
	}
	return nil
}

// releases tells whether a line says that releasing the lock failed, in client-go's words. To read the record has words of its own
// there since client-go's lines have fields: these stand behind a colon, and the lock is one of them.
func releases(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	return s.Step == evidence.Failed && (strings.HasPrefix(text, "failed to release l") || strings.HasPrefix(text, "error retrieving resource lock: "))
}

// turned returns the first line by which the holder's pod says that it leads no longer, between the stamp of the holder's last
// write and until, by the pod's clock; nil if there is none. If nothing can be concluded, it returns nil and false: no log of the
// pod is known, its clock is not to be trusted, or the stamps are too coarse to tell. knows is true if one log with words that
// are known covers that whole time: then the process would have said so before it ended a term, unless it was told to stop.
func (w *window) turned(until time.Time) (s *evidence.Saying, knows bool) {
	p, from := w.pod, w.last.Record.Renew
	if !p.trusted() {
		return nil, false
	}
	k := p.notBefore(from)
	for ; k < len(p.sayings) && s == nil && p.sayings[k].At.Before(until); k++ {
		switch x := p.sayings[k]; {
		case !turns(x.Step), x.Step == evidence.Acquired:
		case !x.At.Before(from.Add(w.t.stamp)):
			s = x
		case x.Step != evidence.Tries && x.At.Add(unit(x)).After(from):
			return nil, false // the stamps are too coarse to tell which came first
		}
	}
	for _, source := range p.sources {
		x := &w.t.e.Sources[source]
		knows = knows || p.known[source] && !x.First.After(from) && !x.Last.Before(until)
	}
	return s, knows
}

// left returns Ended or ShutDown if the holder's process, or its Run, ended before the next write without a word that it gave up;
// otherwise, also if the logs do not show it, no cause (""). It is Ended if the process, or another one of its pod, stands for
// election again. It is ShutDown if the program says that it has lost the election: after a deadline, client-go says first that
// it gave up.
func (w *window) left() (Link, Cause) {
	s, _ := w.turned(time.Unix(1<<40, 0))
	switch {
	case s == nil || !w.earlier(s):
	case s.Step == evidence.Tries && over(s):
		return Link{[]evidence.Place{s.Place}, "it, or another process of its pod, stands for election again, without a word before that it gave up"}, Ended
	case s.Step == evidence.Ends && over(s):
		if _, knows := w.turned(s.At); knows {
			return Link{[]evidence.Place{s.Place}, "its own log says that it lost the election, and not before that it gave up: it was told to stop"}, ShutDown
		}
	}
	return Link{}, ""
}
