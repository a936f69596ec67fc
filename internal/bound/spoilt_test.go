package bound

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	tokens "golang.org/x/time/rate"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// reruns is the real limiter, beside other traffic within the environment and calls of an elector that runs again and again: one at a time, each
// of which may be cancelled while it waits.
type reruns struct {
	client, others *tokens.Limiter
	now            time.Time
	call           *tokens.Reservation // nil where none waits
}

// rerunsOf returns one whose bucket is empty, by calls that did not wait.
func rerunsOf(qps float64, burst int, e *Environment) *reruns {
	x := &reruns{now: time.Unix(1_000_000, 0), client: tokens.NewLimiter(tokens.Limit(float32(qps)), burst),
		others: tokens.NewLimiter(tokens.Limit(e.OtherQPS), e.MostAtOnce())}
	x.client.ReserveN(x.now, burst)
	return x
}

// come lets one request of other traffic come, where it may.
func (x *reruns) come() bool {
	may := x.others.AllowN(x.now, 1)
	if may {
		x.client.ReserveN(x.now, 1)
	}
	return may
}

// again cancels the call that waits, where there is one, and makes another. It returns how long that one waits.
func (x *reruns) again() time.Duration {
	if x.call != nil {
		x.call.CancelAt(x.now)
	}
	x.call = x.client.ReserveN(x.now, 1)
	return x.call.DelayFrom(x.now)
}

// spoil lets other traffic come that each leaves a cancelled call's token behind, as much as may. It returns how long the last call waits.
func (x *reruns) spoil() (wait time.Duration) {
	for wait = x.again(); x.come(); {
		wait = x.again()
	}
	return wait
}

// pass lets time pass. A call that has its token meanwhile is over.
func (x *reruns) pass(d time.Duration) {
	x.now = x.now.Add(d)
	if x.call != nil && x.call.DelayFrom(x.now) == 0 {
		x.call = nil
	}
}

// TestSpoiltTokens: a call that is cancelled while it waits, after which other traffic has come, leaves its token behind. No call waits longer than
// computed, whatever comes and is cancelled; some wait as long.
func TestSpoiltTokens(t *testing.T) {
	reached, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		client, e := drawTraffic(t)
		e.Reruns = true
		e.OtherQPS = client.QPS * rapid.SampledFrom([]float64{0, 0, 0.1, 0.33, 0.45}).Draw(t, "other share")
		m := withLimiter(client, e, time.Hour)
		most, ok := m.wait(1)
		require.True(t, ok)
		token := time.Duration(float64(time.Second) / client.QPS)

		x := rerunsOf(client.QPS, client.Burst, e)
		longest := x.spoil()
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				longest = max(longest, x.spoil())
			case 1:
				longest = max(longest, x.again())
			case 2:
				x.come()
			case 3:
				x.pass(time.Duration(rapid.Float64Range(0, 3).Draw(t, "tokens") * float64(token)))
			default: // until the call that waits has its token
				if x.call != nil {
					x.pass(x.call.DelayFrom(x.now))
				}
			}
		}
		require.LessOrEqual(t, longest, most+time.Microsecond, "%+v %+v", *client, *e)
		if e.OtherQPS == 0 {
			require.InDelta(t, most.Seconds(), longest.Seconds(), 1e-6)
		}
		all++
		if most-longest < token {
			reached++
		}
	})
	t.Logf("%d of %d within a token of the bound", reached, all)
	assert.Greater(t, reached, all*3/4)
}

// TestSpoiltForEver: where other traffic may be half of what the limiter lets pass, calls wait for longer and longer, and nothing is judged.
func TestSpoiltForEver(t *testing.T) {
	client, e := &plan.Client{QPS: 5, Burst: 10}, &Environment{MaxRoundTrip: time.Millisecond, OtherQPS: 3, Reruns: true}
	x, before := rerunsOf(client.QPS, client.Burst, e), time.Duration(0)
	for range 3 {
		var wait time.Duration
		for range 1000 {
			wait = x.spoil()
			x.pass(time.Duration(math.Ceil(float64(time.Second) / e.OtherQPS)))
		}
		require.Greater(t, wait, before+time.Minute)
		before = wait
	}
	c := &Config{Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		Profile: machine.ClientGo, Client: client}
	_, err := Of(c, e)
	require.ErrorIs(t, err, ErrNoWait)
	e.OtherQPS = 2.4
	_, err = Of(c, e)
	require.NoError(t, err)
}
