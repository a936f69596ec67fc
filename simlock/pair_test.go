package simlock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

func newPair(identity string) *Pair {
	return &Pair{
		Primary:   &Single{Object: Endpoints, Key: "endpoints", Forgets: ForgetsByRead},
		Secondary: &Single{Object: Lease, Key: "lease", Forgets: ForgetsByRead},
		Identity:  identity,
	}
}

// pairCall makes a call on a store. Before each request but the first, between is asked for a status to answer in place
// of the store's; 0 for none. It returns the outcome and the requests.
func pairCall(s *Store, p *Pair, verb machine.Verb, r machine.Record, between func(n int) int) (o machine.Outcome, asked string) {
	var op Op
	if !p.Prepare(verb, &r, &op) {
		p.Failed(verb)
		return machine.Failed, "-"
	}
	for n := 0; ; n++ {
		asked += op.Verb.String()[:1] + op.Object.String()[:1]
		result := Result{}
		if n > 0 && between != nil {
			result.Status = between(n)
		}
		if result.Status == 0 {
			result = s.Apply(&op)
		}
		if o := p.Answered(op.Verb, &result); o != 0 {
			return o, asked
		}
		asked += " "
		p.Next(&op)
	}
}

func (s *Store) put(t *testing.T, o Object, r machine.Record) {
	t.Helper()
	s.Delete(o.String())
	require.True(t, new(s.Apply(&Op{Verb: machine.Create, Object: o, Key: o.String(), Record: r})).OK())
}

func holderOf(p *Pair) string {
	r, _ := p.Found(nil)
	return r.Holder
}

// TestPairGet: the primary is read first. If the secondary is missing, the primary counts if another holds it; if the
// candidate itself holds it, the lock is missing. Two different holders make an unknown one.
func TestPairGet(t *testing.T) {
	for _, c := range []struct {
		primary, secondary string
		want               machine.Outcome
		holder, asked      string
	}{
		{"-", "b", machine.NotFound, "", "ge"},
		{"b", "-", machine.Done, "b", "ge gl"},
		{"a", "-", machine.NotFound, "", "ge gl"},
		{"", "-", machine.Done, "", "ge gl"},
		{"b", "b", machine.Done, "b", "ge gl"},
		{"b", "c", machine.Done, UnknownLeader, "ge gl"},
		{"", "b", machine.Done, UnknownLeader, "ge gl"},
		{"a", "a", machine.Done, "a", "ge gl"},
		{"", "", machine.Done, "", "ge gl"},
	} {
		var s Store
		if c.primary != "-" {
			s.put(t, Endpoints, heldBy(c.primary))
		}
		if c.secondary != "-" {
			s.put(t, Lease, heldBy(c.secondary))
		}
		p := newPair("a")
		got, asked := pairCall(&s, p, machine.Get, machine.Record{}, nil)
		assert.Equal(t, c.want, got, "%+v", c)
		assert.Equal(t, c.asked, asked)
		if got == machine.Done {
			assert.Equal(t, c.holder, holderOf(p), "%+v", c)
		}
		got, _ = pairCall(&s, p, machine.Get, machine.Record{}, func(int) int { return 500 })
		if c.primary != "-" {
			assert.Equal(t, machine.Failed, got, "the secondary does not answer")
		}
	}
}

// TestPairRaw: what is compared is both records in whole seconds, the unknown leader in the primary's.
func TestPairRaw(t *testing.T) {
	const second = machine.Wall(time.Second)
	var s Store
	p := newPair("a")
	raw := func() string {
		t.Helper()
		got, _ := pairCall(&s, p, machine.Get, machine.Record{}, nil)
		require.Equal(t, machine.Done, got)
		_, raw := p.Found(nil)
		return string(raw)
	}
	primary, secondary := heldBy("b"), heldBy("b")
	primary.Renew, secondary.Renew = 5*second, 5*second
	s.put(t, Endpoints, primary)
	seen := map[string]string{raw(): "primary alone"}
	note := func(what string, is string) {
		t.Helper()
		r := raw()
		assert.Equal(t, is, seen[r], what)
		seen[r] = what
	}
	s.put(t, Lease, secondary)
	note("both", "")
	secondary.Renew += 999_999_000
	s.put(t, Lease, secondary)
	note("within the second", "both")
	secondary.Renew = 6 * second
	s.put(t, Lease, secondary)
	note("a second later", "")
	secondary.Holder = "c"
	s.put(t, Lease, secondary)
	note("another holder", "")
	primary.Holder = "d"
	s.put(t, Endpoints, primary)
	note("yet another in the primary, which is as unknown", "another holder")
	primary.Transitions++
	s.put(t, Endpoints, primary)
	note("counted", "")
}

