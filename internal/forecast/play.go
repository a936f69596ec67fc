package forecast

import (
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	message "interregnum/internal/fate"
	"interregnum/internal/sim"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// play runs windows, one after the other, in one simulated world. It draws what becomes of requests, follows who leads, and
// counts.
//
// A loss that follows from unanswered requests is rare in most windows. So the run of a window does not count it. Instead,
// wherever a leader's request could go unanswered, the run is repeated up to that request, and goes on with a fate that threatens
// the leader: that is a branch. What a branch shows counts by how likely such a fate is.
type play struct {
	s        *setting
	v        *values
	w        *window
	plan     *plan.Plan
	world    sim.Runner
	replicas []replica
	// leader is the index of the replica whose work began last; -1 if none has worked.
	leader int
	// met has, for each episode that is on a leader's messages, the index of that leader; -1 before it is known.
	met []int
	// tape has all draws of the run in order. first has those of the last run of a window itself. A branch takes its first draws,
	// replayed of them, from first, so that it repeats that run. drawn counts the draws so far, and fresh is the source of new
	// ones.
	tape     []float64
	first    []float64
	known    known
	replayed int
	drawn    int
	fresh    *rand.Rand
	// branch is where a repeated run branches off; nil in the run of a window itself. live: the run has branched off by now.
	branch *branch
	live   bool
	// found are the branches of the run of a window. chosen is the source of random numbers by which they are chosen.
	found  []branch
	chosen *rand.Rand
	excursion
	steps []step
	// weight is the product of the weights of all steps of a branch.
	weight float64
	tally
	due []plan.Fault
	// entered: the measured time of the window has begun.
	entered bool
	// silence is the longest time that a leader worked on after its last success.
	silence time.Duration
	// early is how many terms have ended before the measured time.
	early int
	now   time.Duration
	// ended: the run has shown all that it can. If it is false at the end of a run, the run was cut off at its horizon.
	ended bool
}

// branch is a point of a run at which a leader's request is sent that can have a fate which threatens the leader. drawn is how
// many draws come before it.
type branch struct {
	drawn   int
	replica int
	request uint64
	at      time.Duration
	// weight is for how many such points it stands: those that were not chosen count through it.
	weight float64
}

// replica is what is known of a replica.
type replica struct {
	// cancelled: its process was told to stop.
	cancelled bool
	// started: its process has started, and no new one is to take its place. began is when that was, by window.real.
	started bool
	began   time.Duration
	// reads: the request that is about to be sent is a read. creates: it makes the lock, which is refused where it is there. frees:
	// it releases the lock.
	reads, creates, frees bool
	// working: it works, and the context of the work has not ended. busy counts its terms whose work has not ended yet.
	working bool
	busy    int
	// success is when its last success was handled, and tried when the attempt of that began, at the latest.
	success, tried time.Duration
	// stamp is the renewTime of the request that is about to be sent, in true time.
	stamp time.Duration
	// fates are those of its latest requests, at most remembered of them.
	fates []fate
	// asked: its last request is a write for whose answer it still waits. loose: since its last success it has given up waiting
	// for a write. Such a write can still arrive. Another write, even if it is answered in time, then meets a version that it
	// does not expect.
	asked, loose bool
}

// newPlay returns a play of the setting. It has run nothing, and has learned nothing.
func newPlay(s *setting) *play {
	return &play{s: s, v: new(values), world: sim.Runner{NoHash: true}}
}

// run runs the window w or, if b is not nil, the branch b of it; the run of w itself must then be the last run that was not a
// branch. What the run has shown is in p.tally, and after the run of a window its branches are in p.found; the next run
// overwrites both. It returns the error of the simulated world.
func (p *play) run(w *window, b *branch) error {
	p.w, p.branch, p.live, p.drawn, p.entered = w, b, false, 0, false
	p.leader, p.excursion, p.weight, p.steps, p.due, p.silence, p.early = -1, excursion{}, 1, p.steps[:0], nil, 0, 0
	p.tally, p.ended = tally{gaps: p.tally.gaps[:0]}, false
	p.met = p.met[:0]
	for range w.episodes {
		p.met = append(p.met, -1)
	}
	end := w.to
	if b == nil {
		p.plan = p.s.plan(w)
		p.tape, p.replayed, p.found = p.tape[:0], 0, p.found[:0]
		p.fresh = rand.New(rand.NewPCG(w.seed, 3))
		p.chosen = rand.New(rand.NewPCG(w.seed, 4))
	} else {
		p.tape, p.replayed = append(p.tape[:0], p.first[:b.drawn]...), b.drawn
		p.fresh = rand.New(rand.NewPCG(w.seed, 5+uint64(b.drawn)))
		end = max(end, b.at)
	}
	p.replicas = append(p.replicas[:0], make([]replica, len(p.plan.Candidates))...)
	p.plan.Horizon = min(end+p.s.runOut, plan.MaxDuration)
	_, err := p.world.RunDirected(p.plan, p, p)
	if !p.ended {
		p.now = p.plan.Horizon
	}
	p.tally.end(w, p.now)
	if b == nil {
		p.first = append(p.first[:0], p.tape...)
	}
	return err
}

// draw returns the next draw of the run, in [0,1). A branch first repeats the draws of the window's run.
func (p *play) draw() float64 {
	if p.drawn >= p.replayed {
		p.tape = append(p.tape, p.fresh.Float64())
	}
	p.drawn++
	return p.tape[p.drawn-1]
}

// Called implements sim.Director. It sets from the request op what is known of replica i: reads, creates, frees, stamp, asked and
// loose. It returns no wait, since a client's limiter is not simulated, and no faults.
func (p *play) Called(i int, _ uint64, op *simlock.Op, _ time.Duration) (time.Duration, []plan.Fault) {
	r := &p.replicas[i]
	r.reads, r.creates = op.Verb == machine.Get, op.Verb == machine.Create
	r.frees = op.Record.Holder == "" && (op.Verb == machine.Update || op.Verb == machine.Patch && op.Fields&machine.PatchesHolder != 0)
	r.stamp = time.Duration(op.Record.Renew - clock.Epoch)
	r.loose = r.loose || r.asked
	r.asked = !r.reads
	return 0, nil
}

// Sent implements sim.Director. It draws the complete fate of the request, counts the request, and returns half of its round trip
// as the way out.
func (p *play) Sent(i int, request uint64, at time.Duration) message.Way {
	r := &p.replicas[i]
	f := p.fate(i, request, at)
	f.request, f.tried, f.frees = request, at, r.frees
	if r.stamp > 0 {
		f.tried = min(at, r.stamp) // what the record has was read from the clock before
	}
	r.remember(f)
	p.tally.request(p, at)
	return message.Way{Delay: f.takes / 2}
}

// remembered is how many requests of a replica can be under way at once; requests of Runs that have ended can still be.
const remembered = 16

// remember appends f to r.fates. If that list has as many fates as the constant remembered says, it drops the oldest one first.
func (r *replica) remember(f fate) {
	if len(r.fates) == remembered {
		r.fates = slices.Delete(r.fates, 0, 1)
	}
	r.fates = append(r.fates, f)
}

// fate draws the fate of a request of replica i that is sent at the time at. In the run of a window it also begins an excursion
// if the fate threatens a leader, and adds a branch to p.found, by chance, if the request could have such a fate. A branch
// repeats that run up to its own request; there fate sets p.live and begins the branch's excursion. In a branch that is live, it
// draws a threatening fate while the excursion lasts and is not lost.
func (p *play) fate(i int, request uint64, at time.Duration) fate {
	p.reach(at)
	o := p.odds(i, at)
	if b := p.branch; b != nil && !p.live && b.replica == i && b.request == request {
		p.live, p.excursion = true, excursion{on: true, replica: i}
		p.tally.open()
	}
	if p.branch != nil && !p.live {
		f := p.tame(o.draw(p.draw))
		p.note(i, &o, &f, at)
		return f
	}
	if p.branch != nil {
		if p.on && !p.lost && p.replica == i {
			if d, ok := p.danger(i, &o, at); ok {
				if r := &p.replicas[i]; len(p.steps) > 0 && (r.reads || r.creates || r.loose) {
					d.through()
				}
				if d.all() > 0 {
					return p.threaten(i, &d, &o, at)
				}
			}
		}
		return o.draw(p.draw)
	}
	before := p.drawn
	f := p.tame(o.draw(p.draw))
	if d, threatened := p.note(i, &o, &f, at); threatened && p.branches(at) {
		p.choose(branch{drawn: before, replica: i, request: request, at: at}, d.all())
	}
	return f
}

// tame returns f. If losses are rare, and no leader has worked in the run so far, it returns f without its error, and with a
// round trip of at most the 99th percentile of usual times. Otherwise a process that waits for its first answer when a window
// begins would count as a time without a leader, although no loss of the lock has begun it.
func (p *play) tame(f fate) fate {
	if p.s.settled && !p.tally.led && !p.entered {
		f.status, f.takes = 0, min(f.takes, p.s.slow)
	}
	return f
}

// reach brings the play to the time at, and finds out on which leader episodes are that have begun by then. The first call of a
// run with a time of w.from or later begins the measured time, too. If the window has episodes, that call also ends an excursion
// that is under way and not lost: what an episode does to its leader belongs to the window.
func (p *play) reach(at time.Duration) {
	for i := range p.w.episodes {
		if h := &p.w.episodes[i]; h.On == behaviour.Leader && h.from <= at && p.met[i] < 0 {
			p.met[i] = max(p.leader, 0)
		}
	}
	if p.entered || at < p.w.from {
		return
	}
	p.entered = true
	if p.branch == nil {
		p.tally.enter(p.w.from)
	}
	if len(p.w.episodes) > 0 && !p.lost {
		p.on = false
	}
}

// branches tells whether excursions that begin at that time belong to the window. A window with episodes counts the excursions
// that were under way when it began. In exchange it leaves out those that begin near its end: they count in usual times.
func (p *play) branches(at time.Duration) bool {
	if len(p.w.episodes) == 0 {
		return p.w.in(at)
	}
	return p.w.in(at) && at+p.s.lasts < p.w.to
}

// note begins an excursion if fate f threatens replica i. It returns the danger in which the request was. threatened tells
// whether there was one, whatever the fate; it is false if an excursion was under way before.
func (p *play) note(i int, o *odds, f *fate, at time.Duration) (d danger, threatened bool) {
	if p.on {
		return d, false
	}
	d, ok := p.danger(i, o, at)
	if !ok || d.all() == 0 {
		return d, false
	}
	if d.bad(f) {
		p.excursion = excursion{on: true, replica: i}
	}
	return d, true
}

// choose adds b to p.found by chance, by one draw from p.chosen: the greater the danger is, the more likely. It sets the weight
// of b so that it makes up for branches that are left out.
func (p *play) choose(b branch, danger float64) {
	polls := 1 + float64(p.w.to-p.w.from)/float64(p.s.Candidate.RetryPeriod)
	chance := min(1, 2*danger+usualPolls/polls)
	if p.chosen.Float64() < chance {
		b.weight = 1 / chance
		p.found = append(p.found, b)
	}
}

// threaten draws one of the fates that threaten leader i. It appends a step to p.steps, and multiplies p.weight by the weight of
// the draw.
func (p *play) threaten(i int, d *danger, o *odds, at time.Duration) fate {
	r := &p.replicas[i]
	x := state(at-r.success, p.s.Candidate.RetryPeriod, p.asking(r))
	f, weight, which := d.draw(o, p.v, x, p.draw)
	p.weight *= weight
	p.steps = append(p.steps, step{which, x, weight})
	return f
}

// Arrived implements sim.Director: it returns the status of the request's fate, 0 if it is no error.
func (p *play) Arrived(i int, request uint64, _ time.Duration) (message.Refusal, []sim.Start) {
	return message.Refusal{Status: p.fateOf(i, request).status}, nil
}

// Answered implements sim.Director: it returns the other half of the request's round trip as the way back.
func (p *play) Answered(i int, request uint64, _ time.Duration) message.Way {
	f := p.fateOf(i, request)
	return message.Way{Delay: f.takes - f.takes/2}
}

// fateOf returns the fate of a request of the i-th replica; unanswered if it is no longer remembered.
func (p *play) fateOf(i int, request uint64) fate {
	if f, known := p.replicas[i].fateOf(request); known {
		return f
	}
	return unanswered
}

// fateOf returns the fate of a request of the replica; false if it is no longer remembered.
func (r *replica) fateOf(request uint64) (f fate, known bool) {
	for i := len(r.fates) - 1; i >= 0; i-- { // mostly it is the latest
		if r.fates[i].request == request {
			return r.fates[i], true
		}
	}
	return f, false
}

// present returns how many replicas work, and how many have work that has not ended yet; see replica.
func (p *play) present() (working, busy int) {
	for i := range p.replicas {
		if p.replicas[i].working {
			working++
		}
		if p.replicas[i].busy > 0 {
			busy++
		}
	}
	return working, busy
}

// Jitter implements sim.Director: it returns the next draw of the run.
func (p *play) Jitter(int) float64 { return p.draw() }

// Returned implements sim.Director. It returns 0 and true, for a process that runs again at once; false if the process was told
// to stop.
func (p *play) Returned(i int) (time.Duration, bool) { return 0, !p.replicas[i].cancelled }

// Attend implements sim.Attendant. It brings the play to the time at, and returns the restarts that have become due since its last
// call, and whether the run is over.
func (p *play) Attend(at time.Duration) (faults []plan.Fault, over bool) {
	p.now = at
	p.reach(at)
	faults, p.due = p.due, nil
	p.ended = p.over(at)
	return faults, p.ended
}

// over tells whether the run has shown all that it can. A branch has when its excursion is over; the run of a window has when the
// measured time is over and no gap or overlap that counts goes on. If nobody has led by the end of the measured time, it first
// counts that time as leaderless.
func (p *play) over(at time.Duration) bool {
	if p.branch != nil {
		return p.live && !p.on
	}
	if at >= p.w.to && !p.tally.led {
		p.tally.never(p.w, p.w.to)
	}
	return at >= p.w.to && !p.tally.waits()
}

// restart adds to p.due that a new process of replica i starts at that time, with a new identity.
func (p *play) restart(i int, at time.Duration) {
	p.replicas[i].started = false
	p.due = append(p.due, plan.Fault{Kind: plan.FaultRestart, At: at, On: []string{name(i)}, Identity: plan.NewIdentity})
}

// restartAfter lets a new process of replica i start at the end of the last episode of those kinds that has begun, or now if that
// is later. If none has begun, it does nothing.
func (p *play) restartAfter(i int, now time.Duration, kinds ...behaviour.Kind) {
	if h := p.w.begun(now, kinds...); h != nil {
		p.restart(i, max(now, h.until))
	}
}

// Wants implements trace.Selective: it returns the kinds of events that Observe handles.
func (p *play) Wants() trace.KindSet {
	return trace.KindsOf(trace.RunStarted, trace.RunReturned, trace.ResponseHandled, trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.Crashed, trace.CancelAsked)
}
