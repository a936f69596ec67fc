package gate

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
)

// MaxTunedLease is the longest leaseDuration that Tune considers.
const MaxTunedLease = 600 * time.Second

// loadSlack is by how much rounding can raise a load, in requests a second.
const loadSlack = 1e-9

// Wish says what a wanted configuration must do.
type Wish struct {
	// Config has what is given: the profile, ReleaseOnCancel, the lock and its options, and the client. Its timings and its
	// RequestTimeout do not count.
	Config bound.Config
	// ClientGo is the second number of client-go's version, from which Config's profile comes; 0 where only a profile is given.
	ClientGo int
	// Timeout is the request timeout that is given: of the kind programs.None, programs.Half or programs.Fixed. If it is programs.Unknown, Tune
	// chooses one, in whole seconds.
	Timeout     programs.Timeout
	Environment bound.Environment
	// Outage is the longest outage of the lock service that should not end leadership.
	Outage time.Duration
	// Candidates is how many candidates there are. All together they make at most MaxQPS requests a second; a MaxQPS of 0 is no
	// limit.
	Candidates int
	MaxQPS     float64
	// MaxLease is the longest leaseDuration wanted, at most MaxTunedLease.
	MaxLease time.Duration
}

// In sets w.Environment to e, in which no stall lasts for longer than the client of w leaves a connection open.
func (w *Wish) In(e *bound.Environment) {
	w.Environment = *e
	(&Target{Config: w.Config, ClientGo: w.ClientGo}).endStalls(&w.Environment)
}

// Choice is a safe configuration, with its failover, outage and load.
type Choice struct {
	Config           bound.Config
	Failover, Outage time.Duration
	// QPS is how many requests a second all candidates together make.
	QPS float64
}

// Tune returns the configuration with the shortest worst failover, of all that meet these conditions: durations in whole seconds,
// a leaseDuration up to MaxLease, each of the three longer than the next (C# alone takes others), safe, a leader that goes on leading while every request is answered, and the other wishes of w.
// It returns nil if there is none. If several have the same failover, it takes the one with the lowest load, then the longest
// outage, then the smallest numbers.
func Tune(w *Wish) *Choice {
	t := tuning{Wish: w}
	if w.neverSafe() {
		return nil // a release whose answer is lost leaves the work running at any leaseDuration
	}
	if len(w.Config.Lock.Objects()) == 2 {
		return nil // no lock on two objects is safe
	}
	for period := t.leastPeriod(); period < w.MaxLease; period += time.Second {
		if !t.period(period) {
			break
		}
	}
	return t.best
}

// neverSafe tells whether no timings can be safe. This is so if the wish has a release and a lost answer to it leaves the work
// running. It is also so for a client of another language whose overlap has no end with any timings.
func (w *Wish) neverSafe() bool {
	p := &w.Config.Profile
	if w.Config.ReleaseOnCancel && p.Releases() && !p.EndsWorkFirst() && !w.Config.ReleasesLater() {
		return true
	}
	return p.Client != machine.OfClientGo && w.endlessAtBest()
}

// chooses tells whether Tune chooses the request timeout. For a profile whose requests have none it does not.
func (w *Wish) chooses() bool {
	return w.Timeout.Kind == programs.Unknown && w.Config.Profile.TimesOut()
}

// timeouts returns the request timeouts to try with that RenewDeadline, where 0 is none: the given one or, if Tune chooses it,
// whole seconds from 0 to below RenewDeadline.
func (w *Wish) timeouts(renewDeadline time.Duration) []time.Duration {
	switch {
	case !w.Config.Profile.TimesOut():
		return []time.Duration{0}
	case !w.chooses():
		return w.Timeout.For(renewDeadline)
	}
	var all []time.Duration
	for d := time.Duration(0); d < renewDeadline; d += time.Second {
		all = append(all, d)
	}
	return all
}

// endlessAtBest tells whether the overlap has no end even with the longest lease and the shortest deadline. It tries the request
// timeout that is given; if Tune chooses it, it tries none and the shortest.
func (w *Wish) endlessAtBest() bool {
	c := w.Config
	c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = MaxTunedLease, 2*time.Second, time.Second
	for _, c.RequestTimeout = range w.timeouts(c.RenewDeadline) {
		if r, err := bound.Of(&c, &w.Environment); err != nil || !r.Unbounded {
			return false
		}
	}
	return true
}

// tuning is a search that is under way, with the best choice so far. What the search leaves out follows from four facts: the
// outage does not depend on leaseDuration; the load and, without closings, the overlap fall as leaseDuration grows; the failover
// rises with leaseDuration and RetryPeriod; what is not safe with a client's limiter of two requests a second or more stays so with a longer
// RenewDeadline, and with a longer request timeout below RenewDeadline. The fourth is not proven: of 530,000 drawn variants, those that were safe had
// limiters of 0.3 requests a second and less. Where it does not hold, a better choice is missed, and none that is not safe is taken.
type tuning struct {
	*Wish
	best *Choice
	// unsafe is of the present RetryPeriod: a configuration that is not safe, the last one found with a request timeout, and the last one without.
	unsafe, unsafeWithout bound.Config
}

