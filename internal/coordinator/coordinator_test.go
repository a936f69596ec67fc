package coordinator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

const now = machine.Wall(1_000_000 * time.Second)

func at(d time.Duration) machine.Wall { return now + machine.Wall(d) }

// named returns a candidate of version 1.36 that was created, and has answered, a moment ago.
func named(name string, change func(*Candidate)) Candidate {
	c := Candidate{
		Name: name, Emulation: Version{1, 36}, Binary: Version{1, 36}, Strategy: OldestEmulationVersion,
		Created: at(-time.Minute), Ping: machine.NoTime, Renew: at(-time.Second),
	}
	if change != nil {
		change(&c)
	}
	return c
}

func lease(holder string, renewed time.Duration) *machine.Record {
	return &machine.Record{Holder: holder, DurationSeconds: 15, Renew: at(renewed)}
}

func TestStep(t *testing.T) {
	old := func(c *Candidate) { c.Emulation = Version{1, 35} }
	silent := func(asked time.Duration) func(*Candidate) {
		return func(c *Candidate) { c.Ping, c.Renew = at(asked), at(asked-time.Minute) }
	}
	stale := func(c *Candidate) { c.Renew = at(-time.Minute) }
	for name, c := range map[string]struct {
		lease      *machine.Record
		candidates []Candidate
		verdict    Verdict
		pings      []int
		holder     string
	}{
		"no candidates":               {verdict: Idle},
		"only an expired one":         {candidates: []Candidate{named("a", func(c *Candidate) { c.Renew = at(-31 * time.Minute) })}, verdict: Idle},
		"the best one leads":          {lease: lease("a", -time.Second), candidates: []Candidate{named("a", nil)}, verdict: Again},
		"no lease":                    {candidates: []Candidate{named("a", nil)}, verdict: Elect, holder: "a"},
		"nobody holds it":             {lease: lease("", -time.Second), candidates: []Candidate{named("a", nil)}, verdict: Elect, holder: "a"},
		"it has just not run out":     {lease: lease("b", -15*time.Second), candidates: []Candidate{named("b", nil)}, verdict: Again},
		"it has run out":              {lease: lease("b", -15*time.Second-1), candidates: []Candidate{named("b", nil)}, verdict: Elect, holder: "b"},
		"an older version arrives":    {lease: lease("a", 0), candidates: []Candidate{named("a", nil), named("b", old)}, verdict: Elect, holder: "b"},
		"somebody is to be asked":     {candidates: []Candidate{named("a", nil), named("b", stale)}, verdict: Ping, pings: []int{1}},
		"asked a moment ago":          {candidates: []Candidate{named("a", nil), named("b", silent(-5*time.Second+1))}, verdict: Again},
		"asked, and silent":           {candidates: []Candidate{named("a", nil), named("b", silent(-5*time.Second))}, verdict: Elect, holder: "a"},
		"answered at the ping's time": {candidates: []Candidate{named("a", func(c *Candidate) { c.Ping = c.Renew })}, verdict: Elect, holder: "a"},
		"all silent":                  {candidates: []Candidate{named("b", silent(-6*time.Second))}, verdict: Idle},
		"asked again once answered":   {candidates: []Candidate{named("b", func(c *Candidate) { c.Ping, c.Renew = at(-8*time.Second), at(-7*time.Second) })}, verdict: Ping, pings: []int{0}},
		"every quarter of an hour":    {lease: lease("a", 0), candidates: []Candidate{named("a", func(c *Candidate) { c.Renew = at(-15*time.Minute - 1) })}, verdict: Ping, pings: []int{0}},
		"strategies differ":           {lease: lease("a", 0), candidates: []Candidate{named("a", nil), named("b", func(c *Candidate) { c.Strategy = "x/y" })}, verdict: Again},
		"strategies differ, no lease": {candidates: []Candidate{named("a", nil), named("b", func(c *Candidate) { c.Strategy = "x/y" })}, verdict: Idle},
		"somebody else's strategy":    {candidates: []Candidate{named("a", func(c *Candidate) { c.Strategy = "x/y" })}, verdict: Elect},
	} {
		t.Run(name, func(t *testing.T) {
			d := Step(c.lease, c.candidates, now)
			assert.Equal(t, c.verdict, d.Verdict)
			assert.Equal(t, c.pings, d.Pings)
			assert.Equal(t, c.holder, d.Lease.Holder)
		})
	}
}

// TestBest: the older emulation, then the older binary, then who was there first.
func TestBest(t *testing.T) {
	all := []Candidate{
		named("late", func(c *Candidate) { c.Created = now }),
		named("old binary", func(c *Candidate) { c.Binary = Version{1, 35} }),
		named("old emulation", func(c *Candidate) { c.Emulation = Version{1, 9} }),
		named("first", nil),
	}
	for _, want := range []string{"old emulation", "old binary", "first", "late"} {
		b := best(all)
		require.Equal(t, want, b.Name)
		*b = named("", func(c *Candidate) { c.Emulation = Version{2} })
	}
	twins := []Candidate{named("a", nil), named("b", nil)}
	assert.Equal(t, "a", best(twins).Name)
	twins[0], twins[1] = twins[1], twins[0]
	assert.Equal(t, "b", best(twins).Name, "the order of the list decides within a second")
}

func TestAmend(t *testing.T) {
	elected := &machine.Record{Holder: "b", Coordination: &machine.Coordination{Strategy: OldestEmulationVersion}}
	with := func(r *machine.Record, c machine.Coordination) *machine.Record {
		r.Coordination = &c
		return r
	}
	same := machine.Coordination{Strategy: OldestEmulationVersion}
	ended := machine.Coordination{Strategy: OldestEmulationVersion, PreferredHolder: "b"}

	out, changed := Amend(lease("b", 0), elected, now)
	assert.True(t, changed, "a strategy that is missing")
	assert.Equal(t, &same, out.Coordination)

	_, changed = Amend(with(lease("b", -time.Hour), same), elected, now)
	assert.False(t, changed, "nothing is done for one that is elected again, however old its lease")

	out, changed = Amend(with(lease("a", 0), same), elected, now)
	assert.True(t, changed)
	assert.Equal(t, "a", out.Holder)
	assert.Equal(t, &ended, out.Coordination, "the term ends")

	for _, gone := range []*machine.Record{lease("a", -16*time.Second), lease("", 0)} {
		out, changed = Amend(with(gone, ended), elected, now)
		assert.True(t, changed)
		assert.Equal(t, machine.Record{
			Holder: "b", DurationSeconds: LeaseSeconds, Renew: now, Acquire: machine.NoTime, Coordination: &same,
		}, out)
	}
}

func TestParseVersion(t *testing.T) {
	v, err := ParseVersion("1.36.2")
	require.NoError(t, err)
	assert.Equal(t, Version{1, 36, 2}, v)
	older, err := ParseVersion("1.9")
	require.NoError(t, err)
	assert.Negative(t, older.Compare(v), "as numbers, not as text")
	for _, bad := range []string{"", "1", "v1.36", "1.36.0.0", "1.-1", "1.036", "1.36-alpha"} {
		_, err := ParseVersion(bad)
		assert.Error(t, err, bad)
	}
}
