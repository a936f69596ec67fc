package replay

import (
	"net/http"
	"time"

	"interregnum/plan"
)

// repeats tells whether the i-th write is the same as the one before, with its stamp to a part of a second: client-go had no answer to
// that one, read the record, and wrote what it had written. That changes nothing.
func (b *builder) repeats(i int) bool {
	if i-1 <= b.first || !b.renews(i) || b.fresh[i-1] {
		return false
	}
	last, own := &b.story.Writes[i-1].Record, &b.story.Writes[i].Record
	return own.Renew.Nanosecond() != 0 && own.Renew.Equal(last.Renew) && own.Acquire.Equal(last.Acquire) && own.Transitions == last.Transitions
}

// retries makes the holder write the i-th write, a renewal, since it had no answer to the one before, and tells whether that is so: the
// write repeats that one, or met a conflict with it later in the same poll. RenewDeadline still counts from when that poll began, so
// that b.polled stays.
func (b *builder) retries(i int) bool {
	switch {
	case b.repeats(i):
		late := b.time(i) - b.applied - 4*b.delay
		if late >= b.deadline*9/10 {
			return false
		}
		b.repeated = append(b.repeated, i)
		b.refuseTwice(i, late)
	case b.retried[i-1] && b.conflicted(i):
		base := b.applied
		if !b.repeats(i - 1) {
			base += 4 * b.delay
		}
		asks := b.polled + ((base+b.delay-b.polled)/b.period+1)*b.period // client-go's ticker goes on within a poll
		late := b.time(i) - asks - b.delay
		if late < -near || late >= b.deadline*9/10 {
			return false
		}
		if base > b.applied {
			b.refuseTwice(i, 0)
		}
		b.applied = asks + b.delay
		b.delays(i, asks, late)
		b.quick[i] = true
	default:
		return false
	}
	b.retried[i] = true
	return true
}

// refuseTwice adds faults by which the holder of the i-th write has no answer to the one that is applied at b.applied, nor to the same
// one that it sends once it has read the record, which takes longer by late.
// It adds the time until then to b.applied.
func (b *builder) refuseTwice(i int, late time.Duration) {
	b.unanswered(b.holder(i))
	reads := b.applied + b.delay
	b.applied += 4 * b.delay
	b.delays(i, reads, late)
	b.unanswered(b.holder(i))
}

// delays adds a fault by which what the holder of the i-th write sends at a time arrives later by late, and adds that to b.applied. If
// late is no more than near, it does nothing.
func (b *builder) delays(i int, sent, late time.Duration) {
	if late <= near {
		return
	}
	b.applied += late
	b.fault(plan.Fault{Kind: plan.FaultDelay, At: sent - b.delay/2, Until: new(sent + b.delay/2), On: []string{b.id(b.holder(i))},
		Request: &plan.Delay{Min: late + b.delay, Max: late + b.delay}})
}

// conflicted tells whether a request to write by the client that made the (i-1)-th write met a conflict between that write and the i-th.
func (b *builder) conflicted(i int) bool {
	own := b.requests[i-1]
	for k := range b.e.Requests {
		q := &b.e.Requests[k]
		if own != nil && q.Status == http.StatusConflict && q.Lock == own.Lock && q.Verb == "update" && sameClient(q, own) &&
			!q.Received.Before(own.Received) && q.Received.Before(b.story.Writes[i].Received) {
			return true
		}
	}
	return false
}
