package rust

import (
	"fmt"
	"iter"
	"time"

	"interregnum/elector/machine"
)

// second is src/lease.rs read a second time, call by call, as a program that blocks; and a program around it as in
// examples/shared-lease.rs, which calls step_down once it is told to end. Nothing of Machine is in it. What it sends is what the
// library sends: objects and merge patches as maps.
type second struct {
	holder   string
	ttl      time.Duration
	interval time.Duration
	release  bool

	now    machine.Now
	words  []string
	sent   *sent
	answer *answer
	wakeAt machine.Mono
	asleep bool
	ending bool

	leader bool
	yield  func(struct{}) bool
	resume func() (struct{}, bool)
	stop   func()
}

// sent is a request: its method, and the object or merge patch in its body.
type sent struct {
	method string
	body   map[string]any
}

// answer is an HTTP status, 0 for an error of the connection, and the Lease's spec.
type answer struct {
	code int
	spec map[string]any
}

// failure is an Err.
type failure struct{ what string }

func (f *failure) Error() string { return f.what }

// ended unwinds a program that the test no longer needs.
type ended struct{}

// wait lets the test go on.
func (p *second) wait() {
	if !p.yield(struct{}{}) {
		panic(ended{})
	}
}

// begin starts the program.
func (p *second) begin() {
	p.resume, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != (ended{}) {
				panic(r)
			}
		}()
		p.yield = yield
		p.main()
	})
	p.resume()
}

// main is the program: the loop, and what comes once it is told to end.
func (p *second) main() {
	for !p.ending {
		acquired, err := p.tryAcquireOrRenew()
		if p.gone() {
			return
		}
		if err == nil {
			p.store(acquired)
		}
		if !p.ending {
			p.sleep()
		}
	}
	if p.release && p.leader {
		_ = p.stepDown()
	}
	p.exit()
}

// gone tells whether the program has ended in the middle of a call, since it releases nothing.
func (p *second) gone() bool {
	if p.ending && !p.release {
		p.exit()
		return true
	}
	return false
}

func (p *second) exit() {
	p.store(false)
	p.words = append(p.words, "return")
}

// store is is_leader.store.
func (p *second) store(leader bool) {
	if leader != p.leader {
		p.words = append(p.words, map[bool]string{true: "work", false: "end work"}[leader])
	}
	p.leader = leader
}

func (p *second) sleep() {
	p.asleep, p.wakeAt = true, p.now.Mono.Add(p.interval)
	p.words = append(p.words, fmt.Sprintf("sleep to %d", p.wakeAt))
	for p.asleep && !p.ending {
		p.wait()
	}
	p.asleep = false
}

func (p *second) request(method string, body map[string]any) *answer {
	p.sent, p.answer = &sent{method, body}, nil
	p.words = append(p.words, method)
	for p.answer == nil {
		if p.ending && !p.release {
			p.sent = nil
			return &answer{}
		}
		p.wait()
	}
	p.sent = nil
	return p.answer
}

func (p *second) tryAcquireOrRenew() (acquired bool, err error) {
	a := p.request("get", nil)
	switch {
	case a.code == 0:
		return false, &failure{"Kube"}
	case a.code == 404:
		return true, p.createLease()
	case a.code != 200:
		return false, &failure{"ApiError"}
	}
	ours, err := p.areWeLeading(a.spec)
	if err != nil {
		return false, err
	}
	if ours {
		return true, p.renewLease()
	}
	expired, err := p.hasLeaseExpired(a.spec)
	if err != nil {
		return false, err
	}
	if expired {
		return true, p.acquireLease(a.spec)
	}
	return false, nil
}

func (p *second) areWeLeading(spec map[string]any) (bool, error) {
	holder, there := spec["holderIdentity"].(string)
	if !there {
		return false, &failure{"TraverseLease spec.holderIdentity"}
	}
	return holder == p.holder, nil
}

func (p *second) hasLeaseExpired(spec map[string]any) (bool, error) {
	renewed, there := spec["renewTime"].(time.Time)
	if !there {
		return false, &failure{"TraverseLease spec.renewTime"}
	}
	lasts, there := spec["leaseDurationSeconds"].(int64)
	if !there {
		return false, &failure{"TraverseLease spec.leaseDurationSeconds"}
	}
	timeout := renewed.Add(time.Duration(lasts) * time.Second)
	return p.utc().After(timeout), nil
}

func (p *second) utc() time.Time { return time.Unix(0, int64(p.now.Wall)) }

// micros is to_rfc3339_opts(SecondsFormat::Micros): it cuts the rest off.
func (p *second) micros() time.Time { return p.utc().Truncate(time.Microsecond) }

func (p *second) createLease() error {
	now := p.micros()
	return p.write("post", map[string]any{
		"acquireTime": now, "renewTime": now, "holderIdentity": p.holder,
		"leaseDurationSeconds": int64(p.ttl.Seconds()), "leaseTransitions": int64(0),
	})
}

func (p *second) acquireLease(spec map[string]any) error {
	now := p.micros()
	transitions, there := spec["leaseTransitions"].(int64)
	if !there {
		return &failure{"TraverseLease spec.leaseTransitions"}
	}
	return p.write("patch", map[string]any{
		"acquireTime": now, "renewTime": now, "leaseTransitions": transitions + 1,
		"holderIdentity": p.holder, "leaseDurationSeconds": int64(p.ttl.Seconds()),
	})
}

func (p *second) renewLease() error {
	return p.write("patch", map[string]any{"renewTime": p.micros(), "leaseDurationSeconds": int64(p.ttl.Seconds())})
}

func (p *second) stepDown() error {
	a := p.request("get", nil)
	if a.code != 200 {
		return &failure{"GetLease"}
	}
	ours, err := p.areWeLeading(a.spec)
	switch {
	case err != nil:
		return err
	case !ours:
		return &failure{"ReleaseLockWhenNotLeading"}
	}
	now := p.micros()
	return p.write("patch", map[string]any{
		"acquireTime": now, "renewTime": now, "leaseDurationSeconds": int64(1), "holderIdentity": "",
	})
}

func (p *second) write(method string, spec map[string]any) error {
	if a := p.request(method, spec); a.code != 200 && a.code != 201 {
		return &failure{method}
	}
	return nil
}