// leastPeriod returns the shortest RetryPeriod to try, in whole seconds and at most MaxLease. The load with a shorter one is
// above MaxQPS.
func (t *tuning) leastPeriod() time.Duration {
	period := time.Second
	if t.MaxQPS > 0 {
		c := t.Config
		c.RetryPeriod = time.Second
		most := float64(t.MaxLease / time.Second)
		period *= time.Duration(max(1, min(math.Ceil(bound.Load(&c, t.Candidates)/(t.MaxQPS+loadSlack)), most)))
	}
	return period
}

// period tries all configurations with that RetryPeriod, and keeps the best so far in t.best. It returns false if no longer
// RetryPeriod can be better, so that the search is over.
func (t *tuning) period(period time.Duration) bool {
	c := t.Config
	c.RetryPeriod, t.unsafe, t.unsafeWithout = period, bound.Config{}, bound.Config{}
	shortest := (period*6/5 + time.Second).Truncate(time.Second)
	if c.Profile.EndsInTime() {
		shortest = period + time.Second
	}
	for c.RenewDeadline = shortest; t.shortestLease(&c) <= t.MaxLease; c.RenewDeadline += time.Second {
		if t.tooShort(&c) {
			continue
		}
		c.LeaseDuration = c.RenewDeadline + time.Second
		if t.tooSlow(&c) {
			return c.RenewDeadline > shortest
		}
		for _, c.RequestTimeout = range t.promising(c) {
			t.lease(c)
		}
	}
	return true
}

// unsafeWith returns what t.unsafe or t.unsafeWithout has of configurations with a request timeout as c has one, or none.
func (t *tuning) unsafeWith(c *bound.Config) *bound.Config {
	if c.RequestTimeout == 0 {
		return &t.unsafeWithout
	}
	return &t.unsafe
}

// hopeless tells whether c is known not to be safe, by a configuration with a shorter RenewDeadline and request timeout. It takes for granted that
// RenewDeadline has not been longer before with this RetryPeriod. Without a limiter, and with one of less than two requests a second, it is false.
func (t *tuning) hopeless(c *bound.Config) bool {
	unsafe := t.unsafeWith(c)
	return c.Client.Limits() && c.Client.QPS >= 2 && c.LeaseDuration <= unsafe.LeaseDuration && c.RequestTimeout >= unsafe.RequestTimeout
}

// shortestLease returns a LeaseDuration, in whole seconds, below which c is not safe.
func (t *tuning) shortestLease(c *bound.Config) time.Duration {
	least := c.RenewDeadline.Truncate(time.Second) + time.Second
	if !t.Config.Profile.CountsFromRenewal() && !c.Lock.Expires() {
		// A leader that fails to renew works on for as long as this, and cannot be safe before.
		least = max(least, (c.RenewDeadline + c.RetryPeriod).Truncate(time.Second))
	}
	return least
}

// promising returns the request timeouts to try with the RetryPeriod and RenewDeadline of c, without some that surely do not
// fulfil the wish: with a leader that does not keep the lock, or that no outage is known to leave in place although one is wished.
func (t *tuning) promising(c bound.Config) []time.Duration {
	all := t.timeouts(c.RenewDeadline)
	if c.Lock.Expires() {
		return all
	}
	c.RequestTimeout, c.LeaseDuration = 0, ample(&c)
	if !bound.Steady(&c, &t.Environment) { // nor is it with any timeout
		return nil
	}
	all = slices.DeleteFunc(all, func(d time.Duration) bool {
		return 0 < d && d <= t.Environment.MaxRoundTrip || d == 0 && t.Outage > 0
	})
	if len(all) > 0 && t.Outage > 0 {
		// Where requests wait in the client's limiter with the shortest timeout, they do with any.
		if c.RequestTimeout = all[0]; !bound.OutageComputed(&c, &t.Environment) {
			return nil
		}
	}
	return all
}

// tooShort tells whether a leader gives up within the wished outage, whatever the other numbers are: an outage can begin together
// with an attempt to renew, and the leader then tries for a RenewDeadline. It is false for a lock that expires by itself, since
// an entry lasts for longer.
func (t *tuning) tooShort(c *bound.Config) bool {
	longest := bound.True(c.RenewDeadline, -t.Environment.MaxDriftPPM) + t.Environment.MaxPause + 3*t.Environment.MaxRoundTrip
	return !c.Lock.Expires() && longest < t.Outage
}

// tooSlow tells whether the worst failover of a configuration is longer than that of the best so far, whatever its RequestTimeout
// is. It is false if there is no best so far.
func (t *tuning) tooSlow(c *bound.Config) bool {
	return t.best != nil && bound.Failover(c, &t.Environment) > t.best.Failover
}

// lease gives c the smallest safe LeaseDuration, and stores it in t.best if it fulfils the wish and is better than the best so
// far. It changes nothing otherwise.
func (t *tuning) lease(c bound.Config) {
	c.LeaseDuration = ample(&c)
	if !bound.Steady(&c, &t.Environment) {
		return
	}
	outage := bound.Outage(&c, &t.Environment)
	if outage < t.Outage || !t.smallestLease(&c) {
		return
	}
	found := &Choice{
		Config: c, Outage: outage,
		Failover: bound.Failover(&c, &t.Environment), QPS: bound.Load(&c, t.Candidates),
	}
	if t.best == nil || found.compare(t.best) < 0 {
		t.best = found
	}
}

