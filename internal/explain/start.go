package explain

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/trace"
)

// start returns the terms that add up to the time at which the second candidate could start, and a text that says why it could.
// It adds the steps of that start to t.steps.
func (t *teller) start() (sum []Summand, because string) {
	k := &t.second.claim
	b := t.second.Candidate
	t.step(t.from, b, trace.WorkStarted, t.b+" starts to work")
	if k.at == never {
		because = fmt.Sprintf("%s started at %s", t.b, seconds(t.from))
		if t.candidates[b].about.ByRenewTime {
			because += " because it had read its own name"
		}
		return instant("started", t.from), because
	}
	if mine := &t.first.claim; mine.at != never && mine.at > k.at && mine.at < t.from && mine.object == k.object {
		return t.startLate(mine.at)
	}
	took := fmt.Sprintf("%s took over at %s", t.b, seconds(k.at)) + t.elsewhere()
	switch k.kind {
	case expired, sameName, passedOver, ranOut, outdated, pastRenewTime, overwrote: // which say it in their own words
	default:
		t.step(k.at, b, trace.Written, t.b+" takes "+t.lock())
	}
	before := &k.before
	switch k.kind {
	case expired:
		return t.startExpired(took)
	case ranOut, outdated:
		return t.startRanOut(took)
	case sameName:
		other := t.name(before.claimant)
		if t.header.Candidates[before.writer].Coordinator {
			t.step(before.at, before.writer, trace.Written, other+" gives "+t.lock()+" to "+k.name)
			t.step(k.at, b, trace.Written, t.b+" finds itself named, and renews")
			return instant("named", before.at),
				fmt.Sprintf("%s because %s had named it at %s", took, other, seconds(before.at))
		}
		t.step(before.at, before.writer, trace.Written, other+" has "+t.lock()+" as "+k.name)
		t.step(k.at, b, trace.Written, t.b+" goes by the same name, and takes that record for its own")
		return instant("lock taken for its own", k.at),
			fmt.Sprintf("%s, at once, because it goes by the same name as %s", took, other)
	case released:
		t.step(before.at, before.writer, trace.Written, t.name(before.writer)+" releases "+t.lock())
		return instant("released", before.at),
			fmt.Sprintf("%s because %s had released %s at %s", took, t.name(before.writer), t.lock(), seconds(before.at))
	case wiped:
		by, whose := t.name(before.writer), t.name(before.wiped)
		t.step(before.at, before.writer, trace.Written, fmt.Sprintf("the late release of %s blanks the lease of %s", by, whose))
		return instant("released", before.at),
			fmt.Sprintf("%s because the late release of %s had blanked the lease of %s at %s", took, by, whose, seconds(before.at))
	case pastRenewTime:
		t.step(before.at, before.writer, trace.Written, t.name(before.writer)+"'s last write is applied")
		t.step(k.at, b, trace.Written, t.b+" has found, by its own wall clock, that the lease has run out, and takes "+t.lock())
		return instant("taken over", k.at), fmt.Sprintf("%s because by its own wall clock leaseDuration had passed since the "+
			"renewTime that %s wrote at %s", took, t.name(before.writer), seconds(before.at))
	case overwrote:
		t.step(before.at, before.writer, trace.Written, t.name(before.writer)+"'s last write is applied")
		t.step(k.at, b, trace.Written, t.b+"'s patch takes "+t.lock()+", and names no version")
		return instant("taken over", k.at), fmt.Sprintf("%s because its patch names no version: it had read the record before %s wrote it at %s",
			took, t.name(before.writer), seconds(before.at))
	case deleted:
		t.step(before.deletedAt, trace.Nobody, trace.Deleted, t.object()+" is deleted")
		return instant("deleted", before.deletedAt),
			fmt.Sprintf("%s because %s had been deleted at %s", took, t.object(), seconds(before.deletedAt))
	case edited:
		whom := "nobody"
		if before.holder != "" {
			whom = before.holder
		}
		t.step(before.at, trace.Nobody, trace.Edited, fmt.Sprintf("somebody edits %s, which names %s then", t.object(), whom))
		return instant("edited", before.at),
			fmt.Sprintf("%s because somebody had edited %s at %s: it named %s", took, t.object(), seconds(before.at), whom)
	case passedOver:
		t.step(k.at, b, trace.RequestApplied, fmt.Sprintf("%s finds %s there already, naming %s, and goes on to create the other one",
			t.b, t.object(), t.name(before.claimant)))
		return instant("passed over", k.at), fmt.Sprintf("%s because a lock on two objects creates the second where the first is there already, whomever that names", took)
	case created:
		return instant("created", k.at), fmt.Sprintf("%s because there was no %s yet", took, strings.TrimPrefix(t.object(), "the "))
	}
	return instant("taken over", k.at), took
}

