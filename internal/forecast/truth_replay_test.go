package forecast_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

const (
	// The recordings of these cases have a request every tenth of a second, for two hours, and are cut into blocks of five minutes.
	apart      = 100 * ms
	recordedIn = 2 * hour
	block      = 5 * time.Minute
)

// recording is the behaviour of a recording in which all requests are answered but those that change changes.
func recording(change func(at time.Duration, x *behaviour.Recorded)) behaviour.Behaviour {
	r := &behaviour.Recording{Block: block}
	for at := time.Duration(0); at < recordedIn; at += apart {
		x := behaviour.Recorded{At: at, Took: trip, Status: 200}
		change(at, &x)
		r.All = append(r.All, x)
	}
	return behaviour.Behaviour{RoundTrip: behaviour.Constant(trip), Recorded: r}
}

// failingFor is the recording in which requests fail for that long once.
func failingFor(lasts time.Duration) behaviour.Behaviour {
	return recording(func(at time.Duration, x *behaviour.Recorded) {
		if at >= hour && at < hour+lasts {
			x.Status = 503
		}
	})
}

// replayCases are those in which a recording is replayed in blocks: all beginnings of blocks are enumerated.
func replayCases() []truthCase {
	cut := func(name string, lasts time.Duration) truthCase {
		// The loss in a stretch of x that fails is that of an outage of x. A block has all of it, or cuts its beginning or end off.
		chance := func(x float64) float64 { return min(1, max(0, (x-8-trip.Seconds())/cycle.Seconds())) }
		whole, cut := (block-lasts).Seconds()*chance(lasts.Seconds()), 0.0
		const step = 0.001
		for x := step / 2; x < lasts.Seconds(); x += step {
			cut += 2 * step * chance(x)
		}
		return truthCase{name: name, question: asked(1, failingFor(lasts)), runs: 40, length: 100 * hour,
			truths: []truth{{losses, (whole + cut) / block.Seconds() / recordedIn.Seconds(), 0.005}}}
	}
	slow := recording(func(at time.Duration, x *behaviour.Recorded) {
		if at == hour {
			x.Took = 20 * sec
		}
	})
	return []truthCase{
		cut("recording, fails for 9 s", 9*sec),
		cut("recording, fails for 30 s", 30*sec),
		{name: "recording, one slow answer", question: asked(1, slow), runs: 40, length: 400 * hour,
			truths: []truth{{losses, apart.Seconds() / recordedIn.Seconds() / cycle.Seconds(), 0.02}}},
	}
}

// played returns what the recording has for a request that is sent at at: each block of the run begins anywhere.
func (j *judge) played(at time.Duration) *behaviour.Recorded {
	r := j.usual.Recorded
	i := int(at / r.Block)
	for len(j.origins) <= i {
		j.origins = append(j.origins, time.Duration(j.Float64()*float64(r.Length())))
	}
	want := (j.origins[i] + at%r.Block) % r.Length()
	best, off := 0, time.Duration(math.MaxInt64)
	from, _ := slices.BinarySearchFunc(r.All, want, func(x behaviour.Recorded, at time.Duration) int { return cmp.Compare(x.At, at) })
	for k := range 5 {
		k = (from + k - 2 + len(r.All)) % len(r.All)
		d := (r.All[k].At - want).Abs()
		if d = min(d, r.Length()-d); d < off {
			best, off = k, d
		}
	}
	return &r.All[best]
}

// TestReplayAgreesWithPlainRuns compares forecasts of random recordings, in which losses are frequent, with long runs that draw one block
// after the other and weigh nothing.
func TestReplayAgreesWithPlainRuns(t *testing.T) {
	t.Parallel()
	sum, cases := 0.0, 4
	for i := range cases {
		r := rand.New(rand.NewPCG(5, uint64(i)))
		q := asked(1+i%3, behaviour.Behaviour{Recorded: anyRecording(r)}, timings(8*sec, 4*sec, sec))
		q.Candidate.ReleaseOnCancel = i%2 == 0
		if i%4 > 1 {
			q.Candidate.RequestTimeout = 2 * sec
		}
		f, err := forecast.Run(context.Background(), &q, (&forecast.Options{Seed: uint64(i), Precision: few.Else(0.08, 0.04), MaxWindows: 8000, Workers: 2}).LearnLess())
		require.NoError(t, err)
		plain := judged(t, &q, few.Of(40), 2*hour, 0)
		for _, x := range []figure{losses, leaderless} {
			a, b := x.of(f), x.of(plain)
			d := (a.Value - b.Value) / (math.Hypot(a.High-a.Low, b.High-b.Low) / 3.92)
			t.Logf("case %d: %s %.4g (%.4g to %.4g), plainly %.4g (%.4g to %.4g)", i, x.name, a.Value, a.Low, a.High, b.Value, b.Low, b.High)
			assert.Less(t, math.Abs(d), 4.0, "case %d: %s is %v, and plainly %v", i, x.name, a, b)
			sum += d
		}
	}
	t.Logf("%.2f standard errors apart in all", sum/math.Sqrt(float64(2*cases)))
	assert.Less(t, math.Abs(sum)/math.Sqrt(float64(2*cases)), 4.0)
}

// anyRecording draws a recording with stretches in which requests fail, are lost or are slow.
func anyRecording(r *rand.Rand) *behaviour.Recording {
	rec := &behaviour.Recording{Block: 2 * time.Minute}
	until, kind := time.Duration(0), 0
	for at := time.Duration(0); at < 20*time.Minute; at += time.Duration(r.ExpFloat64() * float64(300*ms)) {
		if at > until {
			kind = 0
			if r.IntN(300) == 0 {
				kind, until = 1+r.IntN(3), at+time.Duration(r.ExpFloat64()*6e9)
			}
		}
		x := behaviour.Recorded{At: at, Took: time.Duration(r.ExpFloat64() * 2e7), Status: 200}
		switch kind {
		case 1:
			x.Status = 503
		case 2:
			x.Status = 0
		case 3:
			x.Took = time.Duration(r.ExpFloat64() * 3e9)
		}
		rec.All = append(rec.All, x)
	}
	return rec
}

// TestReplayRefuses: a block has to be longer than an election is unsettled.
func TestReplayRefuses(t *testing.T) {
	b := failingFor(9 * sec)
	b.Recorded.Block = 30 * sec
	q := asked(1, b)
	_, err := forecast.Run(context.Background(), &q, &forecast.Options{Precision: 0.1, MaxWindows: 20_000, Workers: 1})
	assert.EqualError(t, err, "the blocks of the recording are 30s long, and an election with these timings feels a bad request for up to 58s: "+
		"want longer blocks, of a longer recording")
}
