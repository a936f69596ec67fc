package files

import (
	"fmt"

	"interregnum/internal/bound"
	"interregnum/plan"
)

// earlier is what is known of a program's releases before the one that its entry describes.
type earlier struct {
	// timeoutSince is the first release of which the timeout of the entry is known.
	timeoutSince release
	// locks are the kinds of lock that were the default before a release, in the order of releases.
	locks []lockBefore
	// leaseSince is the first release whose default surely is a Lease. lockOpen: that no file and no release tells it.
	leaseSince release
	lockOpen   bool
	// oldFlag is a flag that only earlier releases have, whose timeout is not known, and newFlag one that they do not have. Their lock is
	// oldLock, but a Lease with the flag leaseFlag.
	oldFlag, newFlag, leaseFlag string
	oldLock                     plan.Lock
	// timings were the defaults before the release timingsSince.
	timings      timings
	timingsSince release
	// ofCluster: the program has the releases of Kubernetes.
	ofCluster bool
	// library is the first release from which on the program has the client-go v0 with the second number of its own release, as long as the
	// first number is the same; zero where the release does not tell the client-go.
	library release
}

// lockBefore is the default of the releases before one.
type lockBefore struct {
	before release
	lock   plan.Lock
}

// kubernetes is what is known of earlier releases of Kubernetes' own programs: their locks (kubernetes/kubernetes pull requests 84084
// and 94603), and that their timeout was not yet half of RenewDeadline (97958, 98059, 98061), but none, and later RenewDeadline (65094).
var kubernetes = earlier{
	ofCluster: true, timeoutSince: release{1, 21}, library: release{1, 1},
	locks: []lockBefore{{release{1, 17}, plan.Endpoints}, {release{1, 20}, plan.EndpointsLeases}},
}

// withRuntime returns what is known of earlier releases of a program that is made with controller-runtime. That has a timeout of half of
// RenewDeadline since v0.20 (kubernetes-sigs/controller-runtime pull request 3028), and Leases as the default since v0.12 (1773). The
// releases are the first of which the program's go.mod is known to have it, or where that is not known, later ones.
func withRuntime(timeoutSince, leaseSince release) earlier {
	return earlier{timeoutSince: timeoutSince, leaseSince: leaseSince}
}

// ofItsRelease returns the candidate's program as it is in the release that the image's tag tells, with the timings of that release.
// It returns nil if the program is not known.
func (c *candidate) ofItsRelease() *Program {
	if of, tagged := c.releaseOf(); c.program != nil && tagged && of.before(c.program.earlier.timingsSince) {
		older := *c.program
		older.timings = older.earlier.timings
		return &older
	}
	return c.program
}

// setEarlier changes t, a target of c, to what is known of the release of c's program. It clears t.Timeout if a tag or a flag
// tells a release before the first one of which the entry's timeout is known. Where nothing tells the release, the timeout is
// that of the entry, which becomes a condition of a safe verdict. If the file names no lock, it sets t.Lock and t.LockFrom to
// the default of an older release, or else t.LockOpen if nobody knows that default, or t.LockAssumed if a Lease is only
// assumed. If the program is not known, it sets only t.LockAssumed.
func (c *candidate) setEarlier(t *Target) {
	if c.program == nil {
		t.LockAssumed = c.lock == ""
		return
	}
	e := &c.program.earlier
	of, tagged := c.releaseOf()
	old := e.oldFlag != "" && c.hasFlag[e.oldFlag]
	if tagged && of.before(e.timeoutSince) || old {
		t.Timeout = Timeout{}
	}
	if since := e.timeoutSince; !tagged && since != (release{}) && t.Timeout.Kind == c.program.Timeout.Kind {
		if c.program.vendors { // whose own releases have other numbers
			t.Provided = append(t.Provided, fmt.Sprintf("its library, k8s.io/cloud-provider, is v0.%d or later", since.minor))
		} else {
			t.Provided = append(t.Provided, fmt.Sprintf("the release of %s is v%d.%d or later", c.program.Name, since.major, since.minor))
		}
	}
	if c.lock != "" {
		return
	}
	for _, l := range e.locks {
		if tagged && of.before(l.before) {
			t.Lock = l.lock
			t.LockFrom = fmt.Sprintf("the default of %s before v%d.%d", c.program.Name, l.before.major, l.before.minor)
			return
		}
	}
	switch {
	case old && !c.hasFlag[e.leaseFlag]:
		t.Lock, t.LockFrom = e.oldLock, "the default of "+c.program.Name+" without --"+e.leaseFlag
	case e.lockOpen, tagged && of.before(e.leaseSince), e.oldFlag != "" && !old && !c.hasFlag[e.newFlag] && !c.hasFlag[e.leaseFlag]:
		t.LockOpen = true
	default:
		known := len(e.locks) > 0 || e.leaseSince != release{} || e.oldFlag != ""
		t.LockAssumed = !tagged && known || !known && !c.program.leases
	}
}

// clientGo returns the second number of the client-go that c's program has, by its release; 0 if nothing tells it. It is 0 for a release that is
// newer than all that was read, and for a program whose vendors number their own releases.
func (c *candidate) clientGo() int {
	of, tagged := c.releaseOf()
	if c.program == nil || c.program.vendors || !tagged {
		return 0
	}
	since := c.program.earlier.library
	if since == (release{}) || of.major != since.major || of.minor < since.minor || of.minor > bound.Newest {
		return 0
	}
	return of.minor
}

// setLibrary sets t.ClientGo and t.ClientGoFrom by the release of c's program, and adds a condition to t.Provided if requests of that client-go
// need not end. It sets nothing if the release does not tell the client-go.
func (c *candidate) setLibrary(t *Target) {
	minor := c.clientGo()
	if minor == 0 {
		return
	}
	of, _ := c.releaseOf()
	t.ClientGo, t.ClientGoFrom = minor, fmt.Sprintf("that of %s v%d.%d", c.program.Name, of.major, of.minor)
	if minor < bound.Oldest {
		t.Provided = append(t.Provided, "its requests end, which those of client-go before v0.18 need not")
	}
}
