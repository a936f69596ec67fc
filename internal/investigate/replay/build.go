package replay

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/plan"
	"interregnum/scenarios"
)

// builder builds a scenario. Every message takes delay. Where the log shows that a write came at another time than it would by
// itself, a fault makes it come then.
type builder struct {
	e     *evidence.Evidence
	story *investigate.Story
	// first and last are the first and the last write that is replayed.
	first, last int
	delay       time.Duration
	// when has for each write when it is taken to be applied, and requests its request, nil if it is not there.
	when                    []time.Time
	requests                []*evidence.Request
	lease, deadline, period time.Duration
	// start is when the scenario begins.
	start    time.Time
	scenario *scenarios.Scenario
	// begun has the holders whose candidate is there.
	begun map[string]bool
	// fresh are the writes by which a process has acquired the lock. Its first renewal follows at once. unheard are those whose
	// answer is lost: the process tries again, and has acquired the lock by the next write. quick are renewals without a read. retried are those by
	// which a holder tries again within a poll.
	fresh, unheard, quick, retried map[int]bool
	// polled is when the poll began, since the start, that made the last write, if that is a renewal.
	polled time.Duration
	// applied is when the scenario's last write is applied, since its start.
	applied time.Duration
	// times are when the scenario's writes are applied, in their order.
	times []time.Duration
	// open are the faults by which a holder cannot write any more, until another process of it begins.
	open map[string]int
	// edits are the writes by which somebody edits the object, and own is when the last one before an edit is applied, since the start.
	edits []int
	// repeated are the writes that repeat the one before (see repeats). In the run they change nothing, so that it has no such writes.
	repeated []int
	own      time.Duration
	// told are the last writes of those terms whose holder is told to stop though its log says that it gave up at its deadline.
	told map[int]bool
	// guessed: RenewDeadline is not known.
	guessed bool
	assumed []string
}

// build builds the scenario. A process begins each term; it starts at the time that makes it write when the log says. It returns
// an error if the scenario is not valid, if a write releases a lock that nobody holds, or if kubectl made one that names a holder.
func (b *builder) build() error {
	if err := b.byHand(); err != nil {
		return err
	}
	for i := range b.story.Terms {
		if t := &b.story.Terms[i]; t.Foreign && t.First <= b.last && t.Last >= b.first {
			b.assume("%s behaves as client-go", t.Holder)
		}
	}
	b.start = b.at(b.first).Add(-time.Second).Truncate(time.Second)
	b.begun, b.open = map[string]bool{}, map[string]int{}
	b.fresh, b.unheard, b.quick, b.retried, b.told = map[int]bool{}, map[int]bool{}, map[int]bool{}, map[int]bool{}, map[int]bool{}
	b.scenario = &scenarios.Scenario{Name: "replay"}
	b.scenario.Seed = 1
	fixed := plan.Delay{Min: b.delay, Max: b.delay}
	b.scenario.Network = plan.Network{Request: fixed, Response: fixed}
	for i := b.first; i <= b.last; i++ {
		switch {
		case b.holder(i) == "":
			if i == b.first || b.holder(i-1) == "" {
				return fmt.Errorf("no scenario was found: write %d releases a lock that nobody holds", i+1-b.first)
			}
			if b.undone(i) {
				b.undo(i)
			} else {
				b.release(i)
			}
		case b.regains(i):
			b.regain(i)
		case b.renews(i):
			b.renewal(i)
		default:
			b.acquisition(i)
		}
		b.times = append(b.times, b.applied)
	}
	b.end()
	return b.scenario.Validate()
}

// time returns when the i-th write is applied, since the start of the scenario.
func (b *builder) time(i int) time.Duration { return b.at(i).Sub(b.start) }

// fault adds a fault to the scenario. One that begins before the scenario begins with it. One that would end before it begins is
// left out.
func (b *builder) fault(f plan.Fault) {
	f.At = max(f.At, 0)
	if f.Until == nil || *f.Until > f.At {
		b.scenario.Faults = append(b.scenario.Faults, f)
	}
}

