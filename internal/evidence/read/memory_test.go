package read_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
)

// auditOf is an audit log of many locks, each with some renewals, one line at a time.
type auditOf struct {
	locks, renewals, next int
	rest                  string
}

func (a *auditOf) Read(p []byte) (int, error) {
	if a.rest == "" {
		if a.next == a.locks*a.renewals {
			return 0, io.EOF
		}
		a.rest = a.line(a.next%a.locks, a.next/a.locks)
		a.next++
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

func (a *auditOf) line(lock, renewal int) string {
	object := func(version int) string {
		return fmt.Sprintf(`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"namespace":"team-%d","name":"controller-%d","resourceVersion":"%d","uid":"x"},`+
			`"spec":{"holderIdentity":"controller-%d-7d9f_%036d","leaseDurationSeconds":15,"acquireTime":"2026-03-01T12:00:00.000000Z","renewTime":"2026-03-01T12:00:%02d.000000Z","leaseTransitions":1}}`,
			lock%100, lock, version, lock, lock, 2*renewal)
	}
	version := renewal*a.locks + lock
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%036d","stage":"ResponseComplete","verb":"update",`+
		`"user":{"username":"system:serviceaccount:team-%d:controller"},"sourceIPs":["10.0.%d.%d"],"userAgent":"controller/v1 (linux/amd64) kubernetes/abc/leader-election",`+
		`"objectRef":{"resource":"leases","namespace":"team-%d","name":"controller-%d","apiGroup":"coordination.k8s.io","apiVersion":"v1"},"responseStatus":{"code":200},`+
		`"requestObject":%s,"responseObject":%s,"requestReceivedTimestamp":"2026-03-01T12:00:%02d.001000Z","stageTimestamp":"2026-03-01T12:00:%02d.002000Z","annotations":{"authorization.k8s.io/decision":"allow"}}`,
		version, lock%100, lock/250%250, lock%250, lock%100, lock, object(version), object(version+a.locks), 2*renewal, 2*renewal) + "\n"
}

// retained returns how many bytes are kept of an audit log, with the parts of its locks.
func retained(t *testing.T, a auditOf) int64 {
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	r := read.New(read.Options{})
	require.NoError(t, r.Read(read.File{Name: "audit.log", Reader: &a}))
	e := r.Evidence()
	parts := investigate.Parts(e)
	require.Len(t, parts, a.locks)
	require.Len(t, parts[0].Evidence.Requests, a.renewals)
	after := heap()
	runtime.KeepAlive(parts)
	runtime.KeepAlive(e)
	return after - before
}

// TestRetained: what is kept of a request is less than half of its line, and of a lock little more than its name, so that a million of them have room.
func TestRetained(t *testing.T) {
	const locks = 500
	few, more, line := retained(t, auditOf{locks: locks, renewals: 4}), retained(t, auditOf{locks: locks, renewals: 20}), int64(len((&auditOf{locks: locks}).line(1, 1)))
	request := (more - few) / (16 * locks)
	lock := few/locks - 4*request
	t.Logf("a line of %d bytes: %d are kept, and %d for each lock", line, request, lock)
	assert.Less(t, request, line/2)
	assert.Less(t, lock, int64(2500))
}
