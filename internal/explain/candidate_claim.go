package explain

import (
	"time"

	"interregnum/internal/trace"
)

// claims sets c.claim, which says how the candidate came by the lock, if its write r took the lock. before is the record
// before the write, and lasts how long its writer's lease lasts.
func (c *candidate) claims(e *trace.Event, r *request, before *record, lasts time.Duration) {
	if k, took := c.claimBy(e, r, before, lasts); took {
		k.at, k.name, k.object, k.before = e.At, e.Holder, e.Object, *before
		c.claim = k
	}
}

// claimBy returns how the candidate came by the lock, by its write r; took is false if r did not take it. e is the event of that
// write, before is the record that it replaced, and lasts is how long the lease of that record's writer lasts.
func (c *candidate) claimBy(e *trace.Event, r *request, before *record, lasts time.Duration) (k claim, took bool) {
	expires := e.Object.Expires()
	named := !expires && before.exists && before.holder == e.Holder
	switch {
	case e.Holder == "", expires && e.Verb == trace.Refresh, named && before.claimant == e.Candidate:
		return k, false
	case before.edited() && (named || before.holder == ""):
		k.kind = edited
	case named:
		k.kind = sameName
	case before.expiredAt != 0:
		k.kind = ranOut
	case !before.exists && before.deletedAt >= 0:
		k.kind = deleted
	case !before.exists:
		k.kind = created
	case !expires && before.holder == "" && before.wiped >= 0:
		k.kind = wiped
	case before.holder == "":
		k.kind = released
	case expires:
		k.kind, k.lease = outdated, int64(lasts)
		k.older = r.stamp - before.stamp - (r.stampedAt - before.stampedAt)
	case len(c.about.Objects) == 2:
		k.kind = tookOver // it has looked at two records together
	case e.Verb == trace.Patch && c.seen.look != before.look(c.about.ComparesSeconds):
		k.kind = overwrote
	case c.about.ByRenewTime:
		k.kind = pastRenewTime
	default:
		k = c.expiry(r, before)
	}
	return k, true
}

// passesOver is called for a request that changed nothing; e says that it arrived, and before is the object's record then. If it
// is a Create of the first of two objects, and that object exists, passesOver sets c.claim to say that the candidate passed over
// that failure. Otherwise it does nothing.
func (c *candidate) passesOver(e *trace.Event, before *record) {
	if len(c.about.Objects) == 2 && c.about.First(e.Object) && e.Verb == trace.Create && before.exists {
		c.claim = claim{kind: passedOver, at: e.At, object: e.Object, before: *before}
	}
}

// expiry returns how the candidate came by another one's lock with the write r, which replaced the record before. It found the
// lease run out, if what it is known to have read agrees with that; otherwise the way is unknown (tookOver).
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
