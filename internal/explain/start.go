package explain

import (
	"fmt"

	"interregnum/internal/trace"
)

// start tells why the second candidate could start, and from which sum on.
func (t *teller) start() (sum []Term, because string) {
	k := &t.second.claim
	b := t.second.candidate
	t.step(t.from, b, trace.WorkStarted, t.b+" starts to work")
	if k.at == never {
		return instant("started", t.from), fmt.Sprintf("%s started at %s", t.b, seconds(t.from))
	}
	took := fmt.Sprintf("%s took over at %s", t.b, seconds(k.at))
	if k.kind != expired && k.kind != sameName {
		t.step(k.at, b, trace.Written, t.b+" takes the lock")
	}
	before := &k.before
	switch k.kind {
	case expired:
		return t.startExpired(took)
	case sameName:
		other := t.f.name(before.claimant)
		t.step(before.at, before.writer, trace.Written, other+" has the lock as "+k.name)
		t.step(k.at, b, trace.Written, t.b+" goes by the same name, and takes that record for its own")
		return instant("lock taken for its own", k.at),
			fmt.Sprintf("%s, at once, because it goes by the same name as %s", took, other)
	case released:
		t.step(before.at, before.writer, trace.Written, t.f.name(before.writer)+" releases the lock")
		return instant("released", before.at),
			fmt.Sprintf("%s because %s had released the lock at %s", took, t.f.name(before.writer), seconds(before.at))
	case wiped:
		by, whose := t.f.name(before.writer), t.f.name(before.wiped)
		t.step(before.at, before.writer, trace.Written, fmt.Sprintf("the late release of %s blanks the lease of %s", by, whose))
		return instant("released", before.at),
			fmt.Sprintf("%s because the late release of %s had blanked the lease of %s at %s", took, by, whose, seconds(before.at))
	case deleted:
		t.step(before.deletedAt, trace.Nobody, trace.Deleted, "the lock object is deleted")
		return instant("deleted", before.deletedAt),
			fmt.Sprintf("%s because the lock object had been deleted at %s", took, seconds(before.deletedAt))
	case created:
		return instant("created", k.at), fmt.Sprintf("%s because there was no lock object yet", took)
	}
	return instant("taken over", k.at), took
}

func instant(name string, at int64) []Term { return []Term{{name, at}} }

func (t *teller) startExpired(took string) (sum []Term, because string) {
	k := &t.second.claim
	b, before := t.second.candidate, &k.before
	t.step(k.first.at, k.first.by, trace.Written, fmt.Sprintf("%s's write is applied: the last that looks new to %s",
		t.f.name(k.first.by), t.b))
	if before.at > k.first.at {
		why := "it carries the same time"
		if k.seenAt >= 0 && t.f.candidates[b].about.ComparesSeconds && before.exactly.at == before.at {
			why = "its time is in the same second"
		}
		t.step(before.at, before.writer, trace.Written, fmt.Sprintf("%s's last write is applied; to %s it looks like the one before: %s",
			t.f.name(before.writer), t.b, why))
	}
	t.step(k.seenAt, b, trace.ResponseHandled, fmt.Sprintf("%s has read that, and counts %s from here", t.b, seconds(k.lease)))
	t.step(k.at, b, trace.Written, t.b+" has found the lease run out, and takes the lock")
	because = fmt.Sprintf("%s because the last renewal it could tell apart was applied at %s", took, seconds(k.first.at))
	name := "leaseDuration"
	switch {
	case k.lasts == 0:
		return instant("taken over", k.at), because
	case k.lasts != k.lease:
		name += " on " + t.b + "'s clock"
	}
	return []Term{{"applied", k.first.at}, {name, k.lasts}}, because
}
