package electiontest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"

	"interregnum/electiontest/internal/skew"
	"interregnum/electiontest/internal/world"
	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/plan"
	"interregnum/scenarios"
)

// Candidate is one candidate of a scenario, in one incarnation: it has all that the function under test needs to take part in
// the election. Each call of the function is given one.
type Candidate struct {
	// ID is its name in the scenario, Identity the name under which it holds the lock, which is another one after a restart with a
	// new identity. Incarnation counts its processes from 1.
	ID, Identity string
	Incarnation  int
	// Settings is all that the scenario says of it. Drain, ReturnsAfter and WriteEvery describe simulated work: they have no effect
	// here, unless the function under test heeds them.
	Settings scenarios.Candidate
	// LockKey is where the object is whose holder leads.
	LockKey types.NamespacedName
	// Elections are the names of those that the process takes part in, in a scenario of several; else it is nil. The candidate is
	// that of the election in Settings.Election. See Election.
	Elections []string

	part *world.Part
}

// Believer is an elector that can be asked whether it leads now. leaderelection.LeaderElector and elector.LeaderElector are
// Believers.
type Believer interface{ IsLeader() bool }

// newCandidate returns the candidate for a process's part in one of its elections.
func newCandidate(p *world.Part) *Candidate {
	s := p.Settings()
	return &Candidate{
		ID: s.ID, Identity: p.Identity(), Incarnation: p.Incarnation(), Settings: s, LockKey: p.Key(), Elections: p.Elections(),
		part: p,
	}
}

// Election returns the same process as a candidate in another of its elections. For a name that is not among Elections it
// returns c itself; the run goes on, and the test fails at its end. A candidate's function is given the candidate of the first
// election, and the function Guard takes work for that one too: for work of another election use Candidate.Guard.
func (c *Candidate) Election(name string) *Candidate {
	if p := c.part.In(name); p != nil {
		return newCandidate(p)
	}
	c.part.Fail("Candidate.Election: candidate %s takes part in no election %q; want one of Candidate.Elections: %q",
		c.ID, name, c.Elections)
	return c
}

// RESTConfig returns a configuration for any real client of the API server. Its requests are HTTP without a socket, and go
// through the scenario's network and faults. Its Timeout is the scenario's requestTimeout. Its QPS and Burst are those of the
// scenario's client; QPS is -1, no limit, for a client without limits. If the scenario has no client they are not set, and
// client-go then takes 5 and 10.
func (c *Candidate) RESTConfig() *rest.Config {
	config := c.part.RESTConfig()
	config.Timeout = c.Settings.RequestTimeout
	switch client := c.Settings.Client; {
	case client.Limits():
		config.QPS, config.Burst = float32(client.QPS), client.Burst
	case client != nil:
		config.QPS = -1
	}
	return config
}

// Clientset returns a real clientset over RESTConfig.
func (c *Candidate) Clientset() kubernetes.Interface {
	return kubernetes.NewForConfigOrDie(c.RESTConfig())
}

// Lock returns a lock over RESTConfig, of the kind that the scenario names: a LeaseLock, or one of interregnum/elector/kubelock.
// It is on the object, or the two objects, at LockKey. The Kubernetes events that it records go into the trace.
func (c *Candidate) Lock() resourcelock.Interface {
	config := resourcelock.ResourceLockConfig{Identity: c.Identity, EventRecorder: c.part.EventRecorder()}
	client := c.Clientset()
	if c.Settings.Lock == plan.Lease {
		return &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: c.LockKey.Namespace, Name: c.LockKey.Name},
			Client:    client.CoordinationV1(), LockConfig: config,
		}
	}
	lock, err := kubelock.New(
		kinds[c.Settings.Lock], c.LockKey.Namespace, c.LockKey.Name, client.CoreV1(), client.CoordinationV1(), config)
	if err != nil {
		panic(err) // refusal.Of has let the scenario through
	}
	return lock
}

// kinds has kubelock's name for each lock of Kubernetes that a scenario may name, except the Lease.
var kinds = map[plan.Lock]string{
	plan.ConfigMap: kubelock.ConfigMapsResourceLock, plan.ConfigMapsLeases: kubelock.ConfigMapsLeasesResourceLock,
	plan.Endpoints: kubelock.EndpointsResourceLock, plan.EndpointsLeases: kubelock.EndpointsLeasesResourceLock,
}

// Config returns client-go's own configuration, with the scenario's timings and Lock, and callbacks that call those given. The
// new OnStartedLeading guards the work of the given one, and the other callbacks add each call to the trace. If OnStartedLeading
// panics, the process ends and the test fails.
func (c *Candidate) Config(callbacks leaderelection.LeaderCallbacks) leaderelection.LeaderElectionConfig {
	s := &c.Settings
	return leaderelection.LeaderElectionConfig{
		Lock: c.Lock(), LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
		ReleaseOnCancel: s.ReleaseOnCancel, Callbacks: c.part.Noted(callbacks, false),
	}
}

// ElectorConfig returns the configuration of interregnum/elector, with the scenario's timings, Lock, Clock and Jitter, and
// callbacks that call those given. The new OnStartedLeading guards the work of the given one, and the other callbacks add each
// call to the trace. The profile is the zero value, Strict.
func (c *Candidate) ElectorConfig(callbacks elector.LeaderCallbacks) elector.LeaderElectionConfig {
	s := &c.Settings
	return elector.LeaderElectionConfig{
		Lock: c.Lock(), LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
		ReleaseOnCancel: s.ReleaseOnCancel, Clock: c.Clock(), Jitter: c.Jitter,
		Callbacks: elector.LeaderCallbacks(c.part.Noted(leaderelection.LeaderCallbacks(callbacks), true)),
	}
}

// Jitter returns the candidate's next jitter, from [0,1): the scenario's constant or, without one, the next random number of the
// scenario's seed, which advances that stream. The unmodified library draws from the same stream by itself.
func (c *Candidate) Jitter() float64 { return c.part.Jitter() }

// Observe makes the run ask the elector whether it leads, for the property single-belief: now, after each request that is
// answered or given up, and when guarded work begins, is cancelled and ends. Call it in each candidate before it asks for the
// lock: otherwise that property is inconclusive.
func (c *Candidate) Observe(elector Believer) { c.part.Observe(elector) }

// Exit ends the candidate's process as by a crash, whatever its goroutines still do. It stands for os.Exit, log.Fatal
// and the end of main, which would end all candidates here. If the scenario has a rejoin, a new process begins that much
// later. The caller should return.
func (c *Candidate) Exit() { c.part.Exit() }

// Clock returns the candidate's own clock, with the scenario's offset and drift, for code that takes its time from one. See
// Options.Clock.
func (c *Candidate) Clock() clock.WithTicker {
	return skew.Clock(c.part.TakesClock(), c.Settings.Clock)
}
