package sim

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/plan"
)

// crowd is n candidates of which one leads, whose attempts are spread over time.
func crowd(n int, horizon time.Duration) *plan.Plan {
	p := round(aPlan(horizon), ms)
	for i := range n {
		c := who(fmt.Sprintf("candidate-%d", i), time.Duration(i)*3200*ms/time.Duration(n))
		c.Jitter = new(0.5)
		p.Candidates = append(p.Candidates, c)
	}
	return p
}

// TestTenThousandCandidates run a minute: each looks about every 3.2 s, and one leads.
func TestTenThousandCandidates(t *testing.T) {
	const n = 10_000
	stats, err := Run(crowd(n, time.Minute))
	require.NoError(t, err)
	// The first attempt is at startAt, i * 0.32 ms; the others come 3.202 s apart: those that start before
	// 2.364 s (60 - 18 * 3.202) have 19 of them, the others 18; one of all leads instead.
	assert.InDelta(t, 7388*19+2612*18, stats.StoreOps, 100)
}

// TestRunAllocatesNothing in the steady state: an hour more costs no memory.
func TestRunAllocatesNothing(t *testing.T) {
	allocs := func(plan *plan.Plan) float64 {
		return testing.AllocsPerRun(3, func() { _, _ = Run(plan) })
	}
	short, long := crowd(5, time.Minute), crowd(5, time.Hour)
	assert.InDelta(t, allocs(short), allocs(long), 2)

	// Nor does random jitter, or a rule that is in force.
	for _, p := range []*plan.Plan{short, long} {
		with(p, but(fault(plan.FaultDelay, sec), requestIn(ms, 5*ms)), but(fault(plan.FaultLose, sec, "candidate-3"), withChance(0.1)))
		for i := range p.Candidates {
			p.Candidates[i].Jitter, p.Candidates[i].RequestTimeout = nil, sec
		}
	}
	assert.InDelta(t, allocs(short), allocs(long), 2)
}

// BenchmarkCandidates is what one of 10,000 candidates costs, and what one of ten does: B/candidate of live memory at the end.
// Fewer run longer, so that there are as many events.
func BenchmarkCandidates(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := crowd(n, time.Duration(10_000/n)*time.Minute)
			var bytes, events, ops uint64
			for b.Loop() {
				b.StopTimer()
				before := liveBytes()
				b.StartTimer()
				w := newWorld(p, nil)
				runAll(w)
				b.StopTimer()
				bytes += liveBytes() - before
				events, ops = events+w.Count, ops+w.service.Requests
				runtime.KeepAlive(w)
				b.StartTimer()
			}
			b.ReportMetric(float64(bytes)/float64(b.N*n), "B/candidate")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ops), "ns/lockop")
		})
	}
}

func runAll(w *world) (entries uint64) {
	for !w.Empty() {
		e := w.Next()
		w.dispatch(&e)
		entries++
	}
	return entries
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// bareHeap is a binary heap and nothing else: what an event's cost is measured in.
type bareHeap []queue.Entry

func (h *bareHeap) push(e queue.Entry) {
	*h = append(*h, e)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if !s[i].Before(s[up]) {
			break
		}
		s[i], s[up] = s[up], s[i]
		i = up
	}
}

func (h *bareHeap) pop() queue.Entry {
	s := *h
	first := s[0]
	last := len(s) - 1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && s[child+1].Before(s[child]) {
			child++
		}
		if !s[child].Before(s[i]) {
			break
		}
		s[i], s[child] = s[child], s[i]
		i = child
	}
	return first
}

// times are pseudo-random waits of up to 3.2 s (xorshift).
type times uint64

func (r *times) next() clock.Instant {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return clock.Instant(*r % 3_200_000_000)
}

// pushPop is a push onto five entries and a pop.
func pushPop(n int, push func(queue.Entry), pop func() queue.Entry) {
	r, now := times(1), clock.Instant(0)
	for i := range n + 5 {
		push(queue.Entry{At: now + r.next(), Seq: uint64(i)})
		if i >= 5 {
			now = pop().At
		}
	}
}

// BenchmarkHeap is one push and pop of a bare heap of six, BenchmarkQueue of the queue.
func BenchmarkHeap(b *testing.B) {
	var h bareHeap
	pushPop(b.N, h.push, h.pop)
}

func BenchmarkQueue(b *testing.B) {
	var q queue.Queue
	q.Reset()
	pushPop(b.N, q.Push, q.Pop)
}

// BenchmarkEvent is what an event costs in a steady run of three, in ns and in pushes and pops of a bare heap
// of six. An entry is what is taken from the queue: a timer, an arrival.
func BenchmarkEvent(b *testing.B) {
	const pushes = 1_000_000
	p := crowd(3, 24*time.Hour)
	var entries, events uint64
	var running, pushing time.Duration
	for b.Loop() {
		w := newWorld(p, nil)
		begin := time.Now()
		entries += runAll(w)
		running += time.Since(begin)
		events += w.Count
		begin = time.Now()
		var h bareHeap
		pushPop(pushes, h.push, h.pop)
		pushing += time.Since(begin)
	}
	perPush := float64(pushing.Nanoseconds()) / float64(b.N) / pushes
	b.ReportMetric(float64(running.Nanoseconds())/float64(entries), "ns/entry")
	b.ReportMetric(float64(running.Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(running.Nanoseconds())/float64(entries)/perPush, "pushpops/entry")
	b.ReportMetric(0, "ns/op")
}
