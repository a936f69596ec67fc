package electiontest

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/scenarios/scenariotest"
)

// impatient has what hangs found out in a second.
func impatient(t *testing.T) {
	failing(t)
	patience = 500 * time.Millisecond
}

// mapper holds its mutex while it asks, as a RESTMapper does.
type mapper struct{ mu sync.Mutex }

func (m *mapper) ask() {
	m.mu.Lock()
	defer m.mu.Unlock()
	time.Sleep(time.Second)
}

func TestFailingHang(t *testing.T) {
	impatient(t)
	t.Run("mutex", func(t *testing.T) {
		RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
			var m mapper
			go m.ask()
			go m.ask()
			working(waiting)(ctx, c)
		})
	})
	t.Run("next", func(t *testing.T) { RunFile(t, "healthy-failover", library) })
}

// TestFailingHangUnserved: what stands still has asked for something before that is not served.
func TestFailingHangUnserved(t *testing.T) {
	impatient(t)
	RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
		_ = c.Clientset().Discovery().RESTClient().Get().AbsPath("/apis/none.example.com/v1/things").Do(ctx)
		var m mapper
		go m.ask()
		m.ask()
	})
}

func TestFailingHangCheck(t *testing.T) {
	impatient(t)
	Check(t, scenariotest.Environment{Timings: usual}, func(ctx context.Context, c *Candidate) {
		var m mapper
		go m.ask()
		m.ask()
		working(waiting)(ctx, c)
	})
}

func TestFailingListener(t *testing.T) {
	impatient(t)
	RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		go func() { _, _ = l.Accept() }()
		working(waiting)(ctx, c)
	})
}

func TestFailingOutside(t *testing.T) {
	impatient(t)
	outside := make(chan struct{})
	RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
		go func() { <-outside }()
		working(waiting)(ctx, c)
	})
}

// TestHangs: a run that can never go on ends, says why, and lets those after it run.
func TestHangs(t *testing.T) {
	fails(t, map[string]string{
		"TestFailingHang": `(?s)the run was given up after \S+: virtual time stands still for ever: a goroutine waits for a mutex.*` +
			`\[sync\.Mutex\.Lock.*electiontest\.\(\*mapper\)\.ask.*Who may hold it:\s+goroutine \d+ \[sleep \(durable\).*\(\*mapper\)\.ask.*` +
			`to show it again:.*--- PASS: TestFailingHang/next`,
		"TestFailingHangUnserved": `the server in memory does not serve what the code asked for: GET /apis/none\.example\.com/v1/things \(404\), which is perhaps why the run was given up after`,
		"TestFailingHangCheck":    `(?s)given up after \S+: virtual time stands still for ever: a goroutine waits for a mutex`,
		"TestFailingListener":     `(?s)given up after \S+: .*a goroutine listens on a socket.*net\.\(\*netFD\)\.accept`,
		"TestFailingOutside":      `(?s)given up after \S+: .*a channel, lock or WaitGroup from outside.*TestFailingOutside\.func1\.1`,
	})
}
