package explain

import (
	"time"

	"interregnum/internal/trace"
)

// claims sets c.claim, which says how the candidate came by the lock, if its write r made it the holder. before
// is the record before the write.
func (c *candidate) claims(e *trace.Event, r *request, before *record) {
	if e.Object.Expires() {
		c.claimsExpiring(e, r, before)
		return
	}
	if e.Holder == "" {
		return
	}
	switch {
	case before.exists && before.holder == e.Holder && before.claimant == e.Candidate:
		return
	case before.exists && before.holder == e.Holder:
		c.claim = claim{kind: sameName}
	case !before.exists && before.deletedAt >= 0:
		c.claim = claim{kind: deleted}
	case !before.exists:
		c.claim = claim{kind: created}
	case before.holder == "" && before.wiped >= 0:
		c.claim = claim{kind: wiped}
	case before.holder == "":
		c.claim = claim{kind: released}
	case len(c.about.Objects) == 2:
		// It has looked at two records together.
		c.claim = claim{kind: tookOver}
	case e.Verb == trace.Patch && c.seen.look != before.look(c.about.ComparesSeconds):
		c.claim = claim{kind: overwrote}
	case c.about.ByRenewTime:
		c.claim = claim{kind: pastRenewTime}
	default:
		c.claim = c.expiry(r, before)
	}
	c.claim.at, c.claim.name, c.claim.object, c.claim.before = e.At, e.Holder, e.Object, *before
}

// claimsExpiring sets c.claim, which says how the candidate came by a lock that expires by itself, if its write r
// took the lock. before is the record before the write.
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

// passesOver handles a request that changed nothing. If that is a Create of the first of two objects, and the object
// exists, it sets c.claim to say that the candidate passed over that failure. before is the object's record when the
// request arrived.
func (c *candidate) passesOver(e *trace.Event, before *record) {
	if len(c.about.Objects) == 2 && c.about.First(e.Object) && e.Verb == trace.Create && before.exists {
		c.claim = claim{kind: passedOver, at: e.At, object: e.Object, before: *before}
	}
}

// expiry returns how the candidate came by another one's lock with the write r: it found the lease run out, if what
// it is known to have read agrees with that; otherwise the way is unknown.
func (c *candidate) expiry(r *request, before *record) claim {
	bySecond := c.about.ComparesSeconds
	o := &c.seen
	lease := o.record.seconds * int64(time.Second)
	if c.about.WaitsOwnLease {
		lease = int64(c.about.LeaseDuration)
	}
	if !o.known || o.at < 0 || o.look != before.look(bySecond) || r.started-o.mono < lease {
		return claim{kind: tookOver}
	}
	k := claim{kind: expired, first: o.record.origin(bySecond), seenAt: o.at, lease: lease}
	if o.at >= c.clock.Since {
		k.lasts = c.clock.TrueTime(lease)
	}
	return k
}