// startLate explains a start of work long after the write that took the lock: meanwhile, at the time mine, in nanoseconds of true
// time, the first candidate has taken the lock, and leads. It adds the steps to t.steps, and returns the sum and the reason.
func (t *teller) startLate(mine int64) (sum []Summand, because string) {
	k := &t.second.claim
	t.step(k.at, t.second.Candidate, trace.Written, t.b+" takes "+t.lock())
	t.step(mine, t.first.Candidate, trace.Written, t.a+" takes "+t.lock()+" after that")
	return instant("started", t.from), fmt.Sprintf("%s started at %s because it heard only then that it had taken %s at %s, and %s had taken it at %s",
		t.b, seconds(t.from), t.lock(), seconds(k.at), t.a, seconds(mine))
}

// startExpired explains a start where the second candidate found the lease run out: it adds the steps to t.steps, and returns the
// sum and the reason. took is the beginning of the reason. If it is not known how long the lease was in true time, the sum has
// only the instant at which it was taken over.
func (t *teller) startExpired(took string) (sum []Summand, because string) {
	k := &t.second.claim
	b, before := t.second.Candidate, &k.before
	kind, what, last := trace.Written, t.name(k.first.by)+"'s write", "the last renewal it could tell apart was applied"
	if k.first.by == trace.Nobody {
		kind, what, last = trace.Edited, "somebody's edit", "the last that looked new to it was somebody's edit"
	}
	t.step(k.first.at, k.first.by, kind, what+" is applied: the last that looks new to "+t.b)
	if before.at > k.first.at {
		why := "it carries the same time"
		if k.seenAt >= 0 && t.candidates[b].about.ComparesSeconds && before.exactly.at == before.at {
			why = "its time is in the same second"
		}
		t.step(before.at, before.writer, trace.Written, fmt.Sprintf("%s's last write is applied; to %s it looks like the one that it has read: %s",
			t.name(before.writer), t.b, why))
	}
	t.step(k.seenAt, b, trace.ResponseHandled, fmt.Sprintf("%s has read that, and counts %s from here", t.b, seconds(k.lease)))
	t.step(k.at, b, trace.Written, t.b+" has found the lease run out, and takes "+t.lock())
	because = fmt.Sprintf("%s because %s at %s", took, last, seconds(k.first.at))
	name := "leaseDuration"
	switch {
	case k.lasts == 0:
		return instant("taken over", k.at), because
	case k.lasts != k.lease:
		name += " on " + t.b + "'s clock"
	}
	return []Summand{{"applied", k.first.at}, {name, k.lasts}}, because
}

// startRanOut explains a start after a key was gone, or a row looked expired: it adds the steps to t.steps, and
// returns the sum and the reason. took is the beginning of the reason.
func (t *teller) startRanOut(took string) (sum []Summand, because string) {
	k, b := &t.second.claim, t.second.Candidate
	before := &k.before
	writer := t.name(before.writer)
	t.step(before.at, before.writer, trace.Written, fmt.Sprintf("%s's last write of %s is applied", writer, t.object()))
	if k.kind == ranOut {
		t.step(before.expiredAt, trace.Nobody, trace.Expired, "the key has run out")
		t.step(k.at, b, trace.Written, t.b+" takes the lock")
		lasted := Summand{"leaseDuration on the service's clock", before.expiredAt - before.at}
		if lasted.Ns == int64(t.header.Candidates[before.writer].LeaseDuration) {
			lasted.Name = "leaseDuration"
		}
		return []Summand{{"written", before.at}, lasted},
			fmt.Sprintf("%s because the key, last written at %s, had run out at %s", took, seconds(before.at),
				seconds(before.expiredAt))
	}
	t.step(k.at, b, trace.Written, t.b+"'s statement finds the row expired, and takes it")
	sum = []Summand{{"row's time taken", before.stampedAt}, {"leaseDuration", k.lease}}
	because = fmt.Sprintf("%s because the row's time, taken at %s, was more than leaseDuration ago", took,
		seconds(before.stampedAt))
	if k.older != 0 {
		sum = append(sum, Summand{"looks older by", -k.older})
		because = fmt.Sprintf("%s because the row's time, taken at %s, looked %s older than it was", took,
			seconds(before.stampedAt), seconds(k.older))
	}
	return sum, because
}

// lock returns a name for the lock that the second candidate took, with its object where there are several.
func (t *teller) lock() string {
	if !t.several {
		return "the lock"
	}
	return "the lock on " + t.object()
}

// object returns a name for the object that the second candidate's lock is on, of two objects the first: its kind if t.several is
// true, otherwise "the lock object".
func (t *teller) object() string {
	if !t.several {
		return "the lock object"
	}
	return "the " + t.second.claim.object.String()
}

// elsewhere returns a text that says that the two candidates have locked different objects, "" if they have one in
// common.
func (t *teller) elsewhere() string {
	first, second := t.objects(t.first), t.objects(t.second)
	if slices.ContainsFunc(first, func(o trace.Object) bool { return slices.Contains(second, o) }) {
		return ""
	}
	return fmt.Sprintf(" (its lock is on the %v, that of %s on the %v)", second[0], t.a, first[0])
}

// objects returns the objects of the lock of a work's candidate, a Lease where the trace names none.
func (t *teller) objects(w *work) []trace.Object {
	if on := t.header.Candidates[w.Candidate].Objects; on != nil {
		return on
	}
	return []trace.Object{trace.Lease}
}
