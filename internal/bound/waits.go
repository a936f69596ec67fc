package bound

import (
	"math"
	"slices"
	"time"
)

// This file is how long calls of one candidate wait for tokens, one after the other: docs/derivation.md, "Several calls".

// used is how many tokens the candidate has taken since the bucket was last full, and how long before the first of the calls in
// question.
type used struct {
	tokens float64
	ago    time.Duration
}

// queue is calls that wait for tokens of one bucket. size tokens are in it, and q come in a second; r and s are the rate and the burst of other
// traffic. All times are in seconds of the client's clock.
type queue struct {
	q, r, s, size float64
	// gaps are how long before each call the one before had its token; 0 for the first one.
	gaps []gap
	// before is what may be missing as the first one comes, nothing but for what it takes among it.
	before []used
	// parts: what is missing as the first one comes may be any part of a token.
	parts bool
	// longest is the longest wait of all calls together that was found.
	longest float64
}

// gap is one true time, in seconds, as a slow clock shows it (least) and a fast one (most).
type gap struct{ least, most float64 }

// stretch is all calls since an instant at which the bucket was full. It goes on while tokens are missing.
type stretch struct {
	// begins is when it does, waited is how long calls had waited until then, and worth is what calls had added to that.
	begins, waited, worth float64
	// whole: its first call waits, so that other traffic which comes sooner makes it wait for as much less. So only whole requests
	// count.
	whole  bool
	before *stretch
}

// waits returns how long calls wait at most, all together and in seconds of the client's clock. gaps are the true times between the token of
// one and the next call.
func (m *model) waits(before []used, gaps []time.Duration) float64 {
	l := &queue{
		q: rate(m.c.Client), r: m.e.OtherQPS, s: float64(m.e.MostAtOnce()), size: float64(m.c.Client.Burst),
		gaps: make([]gap, 1, len(gaps)+1),
	}
	for _, d := range gaps {
		l.gaps = append(l.gaps, gap{m.least(d).Seconds(), m.most(d).Seconds()})
	}
	more := 0.0
	if l.r > 0 && !m.refills(1) { // what came longer ago counts too, and is no whole number then
		more, l.parts = 1-l.r/l.q, true
	}
	for _, b := range append([]used{{}}, before...) {
		l.add(used{b.tokens + more, b.ago})
	}
	l.follow(0, 0, 0, 0, nil, false)
	return l.longest
}

// add adds to l.before what may be missing as the first call comes. It keeps no entry that another one covers: one with as many
// tokens or more, taken as late or later.
func (l *queue) add(more used) {
	less := func(b, other used) bool { return b.tokens <= other.tokens && b.ago >= other.ago }
	if slices.ContainsFunc(l.before, func(b used) bool { return less(more, b) }) {
		return
	}
	l.before = append(slices.DeleteFunc(l.before, func(b used) bool { return less(b, more) }), more)
}

// follow tries all ways in which call i and those after it can wait, and sets l.longest. Until call i−1 had its token, gaps
// lasted for passed and waits for waited. worth is what the calls in stretches have added to that beside other traffic: a token
// each, less a bucket each time that is full, and less the gaps in which it is not. last is the last stretch, and missing tells
// whether it goes on.
func (l *queue) follow(i int, passed, waited, worth float64, last *stretch, missing bool) {
	l.longest = max(l.longest, waited)
	if i == len(l.gaps) {
		return
	}
	d := l.gaps[i]
	if missing { // a slow clock is the worst, since fewer tokens come
		l.call(i, passed+d.least, waited, worth+1/l.q-d.least, last)
	}
	passed += d.most // and a fast one where the bucket gets full, since more other traffic comes
	l.follow(i+1, passed, waited, worth, last, false)
	before := l.before
	if i > 0 {
		before = []used{{}}
	}
	for _, b := range before {
		ago := b.ago.Seconds()
		whole := last == nil && !l.parts && ago == 0 && l.s+b.tokens >= l.size
		next := &stretch{passed + waited - ago, waited, worth, whole, last}
		l.call(i, passed, waited, worth+(1+b.tokens-l.size)/l.q-ago, next)
	}
}

// call adds the longest wait of call i, as the stretches up to last allow it, and then follows the calls after it. The
// arguments are as in follow.
func (l *queue) call(i int, passed, waited, worth float64, last *stretch) {
	most := math.Inf(1)
	for s := last; s != nil; s = s.before {
		most = min(most, s.waited+worth-s.worth+l.others(passed+waited-s.begins, s.whole)/l.q)
	}
	l.follow(i+1, passed, max(waited, most), worth, last, true)
}

// rounding is how much of a request is taken for an error of the arithmetic.
const rounding = 1e-6

// others returns how many requests of other traffic count in so many seconds. It is a whole number, unless some come a little sooner so that
// one more fits in: that is worth a request, less the tokens that come meanwhile.
func (l *queue) others(in float64, whole bool) float64 {
	all := l.s + l.r*in
	n := math.Floor(all + rounding)
	if whole || l.r == 0 {
		return n
	}
	return max(n, n+1-(n+1-all)*l.q/l.r)
}
