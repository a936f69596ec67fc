package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestRedials: a renewal that needs a connection in a partition is sent 1, 3 or 7 s later, as the dial's first packet is sent again and gets
// through. The kernel sends that in a frozen process too, which sends the renewal once it wakes.
func TestRedials(t *testing.T) {
	calm := renewals(t, aPlan(20*sec, who("a", 0, clientOf(plan.Client{}))), trace.RequestSent, 3*sec, 20*sec)
	dials := calm[1] // nothing gets through from a second before that on
	for name, c := range map[string]struct {
		heals, connects time.Duration
		frozen, wakes   time.Duration
		want            time.Duration
	}{
		"after 1 s":                      {heals: 500 * ms, want: sec},
		"after 3 s":                      {heals: 1500 * ms, want: 3 * sec},
		"after 7 s":                      {heals: 3500 * ms, want: 7 * sec},
		"a slow dial":                    {heals: 500 * ms, connects: 1500 * ms, want: 2500 * ms},
		"frozen before the packet":       {heals: 1500 * ms, frozen: 2 * sec, wakes: 5 * sec, want: 5 * sec},
		"frozen as the packet is lost":   {heals: 4 * sec, frozen: 2 * sec, wakes: 5 * sec, want: 7 * sec},
		"awake before the packet":        {heals: 1500 * ms, frozen: 2 * sec, wakes: 2500 * ms, want: 3 * sec},
		"frozen, and another dial's end": {heals: 1500 * ms, frozen: 2 * sec, wakes: 9 * sec, want: 9 * sec},
	} {
		t.Run(name, func(t *testing.T) {
			p := with(aPlan(20*sec, who("a", 0, clientOf(plan.Client{Dial: c.connects}))),
				fault(plan.FaultReset, dials+c.connects-sec-ms, "a"), window(plan.FaultPartition, dials+c.connects-sec, dials+c.connects+c.heals, "a"))
			if c.wakes > 0 {
				p = with(p, window(plan.FaultPause, dials+c.frozen, dials+c.wakes, "a"))
			}
			sent := renewals(t, p, trace.RequestSent, dials+c.connects-500*ms, 20*sec)
			assert.Equal(t, []time.Duration{dials + c.connects, dials + c.connects + c.want}, sent[:2])
		})
	}
}

// TestConnectedAsARequestEnds: where a request times out at the instant at which an earlier dial connects, the next one is sent on that
// connection, once.
func TestConnectedAsARequestEnds(t *testing.T) {
	a := who("a", 0, clientOf(plan.Client{}))
	a.Timings, a.RequestTimeout = machine.Timings{LeaseDuration: 200 * sec, RenewDeadline: 150 * sec, RetryPeriod: 900 * ms}, 500*ms
	dials := renewals(t, aPlan(20*sec, a), trace.RequestSent, 3*sec, 20*sec)[1]
	p := with(aPlan(40*sec, a), fault(plan.FaultReset, dials-101*ms, "a"), window(plan.FaultPartition, dials-100*ms, dials+800*ms, "a"))
	var ends []time.Duration
	for _, e := range play(t, round(p, ms)).events {
		if e.Kind == trace.GaveUp {
			ends = append(ends, time.Duration(e.At)-dials)
		}
	}
	assert.Equal(t, []time.Duration{500 * ms, sec}, ends)
}