// ample returns a LeaseDuration with which the leader of c survives the same outages as with any safe one.
func ample(c *bound.Config) time.Duration {
	if c.Lock.Expires() || c.Profile.EndsInTime() {
		return bound.MaxDuration // an entry, or a lease, that is safe outlasts all that is tolerated
	}
	return c.RenewDeadline + c.RetryPeriod // no shorter one is safe, and no longer one makes a difference
}

// smallestLease sets c.LeaseDuration to the smallest safe one with a load within MaxQPS. It returns false, with 0 in
// c.LeaseDuration, if there is none up to MaxLease, or none with a failover as short as that of the best so far.
func (t *tuning) smallestLease(c *bound.Config) bool {
	least, most := t.shortestLease(c), t.MaxLease
	if t.MaxQPS > 0 {
		// The followers of a key look once every leaseDuration; other loads are as wanted already.
		least += time.Second * time.Duration(sort.Search(int(t.MaxLease/time.Second), func(i int) bool {
			c.LeaseDuration = least + time.Second*time.Duration(i)
			return bound.Load(c, t.Candidates) <= t.MaxQPS+loadSlack
		}))
	}
	if t.best != nil {
		// A lease that is a second longer delays the failover by a second at least.
		c.LeaseDuration = least
		most = min(most, least+t.best.Failover-bound.Failover(c, &t.Environment)+time.Microsecond)
	}
	most = most.Truncate(time.Second)
	c.LeaseDuration = most
	c.LeaseDuration = t.safeLease(c, least)
	return c.LeaseDuration > 0
}

// safeLease returns the smallest safe LeaseDuration in whole seconds from least to that of c; 0 if there is none. If that of c is not safe, it
// notes that for hopeless.
func (t *tuning) safeLease(c *bound.Config, least time.Duration) time.Duration {
	if c.LeaseDuration < least || t.hopeless(c) {
		return 0
	}
	r, err := bound.Sum(c, &t.Environment)
	if err != nil {
		return 0
	}
	if !r.Safe() {
		*t.unsafeWith(c) = *c
		return 0
	}
	return smallestSafeLease(*c, &t.Environment, least, r)
}

// smallestSafeLease returns the smallest safe LeaseDuration in whole seconds from least to that of c, both included; 0 if there is none.
// sum is what bound.Sum says of c, and must be safe. The lease must also be safe with a pause of a nanosecond and, if there is a client,
// with the closings of its connections.
func smallestSafeLease(c bound.Config, e *bound.Environment, least time.Duration, sum *bound.Result) time.Duration {
	t := Target{Config: c}
	most := c.LeaseDuration
	least = bisectLease(least, most, most+sum.Overlap, func(lease time.Duration) bool { // no shorter one is safe
		c.LeaseDuration = lease
		r, err := bound.Sum(&c, e)
		return err == nil && r.Safe()
	})
	safe := func(lease time.Duration) bool {
		c.LeaseDuration = lease
		return t.safeClosed(&c, e) && t.safePaused(&c, e)
	}
	few := min(most, least+time.Second)
	if t.closes() && c.RequestTimeout > 0 { // without a timeout closings count with any lease
		few = min(most, manyClosings)
	}
	for ; least < few; least += time.Second {
		if safe(least) {
			return least
		}
	}
	if !safe(most) {
		return 0
	}
	return bisectLease(least, most, least, safe)
}

// bisectLease returns the shortest LeaseDuration in whole seconds from least to most, both included, that is safe; most must be. It is quick if
// that is likely, or the next whole second. It takes for granted that each lease longer than a safe one is safe.
func bisectLease(least, most, likely time.Duration, safe func(time.Duration) bool) time.Duration {
	try := func(lease time.Duration) {
		switch {
		case lease < least || lease >= most:
		case safe(lease):
			most = lease
		default:
			least = lease + time.Second
		}
	}
	likely = (likely + time.Second - 1).Truncate(time.Second)
	try(likely)
	try(likely - time.Second)
	for least < most {
		try(least + ((most - least) / 2).Truncate(time.Second))
	}
	return most
}

// compare returns a negative number if c is better than d, a positive one if d is better, and 0 if they are equal in all that
// counts. Tune says what is better.
func (c *Choice) compare(d *Choice) int {
	return cmp.Or(
		cmp.Compare(c.Failover, d.Failover),
		cmp.Compare(c.QPS, d.QPS),
		cmp.Compare(d.Outage, c.Outage),
		cmp.Compare(c.Config.LeaseDuration, d.Config.LeaseDuration),
		cmp.Compare(c.Config.RenewDeadline, d.Config.RenewDeadline),
		cmp.Compare(c.Config.RetryPeriod, d.Config.RetryPeriod),
		cmp.Compare(c.Config.RequestTimeout, d.Config.RequestTimeout),
	)
}
