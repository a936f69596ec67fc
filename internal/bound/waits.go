package bound

import (
	"math"
	"slices"
	"time"
)

// This file is how long calls of one candidate wait for tokens, one after the other: docs/method/derivation.md, "Several calls".

// used says that the candidate has taken so many tokens since the bucket was last full, the first of them ago before the first
// call that is looked at.
type used struct {
	tokens float64
	ago    time.Duration
}

// queue has calls that wait for tokens of one bucket. size is how many tokens the full bucket has, and q is how many come in a
// second. r and s are the rate and the burst of other traffic. All times are in seconds of the client's clock.
type queue struct {
	q, r, s, size float64
	// gaps has one element for each call: how long before it the call before got its token; 0 for the first call.
	gaps []gap
	// before has the alternatives of what can be missing in the bucket as the first call comes. One alternative is that the
	// candidate has taken nothing, unless another one covers that.
	before []used
	// parts: what is missing as the first call comes need not be a whole number of tokens. drifts: the client's clock may drift.
	parts, drifts bool
	// frozen is for how long the process may be frozen, as its clock shows it. Other traffic that did not come then may come later.
	frozen float64
	// by has, for the first calls, how long calls have waited at most as that one comes, in seconds.
	by []float64
	// begun is a stretch before the first call; nil if none is known.
	begun *outlasting
	// longest is the longest wait of all calls together that was found.
	longest float64
}

// outlasting is a stretch that begins in an attempt which waits so long that it outlasts a tick. The first call that is looked at is the
// second one of the attempt after it. All are in seconds.
type outlasting struct {
	// begins and worth are those of the stretch; first is how long the first call of the attempt after it takes.
	begins, worth, first float64
	// wait is how long that call waits at least, 0 if it perhaps finds a full bucket.
	wait float64
}

// waits returns how long the first call of the attempt after o waits at least, 0 if o is nil.
func (o *outlasting) waits() time.Duration {
	if o == nil {
		return 0
	}
	return time.Duration(o.wait * float64(time.Second))
}

// gap is one true time, in seconds, as a slow clock shows it (least) and a fast one (most).
type gap struct{ least, most float64 }

// stretch is a time in which tokens are missing all along, with its calls. It begins at an instant at which the bucket was full.
type stretch struct {
	// begins is when the stretch begins, waited is how long calls had waited until then, and worth is the value of follow's
	// parameter worth at that time. All are in seconds.
	begins, waited, worth float64
	// whole: the first call of the stretch waits. Other traffic that comes sooner then makes it wait for as much less, so that
	// only whole requests of other traffic count. Where clocks drift it is false, since a gap on the client's clock may be just so much
	// longer that one more request fits in.
	whole bool
}

// waits returns how long calls wait for tokens at most, all together, in seconds of the client's clock. There is one call more
// than gaps has elements: gaps has the true times from when one call gets its token to the next call. before has tokens that the
// candidate took earlier. by has, for the first calls, how long calls have waited at most as that one comes. A time below 0 says that gaps
// are shorter by as much: what follows is then longer than computed by as much less, and so the result can be below 0. begun is a stretch
// before the first call, if it is known that there is one; nil otherwise.
func (m *model) waits(before []used, gaps []time.Duration, by []time.Duration, begun *outlasting) float64 {
	l := &queue{
		q: rate(m.c.Client), r: m.e.OtherQPS, s: float64(m.e.MostAtOnce()), size: float64(m.c.Client.Burst),
		gaps: make([]gap, 1, len(gaps)+1), frozen: m.most(m.e.MaxPause).Seconds(), begun: begun, drifts: m.e.MaxDriftPPM > 0, longest: math.Inf(-1),
	}
	for _, d := range gaps {
		l.gaps = append(l.gaps, gap{m.least(d).Seconds(), m.most(d).Seconds()})
	}
	l.by = make([]float64, len(by))
	for i, d := range by {
		l.by[i] = d.Seconds()
	}
	more := 0.0
	if l.r > 0 && !m.refills(1) { // what came longer ago counts too, and is no whole number then
		more, l.parts = 1-l.r/l.q, true
	}
	l.before = append(make([]used, 0, 1+len(before)), used{tokens: more})
	for _, b := range before {
		l.add(used{b.tokens + more, b.ago})
	}
	all := make([]stretch, 0, len(l.gaps)+1) // no call of follow needs more
	if begun == nil {
		l.follow(0, 0, 0, 0, all, false)
		return l.longest
	}
	if begun.wait == 0 {
		l.follow(0, 0, 0, 0, append(all, stretch{begins: begun.begins, worth: begun.worth}), false)
	}
	begun.worth += begun.first - 1/l.q // the call before the first one is in that stretch, too, and in no other one
	l.before = []used{{tokens: more}}
	l.follow(0, 0, 0, 0, append(all, stretch{begins: begun.begins, worth: begun.worth}), true)
	return l.longest
}

