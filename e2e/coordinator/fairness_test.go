package coordinator

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/plan"
)

// none is a gauge that nobody reads.
type none struct{}

func (none) Set(float64)            {}
func (none) Inc()                   {}
func (none) Dec()                   {}
func (none) Add(float64)            {}
func (none) SetToCurrentTime()      {}
func (none) SetDenominator(float64) {}

// level is a priority level of the API server with as many seats as f has.
func level(t *testing.T, f *plan.Fault, queues, hand, length int) fairqueuing.QueueSet {
	c, err := queueset.NewQueueSetFactory(eventclock.Real{}).BeginConstruction(
		fairqueuing.QueuingConfig{Name: "level", DesiredNumQueues: queues, HandSize: hand, QueueLengthLimit: length},
		metrics.RatioedGaugePair{RequestsWaiting: none{}, RequestsExecuting: none{}}, none{}, none{})
	require.NoError(t, err)
	return c.Complete(fairqueuing.DispatchingConfig{ConcurrencyLimit: int(f.Seats), ConcurrencyDenominator: int(f.Seats)})
}

// coming is a request that comes to the service at a time, and the hash of its flow.
type coming struct {
	at   time.Duration
	flow uint64
}

// answer is when a request was carried out, or refused, and with what Retry-After; 0 is the answer to one that was carried out.
type answer struct{ at, retryAfter time.Duration }

// served are the answers to requests, by their place.
type served []answer

// real has the requests come to the API server's priority level, of which each is carried out for f.Takes. What the server does around
// that is here by hand, as in pkg/server/filters/priority-and-fairness.go: a request waits for a quarter of 60 s.
func real(t *testing.T, f *plan.Fault, requests []coming, queues, hand, length int) served {
	done := make(served, len(requests))
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		set, tracker := level(t, f, queues, hand, length), flowcontrol.NewDroppedRequestsTracker()
		var all sync.WaitGroup
		for i, r := range requests {
			all.Go(func() {
				time.Sleep(r.at)
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute/4)
				defer cancel()
				one := &request.WorkEstimate{InitialSeats: 1}
				q, _ := set.StartRequest(ctx, one, r.flow, "", "schema", nil, nil, func(bool) {})
				if q != nil {
					q.Finish(func() {
						time.Sleep(f.Takes)
						done[i] = answer{time.Since(began), 0}
					})
				}
				if done[i].at == 0 {
					tracker.RecordDroppedRequest("level")
					done[i] = answer{time.Since(began), time.Duration(tracker.GetRetryAfter("level")) * time.Second}
				}
			})
		}
		all.Wait()
	})
	return done
}

// simulated has the requests of flow 0 come to the simulated service; the others are those of f. It asks for each Retry-After when the
// request is refused.
func simulated(f *plan.Fault, requests []coming) served {
	seats, done := network.NewSeats(f), make(served, len(requests))
	var late []int
	refuse := func(until time.Duration) {
		for len(late) > 0 && done[late[0]].at <= until {
			a := &done[late[0]]
			a.retryAfter = seats.RetryAfter(clock.Instant(a.at))
			late = late[1:]
		}
	}
	for i, r := range requests {
		if r.flow != 0 {
			continue
		}
		refuse(r.at)
		at, carriedOut := seats.Take(clock.Instant(r.at))
		switch done[i].at = time.Duration(at); {
		case !carriedOut && done[i].at == r.at:
			done[i].retryAfter = seats.RetryAfter(at)
		case !carriedOut:
			late = append(late, i)
		}
	}
	refuse(math.MaxInt64)
	return done
}