// id returns the id of a holder's candidate: a letter, and from the 27th candidate on a number behind it. A holder without a
// candidate gets the id of the next one.
func (b *builder) id(holder string) string {
	i := slices.IndexFunc(b.scenario.Candidates, func(c scenarios.Candidate) bool { return c.Identity == holder })
	if i < 0 {
		i = len(b.scenario.Candidates)
	}
	id := string(rune('a' + i%26))
	if i >= 26 {
		id += fmt.Sprint(i / 26)
	}
	return id
}

// begin starts a process of the holder at a time since the start: its candidate for the first process, a restart under the same
// name for each later one. It also ends the fault by which the process before could not write any more.
func (b *builder) begin(holder string, at time.Duration) {
	at = max(at, 0)
	id := b.id(holder)
	if k, open := b.open[holder]; open {
		b.scenario.Faults[k].Until = new(max(at, b.scenario.Faults[k].At+1))
		delete(b.open, holder)
	}
	if b.begun[holder] {
		b.fault(plan.Fault{Kind: plan.FaultRestart, At: at, On: []string{id}, Identity: plan.SameIdentity})
		return
	}
	b.begun[holder] = true
	fixed := 0.0
	b.scenario.Candidates = append(b.scenario.Candidates, scenarios.Candidate{
		ID: id, Identity: holder, Profile: machine.ClientGo, Lock: plan.Lease, Jitter: &fixed, StartAt: at,
		ReleaseOnCancel: b.releases(holder),
		Timings:         machine.Timings{LeaseDuration: b.lease, RenewDeadline: b.deadline, RetryPeriod: b.period},
	})
}

// releases tells whether a write that is replayed releases the holder's lock.
func (b *builder) releases(holder string) bool {
	for i := b.first + 1; i <= b.last; i++ {
		if b.holder(i) == "" && b.holder(i-1) == holder && !b.undone(i) {
			return true
		}
	}
	return false
}

// acquisition makes a process write the i-th write, which begins a term. The process starts and reads; it writes at once if the
// lock is free, or else once the lease that it has read has expired. If another held the lock, that one is kept from writing
// (see stops); if the log says that the write created the object, the object is deleted before. It marks the write in b.fresh or,
// if its answer is lost (see missed), in b.unheard, and sets b.applied to its time.
func (b *builder) acquisition(i int) {
	at, holder := b.time(i), b.holder(i)
	b.unheard[i] = b.missed(i)
	b.fresh[i] = !b.unheard[i]
	created := b.e.Requests != nil && b.created(i)
	if i > b.first && b.holder(i-1) != "" {
		b.stops(i - 1)
		if created {
			b.fault(plan.Fault{Kind: plan.FaultDelete, At: at - 4*b.delay})
		}
	}
	last := b.changed(i)
	b.applied = at
	if i == b.first || b.holder(i-1) == "" || created {
		b.begin(holder, at-3*b.delay)
		return
	}
	// It reads the last record as early as it must, and is then kept from asking again until it writes.
	observes := max(at-b.lease-8*b.delay, last+b.delay)
	b.begin(holder, observes-b.delay)
	wakes := at - 3*b.delay
	b.fault(plan.Fault{Kind: plan.FaultPause, At: observes + 3*b.delay, Until: &wakes, On: []string{b.id(holder)}})
}

// changed returns when a follower that reads the record just before the i-th write counts it as changed last, as a time since the
// scenario's start. Followers compare whole seconds. So this is when the first was applied of the holder's last writes that are
// stamped in the same second; one that repeats another does not count. b.times must have all writes before the i-th, and none from it on. For the first write it returns 0.
func (b *builder) changed(i int) time.Duration {
	k := len(b.times) - 1
	if k < 0 {
		return b.applied
	}
	for k > 0 && slices.Contains(b.repeated, b.first+k) {
		k--
	}
	second := (b.times[k] - b.delay).Truncate(time.Second)
	for k > 0 && b.holder(i-1) == b.holder(b.first+k-1) && b.times[k-1]-b.delay >= second {
		k--
	}
	return b.times[k]
}

