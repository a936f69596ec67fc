package gate

import (
	"fmt"
	"math"
	"sort"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
)

// Tuning is the complete answer to a Wish.
type Tuning struct {
	Wish Wish
	// Environment is that of Wish, with the source of each number.
	Environment Environment
	// Best is nil if no configuration fulfils the wish; Obstacles then say which wishes rule it out.
	Best      *Choice
	Obstacles []string
	// Frontier has the best configurations for other outages than the wished one, from the shortest outage to the longest.
	// It shows how much failover a longer outage costs.
	Frontier []Choice
	// Neighbours are the configurations that differ from the best by one second in one number.
	Neighbours []Neighbour
}

// Neighbour is a configuration that differs from the best one in a single number.
type Neighbour struct {
	// Parameter is the flag's name. Value is 0 for no request timeout.
	Parameter string        `json:"parameter"`
	Value     time.Duration `json:"valueNs"`
	// Effect says in words in what the neighbour is worse, or that it does no better.
	Effect string `json:"effect"`
}

// frontierSteps is how many points the frontier has, roughly.
const frontierSteps = 20

// NewTuning returns the best configuration for a wish in environment e, and its frontier. It adds the neighbours of the best
// configuration or, if there is none, the obstacles. The environment of w does not count.
func NewTuning(w *Wish, e Environment) *Tuning {
	t := &Tuning{Wish: *w, Environment: e}
	t.Wish.In(&e.Environment)
	t.Best = Tune(&t.Wish)
	if t.Best == nil {
		t.Obstacles = t.Wish.Obstacles()
	} else {
		t.Neighbours = t.neighbours()
	}
	t.Frontier = t.frontier()
	return t
}

// frontier returns the best configurations for outages from 0 to twice the wished one, or to half a minute if that is longer.
// Each has the shortest failover of all configurations that tolerate its outage; of several with the same failover only the
// one for the longest outage is kept. It returns them from the shortest outage to the longest, and stops at the first outage
// for which there is none. The wished outage is among those that are tried, unless the choice for a shorter one tolerates it
// too.
func (t *Tuning) frontier() []Choice {
	w := &t.Wish
	limit := max(2*w.Outage, 30*time.Second)
	step := (limit/frontierSteps + time.Second - 1).Truncate(time.Second)
	var all []Choice
	for next := time.Duration(0); next <= limit; {
		other := *w
		other.Outage = next
		found := t.Best
		if next != w.Outage {
			found = Tune(&other)
		}
		if found == nil {
			break
		}
		if last := len(all) - 1; last >= 0 && all[last].Failover == found.Failover {
			all = all[:last] // it tolerates less for the same
		}
		all = append(all, *found)
		after := max(found.Outage+1, next+step)
		if next < w.Outage && after > w.Outage && found.Outage < w.Outage {
			after = w.Outage
		}
		next = after
	}
	return all
}

// neighbours returns the configurations that differ from the best one by a second in one number, with what is worse with each. It
// leaves out numbers that would be negative, a RetryPeriod of 0, and a request timeout that was not chosen.
func (t *Tuning) neighbours() []Neighbour {
	var all []Neighbour
	for _, by := range []time.Duration{-time.Second, time.Second} {
		for _, n := range []struct {
			parameter string
			value     func(*bound.Config) *time.Duration
		}{
			{"lease-duration", func(c *bound.Config) *time.Duration { return &c.LeaseDuration }},
			{"renew-deadline", func(c *bound.Config) *time.Duration { return &c.RenewDeadline }},
			{"retry-period", func(c *bound.Config) *time.Duration { return &c.RetryPeriod }},
			{"request-timeout", func(c *bound.Config) *time.Duration { return &c.RequestTimeout }},
		} {
			c := t.Best.Config
			value := n.value(&c)
			if *value+by < 0 || *value+by == 0 && n.parameter == "retry-period" ||
				n.parameter == "request-timeout" && !t.Wish.chooses() {
				continue
			}
			*value += by
			if !t.Wish.chooses() {
				c.RequestTimeout = t.Wish.timeouts(c.RenewDeadline)[0]
			}
			all = append(all, Neighbour{n.parameter, *value, t.effect(&c)})
		}
	}
	return all
}

// effect returns in words the worst thing that is worse with configuration c than with the best one; "does no better" if nothing
// is. It looks, in this order, whether c is refused, has no bound, has an overlap, has one after the shortest of pauses, is not
// steady, makes too many requests, does not tolerate the wished outage, fails over later, and tolerates a shorter outage.
func (t *Tuning) effect(c *bound.Config) string {
	w := &t.Wish
	err := c.Profile.Validate(c.Timings) // in the rule's words alone, without numbers
	if err == nil {
		err = bound.Refused(c)
	}
	if err != nil {
		return "is refused: " + err.Error()
	}
	j := Judgement{Target: Target{Config: *c}, Environment: w.Environment}
	err = j.bound()
	over, outage := j.IfPaused(), bound.Outage(c, &w.Environment)
	failover, qps := bound.Failover(c, &w.Environment), bound.Load(c, w.Candidates)
	switch {
	case err != nil:
		return err.Error()
	case !j.Result.Safe():
		return "lets two leaders work at once for " + FormatDuration(j.Result.Overlap.Round(time.Microsecond))
	case over > 0:
		return "lets two leaders work at once for " + FormatDuration(over.Round(time.Microsecond)) + " after the shortest of pauses"
	case !bound.Steady(c, &w.Environment):
		return "gives up on a round trip that the environment allows"
	case w.MaxQPS > 0 && qps > w.MaxQPS+loadSlack:
		return fmt.Sprintf("makes %.3g requests a second", qps)
	case outage < w.Outage:
		return "tolerates " + FormatDuration(outage.Round(time.Millisecond)) + " of outage only"
	case failover > t.Best.Failover:
		longer := (failover - t.Best.Failover).Round(time.Microsecond)
		return "makes the worst failover " + FormatDuration(longer) + " longer"
	case outage < t.Best.Outage:
		return "tolerates " + FormatDuration((t.Best.Outage - outage).Round(time.Millisecond)) + " less of an outage"
	}
	return "does no better"
}

