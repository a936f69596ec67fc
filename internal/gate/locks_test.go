package gate

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

const (
	locksFile  = "../../docs/locks.md"
	locksBegin = "<!-- from here on written by go test ./internal/gate -run TestLocks -update -->\n"
	// generatedEnd ends what a test writes into a page.
	generatedEnd = "<!-- to here -->\n"
)

// kind is a lock as the tables have it.
type kind struct {
	lock plan.Lock
	now  plan.Now
}

func (k *kind) String() string {
	if k.now == plan.DatabaseNow {
		return string(k.lock) + ", database's now"
	}
	return string(k.lock)
}

// kinds returns all kinds of lock, one by a wall clock twice: by the caller's and by the database's.
func kinds() (all []kind) {
	for _, lock := range plan.Locks() {
		all = append(all, kind{lock: lock})
		if lock.ByWallClock() {
			all = append(all, kind{lock, plan.DatabaseNow})
		}
	}
	return all
}

// assumes returns what the kind assumes of offsets, rates, atomicity and the server's time.
func (k *kind) assumes() (offset, rate, atomic, server string) {
	const one = "one statement, one row"
	offset, server = "free", "none"
	switch {
	case k.lock.ByCaller(k.now):
		return "**counts in full**", "leader's", one, server
	case k.lock.ByWallClock():
		return offset, "leader's and database's", one, "its wall clock decides expiry, and must not jump"
	case k.lock.Expires():
		return offset, "leader's and service's", "create if absent; refresh and delete if own",
			"its monotonic clock decides expiry"
	case len(k.lock.Objects()) > 1:
		return offset, "leader's and follower's", "of each object alone: *not enough*", server
	}
	return offset, "leader's and follower's", "compare-and-swap on resourceVersion", server
}

var lockProfiles = []machine.Profile{machine.ClientGo, machine.Strict}

// lockEnvironments are those of the corpus, with wall clocks apart.
var lockEnvironments = []struct {
	name string
	bound.Environment
}{
	{"typical cloud: round trips up to 1 s, 200 ppm, stalls of 100 ms, wall clocks 100 ms apart", bound.Environment{
		MaxRoundTrip: time.Second, MaxDriftPPM: 200, MaxPause: 100 * time.Millisecond, MaxClockOffset: 100 * time.Millisecond,
	}},
	{"hard: round trips up to 5 s, 500 ppm, stalls of 2 s, wall clocks 1 s apart", bound.Environment{
		MaxRoundTrip: 5 * time.Second, MaxDriftPPM: 500, MaxPause: 2 * time.Second, MaxClockOffset: time.Second,
	}},
}

var lockTimings = machine.Timings{
	LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
}

const locksHead = `## All kinds at 15s / 10s / 2s

The library's kinds are judged with the profiles client-go and strict. A lock that expires by itself runs the algorithm of
elector/ttl ([below](#locks-that-expire-by-themselves)). There "client-go" means the algorithm as it is usually written down.

### What each assumes

"Clock rates" are the clocks whose rates matter. "Server time" is what depends on the service's own clock.

`

const locksBounds = `
### Worst case by the gate

There is no request timeout. Only the tolerated outage is that with a timeout of 2 s: without any, a single lost message costs the
leadership. "Not known" is an outage that is not computed.

- − is the time for which two leaders work at once; a scenario shows it to the millisecond. ≥ is at least. ∞ after a time means that
  there is no longest overlap.
- "safe" is followed by the margin that is left.
- ∞ alone, as a failover, means that answers may be too late to renew, so that nobody leads on.

The failover of kv-ttl needs a watch that works. If the answer of the watch is lost, it takes 15 s more.
`

const locksFaults = `
### What each survives

Each cell is one run of three candidates, with the fault at 20 s and the followers' polls as they fall. "holds" is what this run
showed and no bound; the worst case is above. A time is how long two leaders worked at once. "none leads" means that nobody led within
the bound of liveness after the fault was over. "–" means that the lock has nothing of the kind.

`

// TestLocks: what docs say of the kinds of lock is what is computed, and what runs show.
func TestLocks(t *testing.T) {
	var out strings.Builder
	out.WriteString(locksHead)
	assumptions(&out)
	out.WriteString(locksBounds)
	for i := range lockEnvironments {
		worstCases(t, &out, i)
	}
	out.WriteString(locksFaults)
	for _, p := range lockProfiles {
		survives(t, &out, p)
	}
	inPage(t, locksFile, locksBegin, out.String())
}

// inPage holds a text against what a page has between begin and the next generatedEnd; with -update it writes it there.
func inPage(t *testing.T, page, begin, text string) {
	t.Helper()
	doc, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(doc), begin)
	_, after, ended := strings.Cut(rest, generatedEnd)
	require.True(t, found && ended, "%s: expected the lines %s and %s", page, begin, generatedEnd)
	want := before + begin + text + generatedEnd + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o666))
		return
	}
	assert.Equal(t, want, string(doc), "go test ./internal/gate -run %s -update writes it anew", t.Name())
}