// overload draws a brownout with seats, and requests that come in it: those of others, as the brownout has them, and some of our own. No
// two things happen at one time, where what the API server does is up to the order of goroutines.
func overload(d *rand.Rand) (*plan.Fault, []coming) {
	const step = time.Millisecond
	f := &plan.Fault{
		Kind: plan.FaultBrownout, Seats: plan.Count(1 + d.IntN(4)), Queue: plan.Count(1 + d.IntN(8)), Takes: time.Duration(1+d.IntN(100)) * step,
	}
	if d.IntN(2) == 0 {
		f.Queue, f.Takes = plan.Count(1+d.IntN(200)), 30*f.Takes
	}
	var all []coming
	at := time.Duration(0)
	for n := range 300 {
		at += time.Duration(d.IntN(40)) * step
		all = append(all, coming{at + step/2 + time.Duration(n), 0})
	}
	if d.IntN(4) > 0 {
		f.Every = time.Duration(5+d.IntN(60))*step + 1
		for other := time.Duration(0); other < at+time.Minute/4+time.Second; other += f.Every {
			all = append(all, coming{other, 1 + d.Uint64N(1<<60)})
		}
	}
	slices.SortFunc(all, func(a, b coming) int { return int(a.at - b.at) })
	return f, all
}

// TestSeats: where there is one queue, the API server carries out each request at the time at which the simulated service does, and
// refuses those that it refuses, at the same time and with the same Retry-After.
func TestSeats(t *testing.T) {
	refused, late, waited, longer := 0, 0, 0, 0
	for seed := range uint64(300) {
		f, requests := overload(rand.New(rand.NewPCG(seed, 1)))
		want := real(t, f, requests, 1, 1, int(f.Queue))
		for i, got := range simulated(f, requests) {
			r := requests[i]
			if r.flow != 0 {
				continue
			}
			require.Equal(t, want[i], got, "seed %d, request at %v", seed, r.at)
			switch {
			case got.at == r.at:
				refused++
			case got.retryAfter > 0:
				late++
			case got.at > r.at+f.Takes:
				waited++
			}
			if got.retryAfter > time.Second {
				longer++
			}
		}
	}
	t.Logf("%d refused, %d after a wait, %d waited for their seat; %d were to wait for more than a second", refused, late, waited, longer)
	for _, n := range []int{refused, late, waited, longer} {
		assert.Greater(t, n, 1000)
	}
}

// TestFlows: what one queue leaves out. Our few requests have a flow of their own, as those of one user have in a priority level; others
// ask for more than the service can do. Where theirs is one flow, and hands of queues differ, fair queuing has ours wait for little
// more than a seat, where one queue refuses many. Where each of theirs is a flow of its own, all queues are full, and ours wait
// longer than in one.
func TestFlows(t *testing.T) {
	const takes = 100 * time.Millisecond
	for _, c := range []struct {
		queues, hand, flows int
		least, most         time.Duration
		refused             bool
	}{
		{1, 1, 1, time.Second, 5 * time.Second, true},
		{16, 4, 1, 0, time.Second, false},
		{128, 6, 1, 0, time.Second, false},
		{16, 4, 3000, 10 * time.Second, 15 * time.Second, true},
	} {
		worst, refused := time.Duration(0), 0
		for seed := range uint64(10) {
			d := rand.New(rand.NewPCG(seed, 1))
			f := &plan.Fault{Kind: plan.FaultBrownout, Seats: plan.Count(1 + d.IntN(4)), Takes: takes}
			f.Every = takes*9/10/time.Duration(f.Seats) + 1
			own, flows := d.Uint64(), make([]uint64, c.flows)
			for i := range flows {
				flows[i] = d.Uint64()
			}
			var all []coming
			for n := range 3000 {
				all = append(all, coming{time.Duration(n) * f.Every, flows[n%len(flows)]})
			}
			for n := range 100 {
				all = append(all, coming{time.Duration(n)*f.Every*30 + time.Millisecond/2 + time.Duration(n), own})
			}
			done := real(t, f, all, c.queues, c.hand, 50)
			for i, r := range all {
				switch {
				case r.flow != own:
				case done[i].retryAfter > 0:
					refused++
				default:
					worst = max(worst, done[i].at-r.at-takes)
				}
			}
		}
		t.Logf("%d queues, %d flows of others: waits up to %v, %d of 1000 refused", c.queues, c.flows, worst, refused)
		assert.GreaterOrEqual(t, worst, c.least)
		assert.LessOrEqual(t, worst, c.most)
		assert.Equal(t, c.refused, refused > 0)
	}
}
