package sqllock

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/ttl"
)

// FuzzRow: whatever a row holds, it is an entry, absent, or told not to fit in one line; and an entry was made or refreshed
// within its time from now, by the clock.
func FuzzRow(f *testing.F) {
	f.Add("a#ABCDEFGHIJKLMNOPQRSTUVWXYZ", int64(1_000_000), int64(1), int64(1_000_001), int64(time.Minute), uint8(0))
	f.Add("a#ABCDEFGHIJKL-0000000015000", int64(1_000_000), int64(1), int64(15_000_001), int64(time.Second), uint8(0))
	f.Add("", int64(-1<<63), int64(-1<<63), int64(1<<63-1), int64(1), uint8(0))
	f.Add("x\x1b\n", int64(1<<63-1), int64(1<<62), int64(-1<<63), int64(1<<63-1), uint8(0))
	f.Add("x", int64(0), int64(0), int64(0), int64(0), uint8(7))
	f.Fuzz(func(t *testing.T, signature string, updated, counter, now, lasts int64, wrong uint8) {
		now %= 1 << 60 // the clock's own
		r := row{signature: signature, updated: updated, counter: counter, now: now}
		for i, value := range []*any{&r.signature, &r.updated, &r.counter} {
			if wrong>>i&1 == 1 {
				*value = []any{nil, []byte(signature), time.UnixMicro(updated), float64(counter), true}[int(wrong>>3)%5]
			}
		}
		// A TTL is a millisecond or more, and whole milliseconds: see Config.
		ttlOf := max(time.Millisecond, time.Duration(lasts)&(1<<55-1)).Truncate(time.Millisecond)
		entry, err := r.entry(ttlOf)
		if _, own := readSignature(signature); own > 0 {
			ttlOf = own
		}
		switch {
		case errors.Is(err, ttl.ErrAbsent):
		case err != nil:
			require.Regexp(t, `^[^\x00-\x1f\x7f]+$`, err.Error())
			require.Less(t, len(err.Error()), 1000)
		default:
			require.NotEmpty(t, entry.Holder)
			require.Positive(t, entry.Token)
			require.LessOrEqual(t, updated, now+ttlOf.Microseconds())
			require.GreaterOrEqual(t, updated, now-ttlOf.Microseconds())
		}
	})
}
