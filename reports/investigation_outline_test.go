package reports_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports"
)

// partOf is what is logged of a lock that two have held.
func partOf(lock int) *investigate.Part {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := &investigate.Part{Lock: evidence.Lock{Resource: "leases", Namespace: "shop", Name: fmt.Sprint("manager-", lock)}, Evidence: &evidence.Evidence{}}
	p.Evidence.Sources = []evidence.Source{{File: "audit.log", Kind: evidence.Audit}}
	for i := range 20 {
		at := start.Add(time.Duration(2*i) * time.Second)
		r := &evidence.Record{Holder: fmt.Sprint("pod-", i/10), Duration: 15 * time.Second, Renew: at}
		p.Evidence.Requests = append(p.Evidence.Requests, evidence.Request{
			Place: evidence.Place{Line: i + 1}, Lock: p.Lock, Verb: "update", Received: at, Answered: at.Add(time.Millisecond), Status: 200, Wrote: r, Saw: r, Sent: fmt.Sprint(i), Got: fmt.Sprint(i + 1),
		})
	}
	return p
}

// TestOutline: a lock's row in a table is the same without what only its story has, and what is kept of it is small.
func TestOutline(t *testing.T) {
	const locks = 400
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	kept := func(outlined bool) (reports.Table, int64) {
		v := &reports.Investigation{Evidence: &evidence.Evidence{}, Locks: make([]reports.LockStory, 0, locks)}
		before := heap()
		for i := range locks {
			x, err := reports.NewLockStory(partOf(i), &investigate.Options{})
			require.NoError(t, err)
			if outlined {
				x.Outline()
			}
			v.Locks = append(v.Locks, x)
		}
		after := heap()
		return v.Table(), (after - before) / locks
	}
	whole, all := kept(false)
	rows, few := kept(true)
	assert.Equal(t, whole, rows)
	t.Logf("of a lock with 20 writes %d bytes are kept, and %d for its row", all, few)
	assert.Less(t, few, int64(1600))
	assert.Greater(t, all, 4*few)
}
