package kubernetes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// leader is a process that stands for election, seen from outside.
type leader struct {
	standing
	cmd *exec.Cmd
	// log is the file of its log.
	log string
	// over is closed when it has ended.
	over chan struct{}
	// killed is when it was to be killed, and gone when it was; zero if it was not. woken is when it was frozen no longer.
	killed, gone, frozen, woken time.Time
}

// begin starts the process. Its log is a file in dir, named for its pod and a number.
func begin(s standing, dir string, number int) (*leader, error) {
	pod, _, _ := strings.Cut(s.ID, "_")
	l := &leader{standing: s, log: filepath.Join(dir, fmt.Sprintf("%s.%d.log", pod, number)), over: make(chan struct{})}
	l.Truth = filepath.Join(dir, s.ID+".truth")
	text, err := json.Marshal(l.standing)
	if err != nil {
		return nil, err
	}
	log, err := os.Create(l.log)
	if err != nil {
		return nil, err
	}
	l.cmd = exec.Command(os.Args[0])
	l.cmd.Env = append(os.Environ(), "TZ=UTC", standingVariable+"="+string(text))
	return l, startLogged(l.cmd, log, l.over)
}

func (l *leader) kill() {
	l.killed = time.Now()
	_ = l.cmd.Process.Kill()
	<-l.over
	l.gone = time.Now()
}

// freeze has the process stand still for so long.
func (l *leader) freeze(d time.Duration) error {
	l.frozen = time.Now()
	err := l.cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(d)
	err = errors.Join(err, l.cmd.Process.Signal(syscall.SIGCONT))
	l.woken = time.Now()
	return err
}

// did is what really happened to a process.
type did struct {
	terms  []stretch
	wrote  []wrote
	pauses []stretch
}

// stretch is a time. A zero until says that it goes on.
type stretch struct{ from, until time.Time }

// wrote is a write that was answered well: when it was sent, when its answer came, and the record's time.
type wrote struct {
	stretch
	renew time.Time
}

// did reads what the process has told.
func (l *leader) did() (d did, err error) {
	text, err := os.ReadFile(l.Truth)
	if err != nil && !os.IsNotExist(err) {
		return d, err
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		at := make([]time.Time, 2)
		for i := range min(len(f)-1, 2) {
			var ns int64
			if _, err := fmt.Sscan(f[i+1], &ns); err != nil {
				return d, fmt.Errorf("%s: expected a time, got %q", l.Truth, line)
			}
			at[i] = time.Unix(0, ns)
		}
		switch f[0] {
		case "start":
			d.terms = append(d.terms, stretch{from: at[0]})
		case "end":
			d.terms[len(d.terms)-1].until = at[0]
		case "pause":
			d.pauses = append(d.pauses, stretch{at[0], at[1]})
		case "wrote":
			renew, err := time.Parse(time.RFC3339Nano, f[3])
			if err != nil {
				return d, err
			}
			d.wrote = append(d.wrote, wrote{stretch{at[0], at[1]}, renew})
		}
	}
	if last := len(d.terms) - 1; last >= 0 && d.terms[last].until.IsZero() {
		d.terms[last].until = l.gone
	}
	return d, nil
}

// leads tells whether it has ever begun to work.
func (l *leader) leads() bool {
	d, err := l.did()
	return err == nil && len(d.terms) > 0
}

// stopped tells whether its work is over.
func (l *leader) stopped() bool {
	d, err := l.did()
	return err == nil && len(d.terms) > 0 && !d.terms[len(d.terms)-1].until.IsZero()
}

// incident is a leader to whom something happens, with a second candidate.
type incident struct {
	what, kind, level string
	name, dir         string
	leaders           []*leader
	way               *proxy
	// kubeconfigs are those of the leader and of the others.
	kubeconfigs [2]string
}

// timings of all processes in incidents.
const incidentLease, incidentDeadline, incidentPeriod = 4 * time.Second, 3 * time.Second, 500 * time.Millisecond

// stand starts a process of that pod.
func (c *incident) stand(pod string, number int) (*leader, error) {
	s := standing{Kind: c.kind, Kubeconfig: c.kubeconfigs[1], Namespace: namespaceOf(c.level), Name: c.name,
		ID:            fmt.Sprintf("%s-%s_%d", c.name, pod, number),
		LeaseDuration: incidentLease, RenewDeadline: incidentDeadline, RetryPeriod: incidentPeriod, JSON: c.kind == "client-go"}
	if pod == "a" {
		s.Kubeconfig = c.kubeconfigs[0]
	}
	l, err := begin(s, c.dir, number)
	if err == nil {
		c.leaders = append(c.leaders, l)
	}
	return l, err
}

// until waits until what is asked for is so.
func until(ctx context.Context, so func() bool) error {
	for !so() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// run has it happen. All processes have ended afterwards.
func (c *incident) run(ctx context.Context) error {
	defer func() {
		for _, l := range c.leaders {
			_ = l.cmd.Process.Signal(syscall.SIGTERM)
		}
		for _, l := range c.leaders {
			select {
			case <-l.over:
			case <-time.After(incidentDeadline + time.Second): // one that is cut off does not hear that it has released
				l.kill()
			}
		}
		c.way.close()
	}()
	a, err := c.stand("a", 1)
	if err != nil {
		return err
	}
	if err := until(ctx, a.leads); err != nil {
		return fmt.Errorf("nobody leads: %w", err)
	}
	b, err := c.stand("b", 1)
	if err != nil {
		return err
	}
	time.Sleep(4 * time.Second)
	others := []*leader{b}
	switch c.what {
	case "killed":
		a.kill()
		again, err := c.stand("a", 2) // as the kubelet does
		if err != nil {
			return err
		}
		others = append(others, again)
	case "frozen":
		err = a.freeze(7 * time.Second)
	case "partitioned":
		c.way.partition()
	}
	if err != nil {
		return err
	}
	next := func() bool { return a.stopped() && (b.leads() || others[len(others)-1].leads()) }
	if err := until(ctx, next); err != nil {
		return fmt.Errorf("nobody leads after it: %w", err)
	}
	time.Sleep(2 * time.Second)
	return nil
}
