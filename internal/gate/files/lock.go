package files

import (
	"fmt"
	"strings"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// libraryLocks are the kinds of lock by the names that resourcelock.New of client-go takes, up to v0.24 all of them.
var libraryLocks = map[string]plan.Lock{
	"leases": plan.Lease, "endpoints": plan.Endpoints, "configmaps": plan.ConfigMap,
	"endpointsleases": plan.EndpointsLeases, "configmapsleases": plan.ConfigMapsLeases,
}

// lock sets c.lock to the kind of lock that settings such as --leader-elect-resource-lock name; it leaves c.lock if there are none.
// It passes over settings that are not certain or have no value, and over an setting.ElectionType that names no lock. A value that is unknown
// or contradicts an earlier one is reported as a problem, and sets c.failed.
func (f *findings) lock(c *candidate) {
	var first *raw
	for _, r := range c.raws {
		if r.Key != setting.ResourceLock && r.Key != setting.ElectionType || !r.Certain || r.missing {
			continue
		}
		kind, err := lockNamed(r.text)
		if r.Key == setting.ElectionType {
			kind, err = lockOfType(r.text), scalar.Given(r.text)
		}
		switch {
		case kind == "" && err == nil:
		case err != nil:
			f.bad(c, r, err)
			c.failed = true
		case first != nil && kind != c.lock:
			f.contradiction(c.pos, r, r.text, first.text, c.pos.at(first.line), first.name)
			c.failed = true
		default:
			first, c.lock = &r, kind
		}
	}
}

// lockNamed returns the kind of lock for one of client-go's names, such as leases. It returns an error for any other text.
func lockNamed(text string) (plan.Lock, error) {
	if err := scalar.Given(text); err != nil {
		return "", err
	}
	kind, known := libraryLocks[text]
	if !known {
		return "", fmt.Errorf("want leases, endpoints, configmaps, endpointsleases or configmapsleases, got %s",
			phrase.Quote(text))
	}
	return kind, nil
}

// lockOfType returns the kind of lock that the value of an setting.ElectionType names, such as leases or Lease; "" if it names none.
func lockOfType(text string) plan.Lock {
	text = strings.ToLower(text)
	if kind, known := libraryLocks[text]; known {
		return kind
	}
	return libraryLocks[text+"s"]
}

// notOnLock tells whether an setting.ElectionType says that the election is neither on a lock of client-go nor in Kubernetes at all, but in etcd,
// say. It then adds a note.
func (f *findings) notOnLock(c *candidate) bool {
	for _, r := range c.raws {
		text := strings.ToLower(r.text)
		if r.Key != setting.ElectionType || text == "" || scalar.Given(text) != nil || lockOfType(text) != "" || text == "kubernetes" || text == "k8s" {
			continue
		}
		f.note(c.pos.at(r.line), Unread, r.name+": nothing is known here of an election of the kind "+scalar.Begins(r.text)+"; not judged")
		return true
	}
	return false
}
