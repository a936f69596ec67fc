package rust

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	_ "interregnum/internal/few/garbage"
	"interregnum/simlock"
)

const (
	s  = time.Second
	ms = time.Millisecond
)

// course is a random one of both readings of the source, with a server each: the first one's is simlock, the second one's is a map
// to which merge patches are applied.
type course struct {
	t      *testing.T
	draw   *rand.Rand
	m      Machine
	second *second
	at     machine.Mono
	walls  machine.Wall
	seen   map[string]int

	words   []string
	request *machine.Request
	wakeAt  machine.Mono
	over    bool

	store simlock.Store
	lock  simlock.Single
	spec  map[string]any
}

const key = "lease"

func (c *course) now() machine.Now {
	return machine.Now{Mono: c.at, Wall: c.walls + machine.Wall(c.at)}
}

// step gives the machine an input, lets the second reading go on, and compares what they ask for.
func (c *course) step(in machine.Input) {
	c.words = nil
	for _, o := range c.m.Step(c.now(), &in, nil) {
		switch o.Kind {
		case machine.SetTimer:
			c.wakeAt = o.Due(0)
			c.words = append(c.words, fmt.Sprintf("sleep to %d", c.wakeAt))
		case machine.StopTimer:
			c.wakeAt = 0
		case machine.Send:
			c.request = o.Request
			c.words = append(c.words, map[machine.Verb]string{
				machine.Get: "get", machine.Create: "post", machine.Patch: "patch",
			}[o.Request.Verb])
		case machine.StartWork:
			c.words = append(c.words, "work")
		case machine.StopWork:
			c.words = append(c.words, "end work")
		case machine.Stopped:
		case machine.Return:
			c.over, c.request = true, nil
			c.words = append(c.words, "return")
		default:
			require.Fail(c.t, "unexpected output", "%v", o.Kind)
		}
	}
	c.second.now = c.now()
	if in.Kind == machine.Started {
		c.second.begin()
	} else {
		c.second.resume()
	}
	require.Equal(c.t, c.second.words, c.words, "at %v", time.Duration(c.at))
	c.second.words = nil
	require.Equal(c.t, c.second.leader, c.m.IsLeader())
}

// answer carries the request under way out at both servers, or not, and answers it, or says that it failed.
func (c *course) answer(trouble int) {
	r := machine.Response{ID: c.request.ID, Outcome: machine.Done}
	failed, applied := c.draw.IntN(100) < trouble, c.draw.IntN(2) == 0
	code := 0
	if !failed || applied {
		var op simlock.Op
		require.True(c.t, c.lock.Prepare(c.request.Verb, &c.request.Record, &op))
		op.Fields = c.request.Fields
		result := c.store.Apply(&op)
		code = c.apply(c.second.sent)
		require.Equal(c.t, code, result.Status)
		c.same()
		r.Outcome, r.Record = c.lock.Answered(c.request.Verb, &result), &result.Record
	}
	a := &answer{code: code, spec: maps.Clone(c.spec)}
	if failed {
		c.seen["failed "+c.second.sent.method]++
		a.code = []int{0, 500, 409}[c.draw.IntN(3)]
		r.Outcome, r.Record = machine.Failed, nil
		if a.code == 409 {
			r.Outcome = machine.Conflict
		}
	} else {
		c.seen[fmt.Sprintf("%s %d", c.second.sent.method, code)]++
	}
	c.request, c.second.answer = nil, a
	c.step(machine.Input{Kind: machine.Responded, Response: r})
}

// apply carries out a request at the second server (RFC 7386: what a merge patch does not name stays).
func (c *course) apply(r *sent) (code int) {
	switch {
	case r.method == "post" && c.spec != nil:
		return 409
	case r.method == "post":
		c.spec = maps.Clone(r.body)
		return 201
	case c.spec == nil:
		return 404
	case r.method == "patch":
		maps.Copy(c.spec, r.body)
	}
	return 200
}

// same compares what the two servers have.
func (c *course) same() {
	r := c.store.Apply(&simlock.Op{Verb: machine.Get, Key: key})
	if c.spec == nil {
		require.Equal(c.t, 404, r.Status)
		return
	}
	wall := func(field string) machine.Wall { return machine.Wall(c.spec[field].(time.Time).UnixNano()) }
	require.Equal(c.t, machine.Record{
		Holder: c.spec["holderIdentity"].(string), DurationSeconds: c.spec["leaseDurationSeconds"].(int64),
		Acquire: wall("acquireTime"), Renew: wall("renewTime"), Transitions: c.spec["leaseTransitions"].(int64),
	}, r.Record)
}

