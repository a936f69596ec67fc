package machine_test

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// wall draws any reading, NoTime excepted, and often one at an edge.
func wall() *rapid.Generator[machine.Wall] {
	whole := func(n int64) machine.Wall { return machine.Wall(n) }
	return rapid.OneOf(
		rapid.SampledFrom([]machine.Wall{
			math.MinInt64 + 1, math.MinInt64 + 2, -1e9 - 1, -1e9, -1e9 + 1, -1, 0, 1, 999_999_999, 1e9, 1e9 + 1,
			math.MaxInt64 - 1, math.MaxInt64,
		}),
		rapid.Map(rapid.Int64Range(-3e9, 3e9), whole),
		rapid.Map(rapid.Int64Range(math.MinInt64+1, math.MaxInt64), whole),
	)
}

// TestTruncateIsFloor: a reading is rounded towards the past, before the epoch too. It stays as it is if the result
// would be before the earliest reading.
func TestTruncateIsFloor(t *testing.T) {
	units := rapid.SampledFrom([]time.Duration{1, 7, time.Microsecond, time.Second, time.Hour, math.MaxInt64})
	rapid.Check(t, func(t *rapid.T) {
		w, unit := wall().Draw(t, "wall"), units.Draw(t, "unit")
		floor := new(big.Int).Div(big.NewInt(int64(w)), big.NewInt(int64(unit))) // Euclidean
		floor.Mul(floor, big.NewInt(int64(unit)))
		want := w
		if floor.IsInt64() && floor.Int64() != math.MinInt64 {
			want = machine.Wall(floor.Int64())
		}
		if got := w.Truncate(unit); got != want {
			t.Fatalf("%d to %d is %d, want %d", w, unit, got, want)
		}
	})
	assert.Equal(t, machine.NoTime, machine.NoTime.Truncate(time.Second))
}

// TestTruncateAsText: seconds and microseconds are what the two text forms of a time keep.
func TestTruncateAsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := wall().Filter(func(w machine.Wall) bool { return w > math.MinInt64+2e9 }).Draw(t, "wall")
		var seconds metav1.Time
		var micros metav1.MicroTime
		for _, form := range []struct{ in, out any }{
			{metav1.NewTime(w.Time()), &seconds}, {metav1.NewMicroTime(w.Time()), &micros},
		} {
			body, err := json.Marshal(form.in)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(body, form.out))
		}
		require.Equal(t, machine.WallOf(seconds.Time), w.Truncate(time.Second))
		require.Equal(t, machine.WallOf(micros.Time), w.Truncate(time.Microsecond))
	})
}

func TestWallRoundTrip(t *testing.T) {
	zone := time.FixedZone("east", 3600)
	rapid.Check(t, func(t *rapid.T) {
		w := wall().Draw(t, "wall")
		require.Equal(t, w, machine.WallOf(w.Time()))
		require.Equal(t, w, machine.WallOf(w.Time().In(zone)), "an instant has no zone")
		require.Equal(t, int64(w), w.Time().UnixNano())
	})
	assert.Equal(t, time.UTC, machine.Wall(0).Time().Location())
	assert.True(t, machine.NoTime.Time().IsZero())
	assert.Equal(t, machine.NoTime, machine.WallOf(time.Time{}))
	now := time.Now() // with a monotonic reading, which does not count
	assert.Equal(t, machine.Wall(now.UnixNano()), machine.WallOf(now))
}

// TestWallOfSaturates: a time that a Wall cannot hold becomes the nearest one that it can, never NoTime.
func TestWallOfSaturates(t *testing.T) {
	first, last := time.Unix(0, math.MinInt64+1), time.Unix(0, math.MaxInt64)
	for _, c := range []struct {
		at   time.Time
		want machine.Wall
	}{
		{first, math.MinInt64 + 1},
		{first.Add(-1), math.MinInt64 + 1},
		{first.Add(-time.Hour), math.MinInt64 + 1},
		{time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), math.MinInt64 + 1},
		{time.Date(-9, 1, 1, 0, 0, 0, 0, time.UTC), math.MinInt64 + 1},
		{first.Add(1), math.MinInt64 + 2},
		{last.Add(-1), math.MaxInt64 - 1},
		{last, math.MaxInt64},
		{last.Add(1), math.MaxInt64},
		{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), math.MaxInt64},
	} {
		assert.Equal(t, c.want, machine.WallOf(c.at), "%v", c.at)
	}
	assert.Equal(t, 1677, machine.WallOf(first).Time().Year())
	assert.Equal(t, 2262, machine.WallOf(last).Time().Year())
}

// TestMonoAdd: the sum, or the last reading that a Mono can hold.
func TestMonoAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machine.Mono(rapid.Int64Min(0).Draw(t, "reading"))
		d := time.Duration(rapid.Int64().Draw(t, "later"))
		sum := new(big.Int).Add(big.NewInt(int64(m)), big.NewInt(int64(d)))
		want := machine.Mono(math.MaxInt64)
		if sum.IsInt64() {
			want = machine.Mono(sum.Int64())
		}
		require.Equal(t, want, m.Add(d))
	})
}

// TestRecordDurationSaturates: any number of seconds is some duration of the same sign.
func TestRecordDurationSaturates(t *testing.T) {
	for seconds, want := range map[int64]time.Duration{
		0: 0, 15: 15 * time.Second, -3: -3 * time.Second, math.MaxInt32: math.MaxInt32 * time.Second,
		9223372036: 9223372036 * time.Second, 9223372037: 9223372036 * time.Second,
		math.MaxInt64: 9223372036 * time.Second, math.MinInt64: -9223372036 * time.Second,
	} {
		assert.Equal(t, want, (&machine.Record{DurationSeconds: seconds}).Duration(), "%d", seconds)
	}
}