func assumptions(out *strings.Builder) {
	out.WriteString("| lock | the record is | offset of wall clocks | clock rates | atomicity | server time |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, k := range kinds() {
		offset, rate, atomic, server := k.assumes()
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", &k, k.lock.KeptIn(), offset, rate, atomic, server)
	}
}

func worstCases(t *testing.T, out *strings.Builder, environment int) {
	e := &lockEnvironments[environment]
	fmt.Fprintf(out, "\n%s\n\n| lock | worst overlap: client-go | strict | worst failover: client-go | strict | "+
		"tolerated outage: client-go | strict |\n| --- | --- | --- | --- | --- | --- | --- |\n", strings.ToUpper(e.name[:1])+e.name[1:])
	for _, k := range kinds() {
		var overlaps, failovers, outages string
		for _, p := range lockProfiles {
			c := &bound.Config{Timings: lockTimings, Profile: p, Lock: k.lock, Now: k.now}
			safe := 0
			overlaps += " | " + verdictCell(t, c, &e.Environment, &safe)
			r, err := bound.Of(c, &e.Environment)
			require.NoError(t, err)
			failover, outage := "∞", "0s"
			if bound.Steady(c, &e.Environment) {
				failover = margin(r.Failover)
			}
			c.RequestTimeout = 2 * time.Second
			switch {
			case !bound.Steady(c, &e.Environment):
			case !bound.OutageComputed(c, &e.Environment):
				outage = "not known"
			default:
				outage = margin(bound.Outage(c, &e.Environment))
			}
			failovers += " | " + failover
			outages += " | " + outage
		}
		fmt.Fprintf(out, "| %s%s%s%s |\n", &k, overlaps, failovers, outages)
	}
}

// trouble is a fault scenario; it returns false where it is nothing for a kind of lock.
type trouble struct {
	name  string
	apply func(s *scenarios.Scenario, k *kind) bool
}

func faults(all ...scenarios.Fault) func(*scenarios.Scenario, *kind) bool {
	return func(s *scenarios.Scenario, _ *kind) bool {
		s.Faults = append(s.Faults, all...)
		return true
	}
}

// during is a fault from one second to another.
func during(from, to time.Duration, f scenarios.Fault) scenarios.Fault {
	until := to * time.Second
	f.At, f.Until = from*time.Second, &until
	return f
}

func at(when time.Duration, f scenarios.Fault) scenarios.Fault {
	f.At = when * time.Second
	return f
}

var (
	leader   = []string{plan.RoleLeader}
	follower = []string{plan.RoleFollower}
)

func slowAnswer(d time.Duration) scenarios.Fault {
	back := gatetest.Always(d)
	return scenarios.Fault{Kind: plan.FaultDelay, Response: &back, On: []string{"a"}}
}

func driftOn(on []string, ppm int64) scenarios.Fault {
	return scenarios.Fault{Kind: plan.FaultClock, DriftPPM: &ppm, On: on}
}

var firstOnly = []string{"a"}

