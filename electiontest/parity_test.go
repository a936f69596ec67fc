package electiontest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/electiontest/internal/refusal"
	"interregnum/elector"
	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// runner is an elector of either package.
type runner interface {
	Believer
	Run(context.Context)
}

// candidacy is a candidate whose work is as the scenario describes it, in all its elections.
func candidacy(elect func(*Candidate, leaderelection.LeaderCallbacks) (runner, error)) func(context.Context, *Candidate) {
	lead := func(ctx context.Context, c *Candidate) {
		le, err := elect(c, leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				<-ctx.Done()
				time.Sleep(c.Settings.Drain)
			},
			OnStoppedLeading: func() {},
		})
		if err != nil {
			panic(err)
		}
		c.Observe(le)
		le.Run(ctx)
		if c.Settings.OnLoss == plan.LossExit && ctx.Err() == nil {
			c.Exit()
		}
	}
	return func(ctx context.Context, c *Candidate) {
		if c.Elections == nil {
			lead(ctx, c)
			return
		}
		var all sync.WaitGroup
		for _, name := range c.Elections {
			all.Go(func() {
				for lead(ctx, c.Election(name)); rejoins(&c.Settings) && ctx.Err() == nil; lead(ctx, c.Election(name)) {
					time.Sleep(*c.Settings.Rejoin)
				}
			})
		}
		all.Wait()
	}
}

func rejoins(c *scenarios.Candidate) bool { return c.Rejoin != nil && c.OnLoss != plan.LossIgnore }

// library is the unmodified library, ours interregnum/elector.
var (
	library = candidacy(func(c *Candidate, callbacks leaderelection.LeaderCallbacks) (runner, error) {
		return leaderelection.NewLeaderElector(c.Config(callbacks))
	})
	ours = candidacy(func(c *Candidate, callbacks leaderelection.LeaderCallbacks) (runner, error) {
		config := c.ElectorConfig(elector.LeaderCallbacks(callbacks))
		config.Profile = elector.Profile(c.Settings.Profile.Name)
		return elector.NewLeaderElector(config)
	})
)

// TestParityLibrary: the unmodified library in the kit writes, works and overlaps at the same nanosecond as in the
// simulation.
func TestParityLibrary(t *testing.T) {
	atLeast(t, 16, func(t *testing.T, s *scenarios.Scenario) bool {
		others := func(c scenarios.Candidate) bool { return c.Profile != machine.ClientGo }
		return !slices.ContainsFunc(s.Candidates, others) && compare(t, Options{}, s, library)
	})
}

// TestParityElector: so does interregnum/elector, with either profile, and clocks that are ahead or drift.
func TestParityElector(t *testing.T) {
	for _, profile := range []machine.Profile{machine.ClientGo, machine.Strict} {
		t.Run(profile.Name, func(t *testing.T) {
			atLeast(t, 18, func(t *testing.T, s *scenarios.Scenario) bool {
				for i := range s.Candidates {
					s.Candidates[i].Profile = profile
				}
				untie(s)
				if profile == machine.Strict {
					s.Expect = nil
				}
				return compare(t, Options{Clock: true}, s, ours)
			})
		})
	}
}

// TestParityEdit: so it does where somebody edits or deletes what the lock is on.
func TestParityEdit(t *testing.T) {
	const one, several = "candidates: [{id: a, startAt: 20ms}, {id: b, startAt: 1100ms}]\n",
		"elections: [{name: main}, {name: shard}]\ncandidates: [{id: a, startAt: 20ms}, {id: b, startAt: 1100ms}]\n"
	for _, c := range []struct{ candidates, faults string }{
		{one, "{kind: edit, at: 20.5s, holder: x}"},
		{one, "{kind: edit, at: 20.5s, holder: \"\"}"},
		{one, "{kind: edit, at: 20.5s, holder: b, leaseDuration: 3s}, {kind: crash, at: 20.7s, on: [leader]}"},
		{one, "{kind: edit, at: 10ms, holder: x, leaseDuration: 9s}, {kind: delete, at: 30.5s}, {kind: edit, at: 30.6s, leaseDuration: 1s}"},
		{several, "{kind: edit, at: 20.5s, holder: x, election: shard}, {kind: delete, at: 40.5s, election: shard}"},
		{several, "{kind: delete, at: 20.5s, election: main}, {kind: delete, at: 40.5s, object: lease}"},
	} {
		t.Run(c.faults, func(t *testing.T) {
			s, err := scenarios.Read(strings.NewReader(
				"name: edit\nhorizon: 60s\ndefaults: {jitter: 0.5}\n"+c.candidates+"faults: ["+c.faults+"]\n"), "edit")
			require.NoError(t, err)
			assert.True(t, compare(t, Options{}, s, library))
		})
	}
}

// untie moves faults off the ticks of electors, and the end of work off that of its context: what comes first at one
// instant goroutines decide, and Strict sends other requests then.
func untie(s *scenarios.Scenario) {
	const odd = 137 * time.Microsecond
	for i := range s.Candidates {
		s.Candidates[i].Drain += odd
	}
	for i := range s.Faults {
		f := &s.Faults[i]
		f.At += odd
		if f.Until != nil {
			f.Until = new(*f.Until + odd)
		}
	}
}