// TestPairWrites: which requests a create and an update are, and what each leaves where.
func TestPairWrites(t *testing.T) {
	var s Store
	p := newPair("a")
	got, asked := pairCall(&s, p, machine.Create, heldBy("a"), nil)
	assert.Equal(t, machine.Done, got)
	assert.Equal(t, "ce cl", asked)
	assert.Equal(t, s.version, p.Version(), "the token is that of the write that came last")

	got, asked = pairCall(&s, p, machine.Update, heldBy(""), nil)
	assert.Equal(t, machine.Done, got)
	assert.Equal(t, "ue gl ul", asked)
	assert.Empty(t, s.Holder("endpoints")+s.Holder("lease"))

	s.Delete("lease")
	got, asked = pairCall(&s, p, machine.Update, heldBy("a"), nil)
	assert.Equal(t, machine.Done, got)
	assert.Equal(t, "ue gl cl", asked, "a missing secondary is created")

	s.put(t, Lease, heldBy("c"))
	got, _ = pairCall(&s, p, machine.Update, heldBy("a"), nil)
	assert.Equal(t, machine.Done, got)
	assert.Equal(t, "a", s.Holder("lease"), "whoever had it: it is read anew and overwritten")

	s.put(t, Endpoints, heldBy("b"))
	got, asked = pairCall(&s, p, machine.Update, heldBy("a"), nil)
	assert.Equal(t, machine.Conflict, got)
	assert.Equal(t, "ue", asked)

	s.Delete("lease")
	got, asked = pairCall(&s, p, machine.Create, heldBy("a"), nil)
	assert.Equal(t, machine.Done, got, "a primary that is there already is no hindrance, though b holds it")
	assert.Equal(t, "ce cl", asked)
	assert.Equal(t, "b", s.Holder("endpoints"))
	_, asked = pairCall(&s, p, machine.Update, heldBy("a"), nil)
	assert.Equal(t, "-", asked, "but the primary lock is left without an object")
	got, _ = pairCall(&s, p, machine.Create, heldBy("a"), nil)
	assert.Equal(t, machine.Conflict, got, "a secondary is")
}

// TestPairHalves: what a call that ends between two of its requests leaves behind.
func TestPairHalves(t *testing.T) {
	failAt := func(request, status int) func(int) int {
		return func(n int) int {
			if n == request {
				return status
			}
			return 0
		}
	}
	for _, c := range []struct {
		at, status int
		asked      string
		want       machine.Outcome
	}{
		{1, 500, "ue gl", machine.Failed},
		{1, 409, "ue gl", machine.Failed},
		{2, 409, "ue gl ul", machine.Conflict},
		{2, 404, "ue gl ul", machine.NotFound},
	} {
		var s Store
		p := newPair("a")
		pairCall(&s, p, machine.Create, heldBy("b"), nil)
		got, asked := pairCall(&s, p, machine.Update, heldBy("a"), failAt(c.at, c.status))
		assert.Equal(t, c.want, got, "%+v", c)
		assert.Equal(t, c.asked, asked, "%+v", c)
		assert.Equal(t, "a", s.Holder("endpoints"))
		assert.Equal(t, "b", s.Holder("lease"))
		got, _ = pairCall(&s, p, machine.Get, machine.Record{}, nil)
		assert.Equal(t, machine.Done, got)
		assert.Equal(t, UnknownLeader, holderOf(p))
	}
	var s Store
	p := newPair("a")
	var op Op
	require.True(t, p.Prepare(machine.Update, new(heldBy("a")), &op) == false, "it has called nothing yet")
	pairCall(&s, p, machine.Create, heldBy("a"), nil)
	require.True(t, p.Prepare(machine.Update, new(heldBy("a")), &op))
	require.Zero(t, p.Answered(op.Verb, new(s.Apply(&op))))
	p.Next(&op)
	apart := p.Apart()
	p.Failed(op.Verb)
	assert.False(t, prepares(p.Secondary, machine.Update), "a read without an answer leaves no object")
	got, asked := pairCall(&s, p, machine.Update, heldBy("a"), nil)
	assert.Equal(t, machine.Done, got, asked)
	require.Zero(t, apart.Answered(op.Verb, new(s.Apply(&op))), "a call apart goes on where it was")
	apart.Next(&op)
	assert.Equal(t, machine.Update, op.Verb)
}