// troubles are in the order of the table. Candidate a leads.
var troubles = []trouble{
	{"the leader crashes", faults(at(20, scenarios.Fault{Kind: plan.FaultCrash, On: leader}))},
	{"it crashes and starts again under its name", faults(at(20, scenarios.Fault{Kind: plan.FaultRestart, On: leader}))},
	{"it is frozen for 30 s", faults(during(20, 50, scenarios.Fault{Kind: plan.FaultPause, On: leader}))},
	{"it is cut off for 60 s", faults(during(20, 80, scenarios.Fault{Kind: plan.FaultPartition, On: leader}))},
	{"an answer takes 7.5 s, then it is cut off", faults(during(19, 22, slowAnswer(7500*time.Millisecond)),
		during(22, 80, scenarios.Fault{Kind: plan.FaultPartition, On: firstOnly}))},
	{"answers are lost for 3 s, requests time out after 5 s, then it is cut off", func(s *scenarios.Scenario, k *kind) bool {
		timeOut(s, 5*time.Second)
		return faults(during(19, 22, scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg, On: firstOnly}),
			during(27, 80, scenarios.Fault{Kind: plan.FaultPartition, On: firstOnly}))(s, k)
	}},
	{"a third of all messages is lost for 40 s, requests time out after 1 s", func(s *scenarios.Scenario, k *kind) bool {
		timeOut(s, time.Second)
		third := 1.0 / 3
		return faults(during(20, 60, scenarios.Fault{Kind: plan.FaultLose, Probability: &third}))(s, k)
	}},
	{"the service is away for 5 s (a restart)", faults(during(20, 25, scenarios.Fault{Kind: plan.FaultOutage}))},
	{"the service is away for 60 s, requests do not time out", faults(during(20, 80, scenarios.Fault{Kind: plan.FaultOutage}))},
	{"the service refuses all writes for 30 s, but applies them", faults(during(20, 50, scenarios.Fault{
		Kind: plan.FaultError, Status: 500, Applied: true,
	}))},
	{"followers' wall clocks are 20 s ahead", func(s *scenarios.Scenario, _ *kind) bool {
		for i := range s.Candidates[1:] {
			s.Candidates[i+1].Clock.Offset = 20 * time.Second
		}
		return true
	}},
	{"the leader's wall clock jumps 1 h back", faults(at(20, scenarios.Fault{
		Kind: plan.FaultClock, Jump: -time.Hour, On: leader,
	}))},
	{"followers' wall clocks jump 1 h forward", faults(at(20, scenarios.Fault{
		Kind: plan.FaultClock, Jump: time.Hour, On: follower,
	}))},
	{"the leader's clock runs 30 % slow, then it is cut off", faults(at(10, driftOn(firstOnly, -300_000)),
		during(20, 80, scenarios.Fault{Kind: plan.FaultPartition, On: firstOnly}))},
	{"the service's wall clock jumps 20 s forward, and the leader is cut off", func(s *scenarios.Scenario, k *kind) bool {
		return k.lock.Expires() && faults(at(20, scenarios.Fault{
			Kind: plan.FaultClock, Jump: 20 * time.Second, On: []string{plan.ServiceName},
		}), during(20, 80, scenarios.Fault{Kind: plan.FaultPartition, On: firstOnly}))(s, k)
	}},
	{"somebody deletes the lock", faults(at(20, scenarios.Fault{Kind: plan.FaultDelete}))},
	{"somebody deletes it, and the leader is cut off", faults(at(20, scenarios.Fault{Kind: plan.FaultDelete}),
		during(20, 80, scenarios.Fault{Kind: plan.FaultPartition, On: firstOnly}))},
	{"another has the leader's name", func(s *scenarios.Scenario, _ *kind) bool {
		s.Candidates[1].Identity = "a"
		return true
	}},
	{"writes are refused for 9 s, the leader then releases, answers are lost", func(s *scenarios.Scenario, _ *kind) bool {
		for i := range s.Candidates {
			s.Candidates[i].ReleaseOnCancel = true
		}
		return faults(during(20, 29, scenarios.Fault{Kind: plan.FaultError, Verb: 0, Status: 500, On: firstOnly}),
			during(29, 60, scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg, On: firstOnly}))(s, nil)
	}},
}

func timeOut(s *scenarios.Scenario, d time.Duration) {
	for i := range s.Candidates {
		s.Candidates[i].RequestTimeout = d
	}
}

func survives(t *testing.T, out *strings.Builder, p machine.Profile) {
	fmt.Fprintf(out, "**%s**\n\n| fault |", p.Name)
	for _, k := range kinds() {
		fmt.Fprintf(out, " %s |", &k)
	}
	out.WriteString("\n| --- |" + strings.Repeat(" --- |", len(kinds())) + "\n")
	for i := range troubles {
		fmt.Fprintf(out, "| %s |", troubles[i].name)
		for _, k := range kinds() {
			fmt.Fprintf(out, " %s |", survived(t, p, &k, &troubles[i]))
		}
		out.WriteString("\n")
	}
	out.WriteString("\n")
}

// survived is what a run shows.
func survived(t *testing.T, p machine.Profile, k *kind, f *trouble) string {
	half, again := 0.5, time.Second
	leg := gatetest.Always(5 * time.Millisecond)
	s := &scenarios.Scenario{Name: "trouble", Plan: scenarios.Plan{
		Seed: 1, Horizon: 180 * time.Second, Network: scenarios.Network{Request: leg, Response: leg},
	}}
	for i, id := range []string{"a", "b", "c"} {
		s.Candidates = append(s.Candidates, scenarios.Candidate{
			ID: id, Profile: p, Lock: k.lock, Now: k.now, Timings: lockTimings, Jitter: &half, Rejoin: &again,
			StartAt: time.Duration(i) * 500 * time.Millisecond,
		})
	}
	if !f.apply(s, k) {
		return "–"
	}
	result, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err, "%s %s %s", p.Name, k, f.name)
	cell := "holds"
	for i := range result.Properties {
		r := &result.Properties[i]
		switch {
		case r.Name == check.SingleWork && r.Verdict == check.Violated:
			cell = "**" + margin(time.Duration(r.OverlapNs)) + "**"
		case r.Name == check.Liveness && r.Verdict == check.Violated:
			cell += ", none leads"
		}
	}
	return cell
}