// atLeast wants so many of the scenarios that ship to be shown.
func atLeast(t *testing.T, want int, show func(*testing.T, *scenarios.Scenario) bool) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	shown := 0
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			if show(t, s) {
				shown++
			}
		})
	}
	assert.GreaterOrEqual(t, shown, want)
}

// compare runs a scenario whose simulation draws nothing in both worlds, if the kit can apply it.
func compare(t *testing.T, o Options, s *scenarios.Scenario, run func(context.Context, *Candidate)) bool {
	drawsJitter := func(c scenarios.Candidate) bool { return c.Jitter == nil }
	if slices.ContainsFunc(s.Candidates, drawsJitter) || refusal.Of(undecided(s), o.Clock) != nil {
		return false
	}
	var begun beginnings
	want, err := scenarios.Run(s, scenarios.Options{Explain: true, Sinks: []trace.Sink{&begun}})
	require.NoError(t, err)
	out := o.play(t, s, run)
	assert.Empty(t, out.Blind)
	var got beginnings
	for i := range out.Events {
		got.Observe(&out.Events[i])
	}
	assert.Equal(t, begun, got, "when faults begin, and whom they are on")
	assert.Equal(t, byCandidate(want.Writes), byCandidate(out.Result.Writes))
	assert.Equal(t, termsByCandidate(want.Terms), termsByCandidate(out.Result.Terms))
	assert.Equal(t, want.Void, out.Result.Void)
	for i := range want.Properties {
		p, got := &want.Properties[i], &out.Result.Properties[i]
		if p.Name == check.FencedWrites {
			continue // nobody writes
		}
		assert.Equal(t, p.Verdict, got.Verdict, p.Name)
		assert.Equal(t, p.OverlapNs, got.OverlapNs, p.Name)
		for k := range min(len(p.Violations), len(got.Violations)) {
			compareWhy(t, &p.Violations[k], &got.Violations[k])
		}
	}
	assert.Equal(t, want.AsExpected, out.Result.AsExpected)
	stream := check.NewStream(out.Header)
	for i := range out.Events {
		stream.Observe(&out.Events[i])
	}
	assert.Empty(t, stream.Broken())
	return true
}

// beginnings are the faults that began.
type beginnings []beginning

type beginning struct {
	at    int64
	fault int32
	on    []int32
}

func (b *beginnings) Observe(e *trace.Event) {
	if e.Kind == trace.FaultBegan {
		*b = append(*b, beginning{e.At, e.Fault, e.On})
	}
}

// undecided is a scenario that leaves to the code what it does when it has lost an election; candidacy does what it says.
func undecided(s *scenarios.Scenario) *scenarios.Scenario {
	other := *s
	other.Candidates = slices.Clone(s.Candidates)
	for i := range other.Candidates {
		other.Candidates[i].OnLoss = ""
	}
	return &other
}

// byCandidate orders what is written at one instant, which has no order, and takes its versions away.
func byCandidate(writes []scenarios.Write) []scenarios.Write {
	writes = slices.Clone(writes)
	slices.SortStableFunc(writes, func(a, b scenarios.Write) int {
		return cmp.Or(cmp.Compare(a.AtNs, b.AtNs), cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Election, b.Election))
	})
	for i := range len(writes) - 1 {
		if writes[i].AtNs == writes[i+1].AtNs {
			writes[i].Version, writes[i+1].Version = 0, 0
		}
	}
	return writes
}

// termsByCandidate orders those that begin at one instant.
func termsByCandidate(terms []scenarios.Term) []scenarios.Term {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b scenarios.Term) int {
		return cmp.Or(cmp.Compare(a.StartedNs, b.StartedNs), cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Election, b.Election))
	})
	return terms
}

// compareWhy: an overlap is explained in the same words, but that nothing need be said of a release that has not got as far
// as its update.
func compareWhy(t *testing.T, want, got *check.Violation) {
	require.Len(t, got.Explanations, len(want.Explanations))
	for i := range want.Explanations {
		all, said := want.Explanations[i].Summary, got.Explanations[i].Summary
		if summary, rest, cut := strings.Cut(all, "; it gave up renewing at"); cut && said == summary {
			assert.True(t, strings.HasSuffix(rest, "only after trying to release"), all)
			continue
		}
		assert.Equal(t, all, said)
	}
}

// TestParityReleases: an elector that releases after OnStoppedLeading does so in its Run, where there are several elections too.
func TestParityReleases(t *testing.T) {
	for _, rejoin := range []string{"", ", rejoin: 2s"} {
		s, err := scenarios.Read(strings.NewReader(`name: releases
horizon: 60s
defaults: {jitter: 0.5, releaseOnCancel: true, profile: strict, drain: 1s`+rejoin+`}
elections: [{name: main}, {name: shard}]
candidates: [{id: a, startAt: 20ms}, {id: b, startAt: 1100ms}]
faults: [{kind: cancel, at: 20500ms, on: [a]}, {kind: partition, at: 40500ms, until: 52s, on: [b]}]
expect: {liveness: any}
`), "releases.yaml")
		require.NoError(t, err)
		assert.True(t, compare(t, Options{Clock: true}, s, ours))
	}
}
