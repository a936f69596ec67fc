package kubernetes_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"interregnum/scenarios"
)

// trial is a scenario with real processes. What happens when is as planned until it has happened; then as it did.
type trial struct {
	name, profile string
	scenario      scenarios.Scenario
	// renewal is when, in the scenario's file, the renewal comes that its faults count from; 0: they count from none.
	renewal time.Duration

	program, dir string
	// leases and watched are the bench's.
	leases, watched coordinationclient.LeaseInterface
	// ways are the candidates' ways to the server, and kubeconfigs the files that name them.
	ways        map[string]*proxy
	kubeconfigs map[string]string
	// restart has the server restart.
	restart func() outage

	epoch      time.Time
	candidates []*candidate
	// renewals are those of the Lease.
	renewals *renewals
}

// run plays the scenario. Afterwards scenario has the instants that were, and terms are the candidates', as told by their logs.
func (t *trial) run(ctx context.Context) (terms []term, err error) {
	defer t.end()
	if t.renewals, err = follow(ctx, t.watched, t.name); err != nil {
		return nil, err
	}
	s := &t.scenario
	for i := range s.Candidates {
		t.sleepUntil(s.Candidates[i].StartAt)
		if err := t.launch(&s.Candidates[i]); err != nil {
			return nil, err
		}
	}
	if err := t.shift(); err != nil {
		return nil, err
	}
	for i := range s.Faults {
		t.sleepUntil(s.Faults[i].At)
		if s.Faults[i].Kind == "error" {
			s.Faults = t.restart().faults(t.epoch)
			break
		}
		if err := t.apply(ctx, &s.Faults[i]); err != nil {
			return nil, err
		}
	}
	t.sleepUntil(s.Horizon)
	for i, c := range t.candidates {
		began, err := c.began()
		if err != nil {
			return nil, err
		}
		its, err := c.terms(t.epoch, s.Horizon)
		if err != nil {
			return nil, err
		}
		s.Candidates[i].StartAt, s.Candidates[i].Drain = began.Sub(t.epoch), c.drain
		terms = append(terms, its...)
	}
	return terms, nil
}

func (t *trial) end() {
	if t.renewals != nil {
		t.renewals.stop()
	}
	for _, c := range t.candidates {
		c.end()
	}
	for _, way := range t.ways {
		way.close()
	}
}

func (t *trial) sleepUntil(at time.Duration) { time.Sleep(time.Until(t.epoch.Add(at))) }

// since is now in the scenario's time.
func (t *trial) since() time.Duration { return t.at(time.Now()) }

// at compares the wall clock, as logs do.
func (t *trial) at(instant time.Time) time.Duration { return instant.Round(0).Sub(t.epoch) }

func (t *trial) launch(c *scenarios.Candidate) error {
	started, err := launch(t.program, t.dir, c.ID,
		"--lock=kubernetes", "--kubeconfig="+t.kubeconfigs[c.ID], "--name="+t.name, "--profile="+t.profile,
		"--lease-duration="+c.LeaseDuration.String(), "--renew-deadline="+c.RenewDeadline.String(),
		"--retry-period="+c.RetryPeriod.String())
	if err == nil {
		t.candidates = append(t.candidates, started)
	}
	return err
}

// shift waits for the renewal that the faults count from, and moves them by as much as it is early or late.
func (t *trial) shift() error {
	if t.renewal == 0 {
		return nil
	}
	retry := t.scenario.Candidates[0].RetryPeriod
	t.sleepUntil(t.renewal - retry/2)
	before := len(t.renewals.seen())
	for t.since() < t.renewal+2*retry {
		if seen := t.renewals.seen(); len(seen) > before {
			t.moveBy(t.at(seen[before]) - t.renewal)
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("expected a renewal close to %v, got none within %v", t.renewal, 2*retry)
}

func (t *trial) moveBy(d time.Duration) {
	t.scenario.Horizon += d
	for i := range t.scenario.Faults {
		f := &t.scenario.Faults[i]
		f.At += d
		if f.Until != nil {
			until := *f.Until + d
			f.Until = &until
		}
	}
}

// apply does to the real ones what a fault says, and notes when that was. Where it is on the leader that is a.
func (t *trial) apply(ctx context.Context, f *scenarios.Fault) (err error) {
	lasts := time.Duration(0)
	if f.Until != nil {
		lasts = *f.Until - f.At
	}
	a := t.candidates[0]
	switch f.Kind {
	case "crash":
		err = a.signal(syscall.SIGKILL)
		f.At = t.at(a.killed)
	case "cancel":
		f.At = t.since() // its end is logged at once
		err = a.signal(syscall.SIGTERM)
	case "pause":
		err = a.signal(syscall.SIGSTOP)
		f.At = t.since()
		t.sleepUntil(f.At + lasts)
		err = errors.Join(err, a.signal(syscall.SIGCONT))
		until := t.since()
		f.Until = &until
	case "delay":
		t.ways["a"].holdBack(f.Response.Min)
		f.At = t.since()
	case "partition":
		t.ways["a"].partition()
		f.At = t.since()
	case "delete":
		before := t.since()
		err = t.leases.Delete(ctx, t.name, metav1.DeleteOptions{})
		f.At = (before + t.since()) / 2
	default:
		err = fmt.Errorf("expected a fault that can be had of real processes, got %s", f.Kind)
	}
	return err
}

// replay has the scenario's network and its leader do what the real ones did before the fault.
func (t *trial) replay(m *meter) error {
	s := &t.scenario
	leg, median, err := m.network(t.epoch, t.epoch.Add(fault(s).At))
	if err != nil {
		return err
	}
	s.Network = scenarios.Network{Request: leg, Response: leg}
	var renewed []time.Duration
	for _, at := range t.renewals.seen() {
		renewed = append(renewed, t.at(at))
	}
	return replay(s, renewed, median)
}

// checkCommands holds the guarded commands, which strict candidates run, against what they noted themselves: no two ran at once.
func (t *trial) checkCommands(test *testing.T) {
	var all []term
	for _, c := range t.candidates {
		its, err := c.commands(t.epoch, t.scenario.Horizon)
		require.NoError(test, err)
		all = append(all, its...)
	}
	slices.SortFunc(all, func(x, y term) int { return int(x.start - y.start) })
	require.NotEmpty(test, all)
	test.Logf("commands, with the fault at %v: %v", fault(&t.scenario).At, all)
	for i := range all[1:] {
		require.LessOrEqual(test, all[i].end, all[i+1].start, "the guarded commands of two candidates ran at once")
	}
}

// logs are the ends of the candidates' logs, for a failure.
func (t *trial) logs() string {
	var b strings.Builder
	for _, c := range t.candidates {
		all, err := c.lines()
		fmt.Fprintln(&b, c.id, filepath.Base(c.log), err)
		for _, s := range all[max(len(all)-25, 0):] {
			fmt.Fprintf(&b, "  %8.3f %s\n", s.Time.Sub(t.epoch).Seconds(), s.Msg)
		}
	}
	return b.String()
}