// add adds more to l.before, unless an entry there covers it, and removes the entries that more covers. An entry covers another
// one if it has as many tokens or more, taken as late or later.
func (l *queue) add(more used) {
	less := func(b, other used) bool { return b.tokens <= other.tokens && b.ago >= other.ago }
	if slices.ContainsFunc(l.before, func(b used) bool { return less(more, b) }) {
		return
	}
	l.before = append(slices.DeleteFunc(l.before, func(b used) bool { return less(b, more) }), more)
}

// follow tries all ways in which call i and the calls after it can wait, and raises l.longest to the longest wait that it finds.
// Until call i−1 had its token, gaps lasted for passed and waits for waited. worth is what the candidate's calls in stretches
// have added to the wait: the time of one token for each call, less that of a whole bucket for each stretch, and less the gaps in
// stretches. all has the stretches so far; missing says that the last one goes on. follow overwrites what is behind them.
func (l *queue) follow(i int, passed, waited, worth float64, all []stretch, missing bool) {
	if i == len(l.gaps) {
		l.longest = max(l.longest, waited)
		return
	}
	if i < len(l.by) {
		waited = min(waited, l.by[i])
	}
	d := l.gaps[i]
	if missing { // a slow clock is the worst, since fewer tokens come
		l.call(i, passed+d.least, waited, worth+1/l.q-d.least, all)
	}
	worth -= l.shorter(i, passed)
	passed += d.most // and a fast one where the bucket gets full, since more other traffic comes
	l.follow(i+1, passed, waited, worth, all, false)
	before := l.before
	if i > 0 {
		before = []used{{}}
	}
	for _, b := range before {
		ago := b.ago.Seconds()
		whole := len(all) == 0 && !l.parts && !l.drifts && ago == 0 && l.s+b.tokens >= l.size
		next := stretch{passed + waited - ago, waited, worth, whole}
		l.call(i, passed, waited, worth+(1+b.tokens-l.size)/l.q-ago, append(all, next))
	}
}

// shorter returns by how much the gap before call i is shorter than l.gaps has it at least, if that call is the last one in l.by. The gaps before
// it lasted for passed, at most, and the call before these for l.begun.first. All are in seconds. It returns 0 without l.begun.
func (l *queue) shorter(i int, passed float64) float64 {
	if l.begun == nil || i != len(l.by)-1 {
		return 0
	}
	return max(0, -l.by[i]-passed-l.begun.first)
}

// call adds to waited the longest wait of call i that all these stretches allow, and then calls follow for the calls after it.
// passed is how long the gaps up to call i lasted, waited is how long calls waited before it, and worth is what follow
// describes, with call i counted. All are in seconds.
func (l *queue) call(i int, passed, waited, worth float64, all []stretch) {
	most := math.Inf(1)
	frozen := 0.0 // in the stretch that goes on, more tokens come in that time than other traffic can take
	for k := len(all) - 1; k >= 0 && most > waited; k-- {
		s := &all[k]
		most = min(most, s.waited+worth-s.worth+l.others(passed+waited-s.begins+frozen, s.whole)/l.q)
		frozen = l.frozen
	}
	l.follow(i+1, passed, max(waited, most), worth, all, true)
}

// rounding is how much of a request is taken for an error of the arithmetic.
const rounding = 1e-6

// others returns how many requests of other traffic can count in a stretch of time; the parameter in is its length in seconds. If
// whole is true, the result is a whole number. Otherwise it can have a fraction: if some requests come a little sooner, one more
// fits in. That one is worth a request, less the tokens that come meanwhile.
func (l *queue) others(in float64, whole bool) float64 {
	all := l.s + l.r*in
	n := math.Floor(all + rounding)
	if whole || l.r == 0 {
		return n
	}
	return max(n, n+1-(n+1-all)*l.q/l.r)
}
