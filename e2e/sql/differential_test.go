package sql_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
	"interregnum/simlock"
)

// epoch is a time of the callers' clocks, which are virtual.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// twin is a candidate's lock on a row of a real database, and its simulation on a simulated row.
type twin struct {
	identity string
	real     *sqllock.Lock
	simlock  *simlock.Expiring
	ahead    time.Duration
}

// compared is how many random statements are compared on each database.
const compared = 4000

// TestSimulatedRow: whatever candidates ask, with clocks that disagree and jump, and whoever deletes the row, the
// simulated row answers as the real one does, and holds the same.
func TestSimulatedRow(t *testing.T) {
	for _, i := range []int{2, 3} { // SQLite in memory, PostgreSQL
		t.Run(kinds[i].name, func(t *testing.T) {
			w := newWorld(t, kinds[i])
			r := rand.New(rand.NewPCG(1, 2))
			var row simlock.RowStore
			var marks uint64
			now := epoch
			asked := now
			w.now = func() time.Time { return asked }
			require.NoError(t, w.lock("maker").CreateTable(t.Context()))
			fresh := func(identity string) *twin {
				return &twin{
					identity: identity, real: w.lock(identity),
					simlock: simlock.NewExpiring(simlock.Row, "row", identity, lasts, &marks),
				}
			}
			twins := []*twin{fresh("a"), fresh("b"), fresh("c"), fresh("a")}
			seen := map[string]int{}
			for step := range compared {
				now = now.Add([]time.Duration{0, time.Microsecond, time.Minute, lasts / 2, lasts}[r.IntN(5)])
				who := r.IntN(len(twins))
				switch r.IntN(40) {
				case 0:
					twins[who].ahead = []time.Duration{0, -time.Minute, lasts, 3 * lasts}[r.IntN(4)]
				case 1:
					twins[who] = fresh(twins[who].identity) // another process
				case 2:
					w.exec("DELETE FROM %s")
					row.Delete()
				}
				c := twins[who]
				asked = now.Add(c.ahead)
				verb := []machine.Verb{
					machine.Get, machine.Create, machine.Replace, machine.Replace, machine.Refresh, machine.Refresh, machine.Resign,
				}[r.IntN(7)]
				wantOutcome, want := c.ask(t.Context(), verb)
				gotOutcome, got := c.simulate(&row, verb, asked)
				require.Equal(t, wantOutcome, gotOutcome, "step %d: %v", step, verb)
				require.Equal(t, want, got, "step %d: %v", step, verb)
				seen[verb.String()+" "+[]string{"", "done", "absent", "refused", "failed"}[wantOutcome]]++
				require.Equal(t, w.holder(), row.Holder(), "step %d: %v", step, verb)
			}
			t.Log(seen)
			for _, all := range []string{"get done", "get absent", "get failed", "create done", "create refused", "replace done",
				"replace refused", "refresh done", "refresh refused", "release done", "release refused"} {
				require.Positive(t, seen[all], all)
			}
		})
	}
}

// ask is a statement on the real database.
func (c *twin) ask(ctx context.Context, verb machine.Verb) (machine.Outcome, ttl.Entry) {
	calls := map[machine.Verb]func(context.Context) (ttl.Entry, error){
		machine.Get: c.real.Get, machine.Create: c.real.Create, machine.Replace: c.real.Replace,
		machine.Refresh: c.real.Refresh, machine.Resign: released(c.real),
	}
	entry, err := calls[verb](ctx)
	switch {
	case err == nil:
		return machine.Done, entry
	case errors.Is(err, ttl.ErrAbsent):
		return machine.NotFound, entry
	case errors.Is(err, ttl.ErrTaken), errors.Is(err, ttl.ErrLost):
		return machine.Conflict, entry
	}
	return machine.Failed, entry
}

// simulate is the same statement on the simulated row.
func (c *twin) simulate(row *simlock.RowStore, verb machine.Verb, at time.Time) (machine.Outcome, ttl.Entry) {
	var op simlock.Op
	var r simlock.Result
	c.simlock.Prepare(verb, &machine.Record{Renew: machine.Wall(at.UnixNano())}, &op)
	row.Apply(0, &op, &r)
	outcome := c.simlock.Answered(verb, &r)
	if outcome != machine.Done || verb == machine.Resign {
		return outcome, ttl.Entry{}
	}
	return outcome, ttl.Entry{Holder: r.Record.Holder, Token: r.Version}
}

// holder is the identity in the row, expired or not, "" where that is nobody's.
func (w *world) holder() string {
	w.Helper()
	if len(w.rows()) == 0 {
		return ""
	}
	signature, _, _ := w.row()
	if signature == "" {
		return ""
	}
	return signature[:1]
}
