package explain

import (
	"fmt"
	"time"

	"interregnum/internal/trace"
)

// claimsExpiring is claims for a lock that expires by itself.
func (c *candidate) claimsExpiring(e *trace.Event, r *request, before *record) {
	switch {
	case e.Holder == "" || e.Verb == trace.Refresh:
		return
	case before.expiredAt != 0:
		c.claim = claim{kind: ranOut}
	case !before.exists && before.deletedAt >= 0:
		c.claim = claim{kind: deleted}
	case !before.exists:
		c.claim = claim{kind: created}
	case before.holder == "":
		c.claim = claim{kind: released}
	default:
		lease := int64(c.about.LeaseDuration)
		c.claim = claim{kind: outdated, lease: lease, older: r.stamp - before.stamp - (r.stampedAt - before.stampedAt)}
	}
	c.claim.at, c.claim.name, c.claim.object, c.claim.before = e.At, e.Holder, e.Object, *before
}

// stamp notes the time that a statement writes into a row: the caller's, which it carries, or the database's when it is applied.
func (f *electionFold) stamp(c *candidate, r *request, e *trace.Event) {
	r.stampedAt = r.sentAt
	if !c.about.OwnNow {
		r.stampedAt, r.stamp = e.At, f.service.wall(e.At)
	}
}

// rowTime returns a statement's time cut to the precision of the row's column.
func (f *electionFold) rowTime(r *request) int64 {
	unit := int64(max(f.header.Service.Precision, time.Microsecond))
	rest := r.stamp % unit
	if rest < 0 {
		rest += unit
	}
	return r.stamp - rest
}

// expired takes in that a key's entry has run out.
func (f *electionFold) expired(e *trace.Event) {
	r := &f.records[e.Object]
	r.exists, r.expiredAt = false, e.At
}

// startRanOut tells of a key that was gone, or a row that looked so.
func (t *teller) startRanOut(took string) (sum []Summand, because string) {
	k, b := &t.second.claim, t.second.Candidate
	before := &k.before
	writer := t.f.name(before.writer)
	t.step(before.at, before.writer, trace.Written, fmt.Sprintf("%s's last write of %s is applied", writer, t.object()))
	if k.kind == ranOut {
		t.step(before.expiredAt, trace.Nobody, trace.Expired, "the key has run out")
		t.step(k.at, b, trace.Written, t.b+" takes the lock")
		lasted := Summand{"leaseDuration on the service's clock", before.expiredAt - before.at}
		if lasted.Ns == int64(t.f.header.Candidates[before.writer].LeaseDuration) {
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

// expiringDeadline is what the end of the work is the sum of where the candidate counts from an answer; nil where something
// else ended it.
func (t *teller) expiringDeadline() []Summand {
	h, w := &t.hold, t.first
	end := w.cancelledAt
	if h.failedAt != never {
		end = h.failedAt
	}
	if h.toldAt != never || end == never {
		return nil
	}
	sum := t.lasts(instant("acknowledged", h.ackedAt), "renewDeadline", t.about().RenewDeadline, h.ackedAt, end)
	sum = t.and(sum, "release", end, w.cancelledAt)
	return t.and(sum, "drain", w.cancelledAt, w.endedAt)
}
