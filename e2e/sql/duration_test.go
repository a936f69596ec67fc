package sql_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/ttl"
)

// TestDurations: a row lasts as long as its holder has said, whatever others have been told: nobody takes it from a
// healthy holder before, and everybody may after.
func TestDurations(t *testing.T) {
	for holds, other := range map[time.Duration]time.Duration{
		time.Hour: time.Second, time.Second: time.Hour, time.Minute: 61 * time.Second, 7 * time.Millisecond: time.Minute,
	} {
		t.Run(holds.String()+" "+other.String(), func(t *testing.T) {
			each(t, func(w *world) {
				lasting := func(identity string, lasts time.Duration) ttl.Lock {
					c := w.config(identity)
					c.TTL = lasts
					return w.lockOn(w.db, c)
				}
				a, b := lasting("a", holds), lasting("b", other)
				entry, err := a.Create(w.Context())
				require.NoError(w, err)
				if holds >= time.Minute {
					w.age(holds - 30*time.Second)
					found, err := b.Get(w.Context())
					require.NoError(w, err)
					require.Equal(w, entry, found)
					w.is(ttl.ErrTaken, b.Create)
					w.is(ttl.ErrTaken, b.Replace)
					_, err = a.Refresh(w.Context())
					require.NoError(w, err)
				}
				w.age(holds + time.Second)
				w.is(ttl.ErrAbsent, b.Get)
				w.is(ttl.ErrLost, a.Refresh)
				taken, err := b.Replace(w.Context())
				require.NoError(w, err)
				require.Equal(w, entry.Token+1, taken.Token)
			})
		})
	}
}

// TestOlderVersion: a row of a version that did not write how long it lasts counts for as long as one's own would.
func TestOlderVersion(t *testing.T) {
	each(t, func(w *world) {
		_, entry := w.create("a")
		w.exec("UPDATE %s SET signature = 'a#" + strings.Repeat("ABCDEFGHIJKLM", 2) + "'")
		w.holds(entry)
		w.age(lasts - time.Minute)
		w.holds(entry)
		b := w.lock("b")
		w.is(ttl.ErrTaken, b.Replace)
		w.age(2 * time.Minute)
		w.is(ttl.ErrAbsent, b.Get)
		_, err := b.Replace(w.Context())
		require.NoError(w, err)
	})
}