// created tells whether the i-th write has created the object.
func (b *builder) created(i int) bool {
	q := b.requests[i]
	return q != nil && q.Verb == "create"
}

// near is how far from its time a write may come by itself without a fault that moves it.
const near = 5 * time.Millisecond

// renewal makes the holder write the i-th write, a renewal, at the time that is logged. If a renewal would not come then by
// itself, a request is delayed, the holder stands still, or a new process of it writes. One that comes by itself less than
// MaxError/2 too late is left as it is. It sets b.applied to the time at which the write then comes.
func (b *builder) renewal(i int) {
	at := b.time(i)
	comes := b.applied + 2*b.delay + b.period
	if b.fresh[i-1] {
		comes = b.applied + 2*b.delay
	}
	late := at - comes
	b.quick[i] = true
	switch {
	case b.unheard[i-1]:
		b.acquiresAgain(i)
	case b.retries(i):
	case late.Abs() <= near, late < 0 && -late < MaxError/2:
		b.applied, b.polled = comes, comes-b.delay
	case late < 0:
		b.again(i)
	case late < b.deadline*9/10:
		request := plan.Delay{Min: late + b.delay, Max: late + b.delay}
		b.fault(plan.Fault{Kind: plan.FaultDelay, At: b.applied + b.delay/2, Until: &at, On: []string{b.id(b.holder(i))}, Request: &request})
		b.applied, b.polled = at, comes-b.delay
	case b.gaveUp(i) || b.fresh[i-1]:
		b.again(i)
	default:
		b.wakes(i)
	}
}

// wakes makes the holder stand still until it writes the i-th write. It reads the record first if its lease has run out.
func (b *builder) wakes(i int) {
	at := b.time(i)
	wakes := at - b.delay
	if wakes >= b.applied+b.delay+b.lease {
		wakes = at - 3*b.delay
		b.quick[i] = false
	}
	b.freeze(i-1, wakes)
	b.applied, b.polled = at, wakes
}

// unanswered adds a fault by which the server applies the write that comes at b.applied, and answers it with an error. So it
// stands for an answer that did not come in time.
func (b *builder) unanswered(holder string) {
	until := b.applied + b.delay/2
	b.fault(plan.Fault{Kind: plan.FaultError, At: b.applied - b.delay/2, Until: &until, On: []string{b.id(holder)},
		Status: http.StatusGatewayTimeout, Applied: true})
}

// missed tells whether the i-th write, which begins a term, seems to have had no answer: the holder's next one did not come at
// once, but the one after that did, as after a write that has acquired the lock.
func (b *builder) missed(i int) bool {
	return i+2 <= b.last && b.renews(i+1) && b.renews(i+2) &&
		!b.says(i+1, b.holder(i), evidence.Lost, evidence.Tries) && !b.says(i+2, b.holder(i), evidence.Lost, evidence.Tries) &&
		b.gap(i+1) > b.period+10*b.delay && b.gap(i+2) < b.period/2
}

// acquiresAgain makes the holder, whose last write was not answered, acquire the lock by the i-th write.
func (b *builder) acquiresAgain(i int) {
	at := b.time(i)
	b.unanswered(b.holder(i))
	wakes := at - 3*b.delay
	b.fault(plan.Fault{Kind: plan.FaultPause, At: b.applied + 2*b.delay, Until: &wakes, On: []string{b.id(b.holder(i))}})
	b.fresh[i], b.quick[i], b.applied = true, false, at
}

// again makes a new process of the holder write the i-th write. The record has the process's name, so that it waits for
// nothing. Until then the holder is cut off from the server. It marks the write in b.fresh, and sets b.applied to its time.
func (b *builder) again(i int) {
	b.apart(i - 1)
	b.begin(b.holder(i), b.time(i)-3*b.delay)
	b.fresh[i], b.quick[i], b.applied = true, false, b.time(i)
}

// apart adds a fault that keeps the holder of the i-th write from reaching the server, and stores its index in b.open: begin
// ends the fault when another process of the holder begins.
func (b *builder) apart(i int) {
	b.open[b.holder(i)] = len(b.scenario.Faults)
	b.fault(plan.Fault{Kind: plan.FaultPartition, At: b.applied + b.delay/2, On: []string{b.id(b.holder(i))}})
}

