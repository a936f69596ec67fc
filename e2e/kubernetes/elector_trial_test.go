package kubernetes_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

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
	leases       coordinationclient.LeaseInterface
	// ways are the candidates' ways to the server, and kubeconfigs the files that name them.
	ways        map[string]*proxy
	kubeconfigs map[string]string
	// restart has the server restart.
	restart func() outage

	epoch      time.Time
	candidates []*candidate
	// renewed is when the leader sent the last renewal before the faults.
	renewed time.Duration
}

// run plays the scenario. Afterwards scenario has the instants that were, and terms are the candidates', as told by their logs.
func (t *trial) run(ctx context.Context) (terms []term, err error) {
	defer t.end()
	s := &t.scenario
	for i := range s.Candidates {
		t.sleepUntil(s.Candidates[i].StartAt)
		if err := t.launch(&s.Candidates[i]); err != nil {
			return nil, err
		}
	}
	if err := t.shift(ctx); err != nil {
		return nil, err
	}
	if err := t.observe(ctx); err != nil {
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
		s.Candidates[i].StartAt = began.Sub(t.epoch)
		its, err := c.terms(t.epoch, s.Horizon)
		if err != nil {
			return nil, err
		}
		terms = append(terms, its...)
	}
	return terms, nil
}

func (t *trial) end() {
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
func (t *trial) shift(ctx context.Context) error {
	if t.renewal == 0 {
		return nil
	}
	t.sleepUntil(t.renewal - t.scenario.Candidates[0].RetryPeriod/2)
	var first time.Time
	for {
		lease, err := t.leases.Get(ctx, t.name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		renewed := lease.Spec.RenewTime.Time
		if first.IsZero() {
			first = renewed
		}
		if renewed.After(first) {
			t.moveBy(renewed.Sub(t.epoch) - t.renewal)
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// observe notes the leader's last renewal before the faults. How long before its fault that was, and in which second, decides
// more than the followers' jitter does, and its waits and delays of all the time before add up to it.
func (t *trial) observe(ctx context.Context) error {
	t.sleepUntil(t.scenario.Faults[0].At - t.scenario.Candidates[0].RetryPeriod/2)
	lease, err := t.leases.Get(ctx, t.name, metav1.GetOptions{})
	if err == nil {
		t.renewed = t.at(lease.Spec.RenewTime.Time)
	}
	return err
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

// commandsOverlap says where the commands of two candidates ran at once, "" where they never did. Commands are those of
// the profile strict.
func (t *trial) commandsOverlap() (string, error) {
	var all []term
	for _, c := range t.candidates {
		its, err := c.commands(t.epoch, t.scenario.Horizon)
		if err != nil {
			return "", err
		}
		all = append(all, its...)
	}
	slices.SortFunc(all, func(x, y term) int { return int(x.start - y.start) })
	for i := range all[:max(len(all)-1, 0)] {
		if all[i].end > all[i+1].start {
			return fmt.Sprintf("%v and %v", all[i], all[i+1]), nil
		}
	}
	return "", nil
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