// others has somebody else write the record, or delete it.
func (c *course) others() {
	c.store.Delete(key)
	c.spec = nil
	if c.draw.IntN(5) == 0 {
		c.seen["deleted"]++
		return
	}
	wall := c.now().Wall - machine.Wall(c.draw.IntN(int(20*s)))
	r := machine.Record{
		Holder: []string{"a", "b", "c", ""}[c.draw.IntN(4)], DurationSeconds: 1 + int64(c.draw.IntN(20)), Transitions: int64(c.draw.IntN(5)),
	}
	r.Acquire, r.Renew = wall.Truncate(time.Microsecond), wall.Truncate(time.Microsecond)
	c.store.Apply(&simlock.Op{Verb: machine.Create, Key: key, Record: r})
	at := time.Unix(0, int64(r.Renew))
	c.spec = map[string]any{
		"holderIdentity": r.Holder, "leaseDurationSeconds": r.DurationSeconds, "acquireTime": at, "renewTime": at,
		"leaseTransitions": r.Transitions,
	}
}

// TestSecond: both readings ask for the same at the same times, and their servers have the same record, over random courses.
func TestSecond(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(6000) {
		runCourse(t, seed, seen)
	}
	for _, what := range []string{
		"get 200", "get 404", "post 201", "post 409", "patch 200", "patch 404", "failed get", "failed post", "failed patch",
		"deleted", "cancelled in flight", "cancelled asleep", "stepped down", "wall clock set", "returned", "edge",
	} {
		assert.Positive(t, seen[what], what)
	}
}

func runCourse(t *testing.T, seed uint64, seen map[string]int) {
	draw := rand.New(rand.NewPCG(seed, 1))
	cfg := machine.Config{
		Timings:  machine.Timings{LeaseDuration: time.Duration(1000+draw.IntN(20_000)) * ms, RetryPeriod: time.Duration(1+draw.IntN(8000)) * ms},
		Identity: "a", ReleaseOnCancel: draw.IntN(2) == 0, Profile: machine.Rust,
	}
	c := &course{
		t: t, draw: draw, m: New(cfg), seen: seen, walls: machine.Wall(1_700_000_000*s) + machine.Wall(draw.IntN(int(s))),
		second: &second{holder: "a", ttl: cfg.LeaseDuration, interval: cfg.RetryPeriod, release: cfg.ReleaseOnCancel},
		lock:   simlock.Single{Key: key},
	}
	c.step(machine.Input{Kind: machine.Started})
	defer c.second.stop()
	trouble, cancelAt := []int{0, 10, 40}[draw.IntN(3)], draw.IntN(150)
	for n := range 100 {
		if c.over {
			seen["returned"]++
			return
		}
		if draw.IntN(100) < 3 {
			seen["wall clock set"]++
			c.walls += machine.Wall(draw.IntN(int(40*s))) - machine.Wall(20*s)
		}
		if draw.IntN(100) < 10 {
			c.others()
		}
		switch {
		case n == cancelAt:
			seen[map[bool]string{true: "cancelled in flight", false: "cancelled asleep"}[c.request != nil]]++
			if c.m.IsLeader() && cfg.ReleaseOnCancel {
				seen["stepped down"]++
			}
			c.second.ending = true
			c.step(machine.Input{Kind: machine.Cancelled})
		case c.request != nil:
			c.at = c.at.Add(time.Duration(draw.IntN(int([]time.Duration{ms, 100 * ms, 9 * s}[draw.IntN(3)]))))
			c.toEdge()
			c.answer(trouble)
		default:
			c.at, c.second.asleep = max(c.at, c.wakeAt), false
			c.step(machine.Input{Kind: machine.Fired, Timer: machine.Retry})
		}
	}
}

// toEdge now and then moves the wall clock to the instant at which the lease runs out, or a nanosecond beside it.
func (c *course) toEdge() {
	if c.spec == nil || c.request.Verb != machine.Get || c.draw.IntN(5) > 0 {
		return
	}
	c.seen["edge"]++
	ends := c.spec["renewTime"].(time.Time).Add(time.Duration(c.spec["leaseDurationSeconds"].(int64)) * s)
	c.walls = machine.Wall(ends.UnixNano()) - machine.Wall(c.at) + machine.Wall(c.draw.IntN(3)-1)
}
