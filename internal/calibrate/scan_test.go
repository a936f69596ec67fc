package calibrate

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
)

// asked is a request at that second of the client, about a lock of its name.
func asked(client, verb string, at float64) Request {
	r := Request{Verb: verb, Received: time.Unix(0, int64(at*1e9)), Status: 200, Client: client, Lock: client}
	r.Answered = r.Received.Add(5 * time.Millisecond)
	return r
}

// TestOfOne: an outage that was of one client alone is one of that client, and how often it comes for a lock counts those about
// which others asked, too. It is one of all if others' requests failed as well, or if others only read while writes failed, or
// asked for nothing.
func TestOfOne(t *testing.T) {
	for name, c := range map[string]struct {
		hit  func(r *Request) bool
		one  bool
		left func(r *Request) bool
	}{
		"its requests alone fail":       {hit: func(r *Request) bool { return r.Client == "a" }, one: true},
		"others' fail, too":             {hit: func(r *Request) bool { return true }},
		"writes fail, and others read":  {hit: func(r *Request) bool { return r.Verb == "update" }},
		"others ask for nothing then":   {hit: func(r *Request) bool { return r.Client == "a" }, left: func(r *Request) bool { return r.Client != "a" }},
		"a tenth of others' fail, too":  {hit: func(r *Request) bool { return r.Client == "a" || r.Received.UnixMilli()/500%10 == 0 }, one: true},
		"others had too few to tell so": {hit: func(r *Request) bool { return r.Client == "a" }, left: func(r *Request) bool { return r.Client != "a" && r.Received.Unix()%10 != 0 }},
	} {
		var all []Request
		for i := range 400 {
			for k, client := range []string{"a", "b", "c", "d"} {
				r := asked(client, map[bool]string{true: "update", false: "get"}[client == "a"], float64(2*i)+0.5*float64(k))
				in := i >= 200 && i < 215
				if in && c.left != nil && c.left(&r) {
					continue
				}
				if in && c.hit(&r) {
					r.Status = 429
				}
				all = append(all, r)
			}
		}
		if !strings.HasPrefix(name, "writes") {
			for i := range all {
				all[i].Verb = "get"
			}
		}
		found, _ := EpisodesOf(all)
		require.Len(t, found, 1, name)
		assert.Equal(t, c.one, found[0].One, name)
		assert.Equal(t, map[bool]string{true: "a"}[c.one], found[0].Client, name)
		assert.InDelta(t, 28, found[0].Until.Sub(found[0].From).Seconds(), 2, name)
		text, err := BehaviourOf(all)
		require.NoError(t, err)
		b, _, err := behaviour.Read("test.yaml", strings.NewReader(text))
		require.NoError(t, err, text)
		require.Len(t, b.Episodes, 1, text)
		assert.Equal(t, map[bool]behaviour.Whom{true: behaviour.One, false: behaviour.Everybody}[c.one], b.Episodes[0].On, name)
		assert.InDelta(t, map[bool]float64{true: 3200, false: 800}[c.one], b.Episodes[0].Every.Seconds(), 10, "one of four locks")
	}
}

// TestSlowWrites: in a short log, a few slow writes that follow each other are an episode, though reads between them are fast.
func TestSlowWrites(t *testing.T) {
	var all []Request
	for i := range 34 {
		w := asked("a", "update", float64(2*i))
		if i >= 12 && i < 16 {
			w.Answered = w.Received.Add(6 * time.Second)
		}
		all = append(all, w, asked("a", "get", float64(2*i)+0.5), asked("a", "get", float64(2*i)+1))
	}
	found, _ := EpisodesOf(all)
	require.Len(t, found, 1)
	assert.Equal(t, behaviour.Brownout, found[0].Kind)
	assert.Equal(t, int64(24), found[0].From.Unix())
	assert.Equal(t, 12*time.Second, found[0].Until.Sub(found[0].From))
}

// TestShortByChance: in short logs of several clients whose requests fail, and are slow, independently of each other, an
// episode is found seldom.
func TestShortByChance(t *testing.T) {
	found, runs := 0, few.Else(200, 2000)
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var all []Request
		for i := range 80 {
			q := asked([]string{"a", "b"}[r.IntN(2)], []string{"get", "update"}[r.IntN(2)], float64(i))
			if r.Float64() < 0.1 {
				q.Answered = q.Received.Add(time.Second)
			}
			all = append(all, q)
		}
		e, _ := EpisodesOf(all)
		found += min(1, len(e))
	}
	t.Logf("%d of %d", found, runs)
	assert.LessOrEqual(t, found, runs/50)
}
