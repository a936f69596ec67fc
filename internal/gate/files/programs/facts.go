package programs

import (
	"fmt"

	"interregnum/elector/machine"
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
	timings      machine.Timings
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

// Facts are what is known of a program in the release that runs, with the timings that its file sets.
type Facts struct {
	machine.Timings
	Timeout Timeout
	Lock    plan.Lock
	// LockFrom says, in words, why the lock is that, where no file names it. LockAssumed: nobody says that the lock is a Lease. LockOpen: it may as
	// well be one on two objects.
	LockFrom              string
	LockAssumed, LockOpen bool
	// ClientGo is the second number of client-go's version, 0 where the release does not tell it, and ClientGoFrom says of which release it is.
	ClientGo     int
	ClientGoFrom string
	// Provided are conditions, in words to follow "if", under which this is so.
	Provided []string
}

// Facts returns what is known of the release t of the program, whose flags are the keys of has, with the lock and the timings that its file sets.
// If p is nil, that is little.
func (p *Program) Facts(t Tag, has map[string]bool, lock plan.Lock, set machine.Timings) Facts {
	if p == nil {
		return Facts{Timings: p.Fill(set), Lock: lock, LockAssumed: lock == ""}
	}
	f := Facts{Timings: p.Fill(set), Timeout: p.Timeout, Lock: lock}
	if t.earlier(p.earlier.timingsSince) {
		older := *p
		older.timings = p.earlier.timings
		f.Timings = older.Fill(set)
	}
	old := p.earlier.oldFlag != "" && has[p.earlier.oldFlag]
	p.setTimeout(&f, t, old)
	if lock == "" {
		p.setLock(&f, t, old, has)
	}
	if f.ClientGo = p.clientGo(t); f.ClientGo > 0 {
		f.ClientGoFrom = fmt.Sprintf("that of %s v%d.%d", p.Name, t.major, t.minor)
		if f.ClientGo < bound.Oldest {
			f.Provided = append(f.Provided, "its requests end, which those of client-go before v0.18 need not")
		}
	}
	return f
}

// setTimeout clears f.timeout if a tag or an old flag tells a release before the first one of which the entry's timeout is known. Where nothing
// tells the release, the timeout is that of the entry, which becomes a condition.
func (p *Program) setTimeout(f *Facts, t Tag, old bool) {
	since := p.earlier.timeoutSince
	if t.earlier(since) || old {
		f.Timeout = Timeout{}
	}
	switch {
	case t.known || since == (release{}) || f.Timeout.Kind != p.Timeout.Kind:
	case p.Vendors: // whose own releases have other numbers
		f.Provided = append(f.Provided, fmt.Sprintf("its library, k8s.io/cloud-provider, is v0.%d or later", since.minor))
	default:
		f.Provided = append(f.Provided, fmt.Sprintf("the release of %s is v%d.%d or later", p.Name, since.major, since.minor))
	}
}

// setLock sets the lock, which the file does not name, to the default of an older release, or else f.lockOpen if nobody knows that default, or
// f.lockAssumed if a Lease is only assumed.
func (p *Program) setLock(f *Facts, t Tag, old bool, has map[string]bool) {
	e := &p.earlier
	for _, l := range e.locks {
		if t.earlier(l.before) {
			f.Lock, f.LockFrom = l.lock, fmt.Sprintf("the default of %s before v%d.%d", p.Name, l.before.major, l.before.minor)
			return
		}
	}
	switch {
	case old && !has[e.leaseFlag]:
		f.Lock, f.LockFrom = e.oldLock, "the default of "+p.Name+" without --"+e.leaseFlag
	case e.lockOpen, t.earlier(e.leaseSince), e.oldFlag != "" && !old && !has[e.newFlag] && !has[e.leaseFlag]:
		f.LockOpen = true
	default:
		known := len(e.locks) > 0 || e.leaseSince != release{} || e.oldFlag != ""
		f.LockAssumed = !t.known && known || !known && !p.leases
	}
}

// clientGo returns the second number of the client-go that the program has, by its release; 0 if nothing tells it. It is 0 for a release that is
// newer than all that was read, and for a program whose vendors number their own releases.
func (p *Program) clientGo(t Tag) int {
	since := p.earlier.library
	if p.Vendors || !t.known || since == (release{}) || t.major != since.major || t.minor < since.minor || t.minor > bound.Newest {
		return 0
	}
	return t.minor
}
