package behaviour

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestStandsAndNearest: the times that the requests of a recording stand for cover all of it, once.
func TestStandsAndNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	r := &Recording{All: []Recorded{{}}}
	for range 50 {
		r.All = append(r.All, Recorded{At: r.All[len(r.All)-1].At + time.Duration(1+random.IntN(1000))})
	}
	until, _ := r.Stands(0)
	first := until
	for i := range r.All {
		from, to := r.Stands(i)
		assert.InDelta(t, until, from, 1)
		assert.Less(t, from, to)
		for at := from + 1; at < to-1; at++ {
			assert.Equal(t, i, r.Nearest((at+r.Length())%r.Length()), at)
		}
		until = to
	}
	assert.InDelta(t, r.Length(), until-first, 1)
}

// TestAlike: stretches of slow answers of some seconds are alike for some seconds; independent answers are not alike.
func TestAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	recorded := func(stretch time.Duration) *Recording {
		r := &Recording{}
		until := time.Duration(-1)
		for at := time.Duration(0); at < 10*time.Hour; at += 500 * time.Millisecond {
			if random.IntN(5000) == 0 {
				until = at + stretch
			}
			x := Recorded{At: at, Took: time.Duration(random.ExpFloat64() * 1e7), Status: 200}
			if at <= until {
				x.Took += time.Second
			}
			r.All = append(r.All, x)
		}
		return r
	}
	lasts, neighbours := recorded(0).alike()
	assert.LessOrEqual(t, lasts, 2*time.Second)
	assert.InDelta(t, 0, neighbours, 0.05)
	lasts, _ = recorded(time.Minute).alike()
	assert.GreaterOrEqual(t, lasts, 32*time.Second)
	assert.LessOrEqual(t, lasts, 2*time.Minute)
}