// Obstacles returns in words which single wishes rule out every choice: for each wish of which a change alone would allow a
// choice, what it would have to become. It returns nil if no change of a single wish is enough.
func (w *Wish) Obstacles() []string {
	var all []string
	if lock := w.Config.Lock; len(lock.Objects()) == 2 {
		if w.but(func(o *Wish) { o.Config.Lock = "" }) != nil {
			all = append(all, "--lock "+string(lock)+": two objects are not written as one, and no leaseDuration makes that safe")
		}
	}
	if w.Config.ReleaseOnCancel {
		if w.but(func(o *Wish) { o.Config.ReleaseOnCancel = false }) != nil {
			why := "--release-on-cancel: a release whose answer is lost leaves the work running at any leaseDuration"
			switch {
			case w.Config.ReleasesLater():
				why = "--release-on-cancel: a release can blank the lease of another leader"
			case w.Config.Profile.LooksLater():
				why = "--release-on-cancel: the program is told of a release up to a retryPeriod later, and works until then"
			}
			all = append(all, why+"; without it there is one")
		}
	}
	if c := w.longestOutage(); c != nil {
		all = append(all, "--tolerate-outage "+FormatDuration(w.Outage)+": one "+c.Tolerates(&w.Environment))
	}
	if w.MaxQPS > 0 {
		if qps, ok := w.leastLoad(); ok {
			all = append(all, fmt.Sprintf("--max-qps %v: one makes %v requests a second", w.MaxQPS, qps))
		}
	}
	if !w.chooses() {
		if c := w.but(func(o *Wish) { o.Timeout = programs.Timeout{} }); c != nil {
			all = append(all, "--request-timeout "+TimeoutFlag(w.Timeout)+": there is one with "+
				TimeoutFlag(programs.FixedTimeout(c.Config.RequestTimeout)))
		}
	}
	if w.Config.Profile.Name != machine.Strict.Name {
		if w.but(func(o *Wish) { o.Config.Profile = machine.Strict }) != nil {
			all = append(all, "--profile "+w.Config.Profile.Name+": there is one with strict")
		}
	}
	if lease, ok := w.leastLease(); ok {
		all = append(all, "--max-lease "+FormatDuration(w.MaxLease)+": one needs a leaseDuration of "+FormatDuration(lease))
	}
	return all
}

// but returns what Tune finds for a copy of the wish that change has changed; nil if Tune finds nothing.
func (w *Wish) but(change func(*Wish)) *Choice {
	other := *w
	change(&other)
	return Tune(&other)
}

// longestOutage returns what Tune finds for the longest outage below w.Outage, in whole milliseconds, for which it finds a choice; nil
// if it finds none even for an outage of 0.
func (w *Wish) longestOutage() (longest *Choice) {
	finds := func(n int) bool {
		c := w.but(func(o *Wish) { o.Outage = time.Duration(n) * time.Millisecond })
		if c != nil {
			longest = c // each outage for which there is one is longer than those before
		}
		return c != nil
	}
	if most := int(w.Outage / time.Millisecond); most > 0 && finds(0) {
		sort.Search(most, func(n int) bool { return !finds(n + 1) })
	}
	return longest
}

// leastLoad returns the lowest MaxQPS, in requests a second and to the thousandth, for which Tune finds a choice. It returns 0
// and false if Tune finds none without a limit.
func (w *Wish) leastLoad() (float64, bool) {
	found := w.but(func(o *Wish) { o.MaxQPS = 0 })
	if found == nil {
		return 0, false
	}
	const unit = 1000
	low := int(w.MaxQPS*unit) + 1
	n := low + sort.Search(int(math.Ceil(found.QPS*unit))-low, func(i int) bool {
		return w.but(func(o *Wish) { o.MaxQPS = float64(low+i) / unit }) != nil
	})
	return float64(n) / unit, true
}

// leastLease returns the lowest MaxLease above the present one, in whole seconds, for which Tune finds a choice. It returns 0 and
// false if Tune finds none up to MaxTunedLease.
func (w *Wish) leastLease() (time.Duration, bool) {
	finds := func(lease time.Duration) bool { return w.but(func(o *Wish) { o.MaxLease = lease }) != nil }
	low := w.MaxLease.Truncate(time.Second) + time.Second
	if low > MaxTunedLease || !finds(MaxTunedLease) {
		return 0, false
	}
	return low + time.Second*time.Duration(sort.Search(int((MaxTunedLease-low)/time.Second), func(i int) bool {
		return finds(low + time.Duration(i)*time.Second)
	})), true
}