// release makes the holder of the (i-1)-th write release the lock by the i-th write: it tells the holder to stop. It reads
// before it writes, and is cut off from the server until then, so that it does not renew. If the gap is too long for a process
// that runs, the holder stands still before. If its work had ended earlier (see endOf), it is told earlier, and its read takes longer.
// If its log says that it gave up at its deadline, it does so where it can (see releasesLate).
func (b *builder) release(i int) {
	if b.atDeadline(i-1) && b.releasesLate(i) {
		return
	}
	at, on := b.time(i)-3*b.delay, []string{b.id(b.holder(i - 1))}
	told := max(min(at, b.endOf(i-1, at)), b.applied+2*b.delay)
	if told-b.applied > b.period+b.deadline*9/10 {
		b.freeze(i-1, told-b.delay)
	}
	until := told - b.delay/2
	b.fault(plan.Fault{Kind: plan.FaultPartition, At: b.applied + b.delay/2, Until: &until, On: on})
	if told < at {
		late := at - told + b.delay
		b.fault(plan.Fault{Kind: plan.FaultDelay, At: until, Until: new(told + b.delay/2), On: on, Request: &plan.Delay{Min: late, Max: late}})
	}
	b.told[i-1] = b.atDeadline(i - 1)
	b.fault(plan.Fault{Kind: plan.FaultCancel, At: told, On: on})
	b.applied = b.time(i)
}

// freeze makes the holder of the i-th write stand still. It begins when the holder has the answer to its last write, at
// b.applied, and ends at until, a time since the start. If the holder would send another request at once, that request is lost.
func (b *builder) freeze(i int, until time.Duration) {
	from, on := b.applied+3*b.delay/2, []string{b.id(b.holder(i))}
	if b.fresh[i] {
		b.fault(plan.Fault{Kind: plan.FaultLose, At: b.applied + b.delay/2, Until: &from, On: on, Leg: plan.RequestLeg})
	}
	b.fault(plan.Fault{Kind: plan.FaultPause, At: from, Until: &until, On: on})
}

// gaveUp tells whether a log says that the holder gave up, stood for election or acquired the lock between the (i-1)-th write
// and the i-th.
func (b *builder) gaveUp(i int) bool {
	return b.says(i, b.holder(i), evidence.Lost, evidence.Tries, evidence.Acquired)
}

// says tells whether a line of one of these steps is by the holder, between the (i-1)-th write and the i-th.
func (b *builder) says(i int, holder string, steps ...evidence.Step) bool {
	return b.saysBetween(b.at(i-1), b.at(i), holder, steps...)
}

// saysBetween tells whether a line of one of these steps is by the holder, between two times by the server's clock.
func (b *builder) saysBetween(from, until time.Time, holder string, steps ...evidence.Step) bool {
	for k := range b.e.Sayings {
		s := &b.e.Sayings[k]
		at := s.At.Add(b.offset(s.Source))
		if slices.Contains(steps, s.Step) && b.by(s, holder) && at.After(from) && at.Before(until) {
			return true
		}
	}
	return false
}

// by tells whether a line is of the pod of a holder, which can be a static one that is named after the holder's host. A line of
// another client than client-go is nobody's.
func (b *builder) by(s *evidence.Saying, holder string) bool {
	if s.Client != "" {
		return false
	}
	pod := b.e.Sources[s.Source].Process
	host, _, _ := strings.Cut(holder, "_")
	return pod != "" && (holder == pod || strings.HasPrefix(holder, pod+"_") || host != "" && strings.HasSuffix(pod, "-"+host))
}

// offset returns the middle of the bounds of what must be added to the times of the log with the index source, 0 if that is not
// bounded on both sides.
func (b *builder) offset(source int) time.Duration {
	for _, o := range b.story.Offsets {
		if o.Source == source && o.Low != nil && o.High != nil {
			return *o.Low + (*o.High-*o.Low)/2
		}
	}
	return 0
}
