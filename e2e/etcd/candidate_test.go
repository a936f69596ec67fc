package etcd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector"
	"interregnum/elector/etcdlock"
	"interregnum/elector/ttl"
)

// candidateVariable has a process be a candidate: its value is a plan.
const candidateVariable = "INTERREGNUM_CANDIDATE"

// plan is what a candidate is told.
type plan struct {
	Endpoint, Key, Identity         string
	TTL, RenewDeadline, RetryPeriod time.Duration
	Profile                         elector.Profile
	Release                         bool
}

// report is one line of what a candidate tells.
type report struct {
	What  string
	Token uint64
	// Began and At are the ends of what is told of, by the wall clock of this machine.
	Began, At time.Time
}

// The reports: of the work and of refreshes that were answered.
const (
	elected   = "elected"
	stopped   = "stopped"
	asked     = "asked"
	refreshed = "refreshed"
)

// candidate is a process that takes part until it is told to end.
func candidate(text string) {
	var p plan
	check(json.Unmarshal([]byte(text), &p))
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	client, err := dial(p.Endpoint)
	check(err)
	lock, err := etcdlock.New(client, p.Key, p.Identity, p.TTL)
	check(err)
	tell := teller()
	var work sync.WaitGroup
	check(elector.RunTTL(ctx, elector.TTLConfig{
		Lock:            telling{lock, tell},
		Profile:         p.Profile,
		RenewDeadline:   p.RenewDeadline,
		RetryPeriod:     p.RetryPeriod,
		ReleaseOnCancel: p.Release,
		Callbacks: elector.TTLCallbacks{OnElected: func(ctx context.Context, token uint64) {
			work.Add(1)
			defer work.Done()
			tell(report{What: elected, Token: token, At: time.Now()})
			<-ctx.Done()
			tell(report{What: stopped, Token: token, At: time.Now()})
		}},
	}))
	work.Wait() // it may have outlived the entry
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func teller() func(report) {
	var mu sync.Mutex
	to := json.NewEncoder(os.Stdout)
	return func(r report) {
		mu.Lock()
		defer mu.Unlock()
		_ = to.Encode(r)
	}
}

// telling is a lock that tells of its refreshes.
type telling struct {
	ttl.Lock
	tell func(report)
}

func (l telling) Refresh(ctx context.Context) (ttl.Entry, error) {
	began := time.Now()
	l.tell(report{What: asked, At: began})
	e, err := l.Lock.Refresh(ctx)
	if err == nil {
		l.tell(report{What: refreshed, Token: e.Token, Began: began, At: time.Now()})
	}
	return e, err
}

// process is a candidate, seen from outside.
type process struct {
	t       *testing.T
	name    string
	command *exec.Cmd
	reports chan report
}

func launch(t *testing.T, p plan) *process {
	text, err := json.Marshal(p)
	require.NoError(t, err)
	c := &process{t: t, name: p.Identity, command: exec.Command(os.Args[0]), reports: make(chan report, 10000)}
	c.command.Env = append(os.Environ(), candidateVariable+"="+string(text))
	c.command.Stderr = os.Stderr
	out, err := c.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.command.Start())
	t.Cleanup(func() {
		_ = c.command.Process.Kill()
		_ = c.command.Wait()
	})
	go func() {
		defer close(c.reports)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var r report
			if json.Unmarshal(lines.Bytes(), &r) == nil {
				c.reports <- r
			}
		}
	}()
	return c
}

func (c *process) signal(s syscall.Signal) { require.NoError(c.t, c.command.Process.Signal(s)) }

// await returns the next report that fits.
func (c *process) await(fits func(report) bool) report {
	late := time.After(20 * time.Second)
	for {
		select {
		case r, ok := <-c.reports:
			require.True(c.t, ok, "candidate %s has ended", c.name)
			if fits(r) {
				return r
			}
		case <-late:
			require.Fail(c.t, "nothing for 20 s", "candidate %s", c.name)
		}
	}
}

func is(what string) func(report) bool { return func(r report) bool { return r.What == what } }

// first returns the first of them that is elected.
func first(t *testing.T, processes ...*process) (*process, report) {
	late := time.After(20 * time.Second)
	for {
		for _, c := range processes {
			select {
			case r := <-c.reports:
				if r.What == elected {
					return c, r
				}
			default:
			}
		}
		select {
		case <-late:
			require.Fail(t, "nobody was elected for 20 s")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// others are all but one.
func others(of []*process, but *process) (rest []*process) {
	for _, c := range of {
		if c != but {
			rest = append(rest, c)
		}
	}
	return rest
}
