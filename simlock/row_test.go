package simlock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// rowWorld is a row, two candidates' locks on it and the database's clock.
type rowWorld struct {
	t    *testing.T
	row  RowStore
	now  machine.Wall
	a, b *Expiring
}

const rowEpoch = machine.Wall(1_000_000 * time.Second)

func newRowWorld(t *testing.T) *rowWorld {
	var marks uint64
	return &rowWorld{
		t: t, now: rowEpoch,
		a: NewExpiring(Row, "r", "a", lasts, &marks), b: NewExpiring(Row, "r", "b", lasts, &marks),
	}
}

// ask makes a statement that goes by the database's clock, or by a caller's clock that is that far ahead of it.
func (w *rowWorld) ask(l *Expiring, verb machine.Verb, ahead ...time.Duration) machine.Outcome {
	var record machine.Record
	for _, d := range ahead {
		record.Renew = w.now + machine.Wall(d)
	}
	var op Op
	var r Result
	l.Prepare(verb, &record, &op)
	w.row.Apply(w.now, &op, &r)
	return l.Answered(verb, &r)
}

func (w *rowWorld) pass(d time.Duration) { w.now += machine.Wall(d) }

func TestRow(t *testing.T) {
	w := newRowWorld(t)
	assert.Equal(t, machine.NotFound, w.ask(w.a, machine.Get))
	assert.Equal(t, machine.Conflict, w.ask(w.a, machine.Replace), "there is no row to replace")
	assert.Equal(t, machine.Done, w.ask(w.a, machine.Create))
	assert.EqualValues(t, rowEpoch/1000, w.a.Version(), "the counter begins with the time in microseconds")
	w.pass(lasts)
	assert.Equal(t, machine.Done, w.ask(w.b, machine.Get))
	assert.Equal(t, machine.Conflict, w.ask(w.b, machine.Replace), "a row of just that age has not expired")
	assert.Equal(t, machine.Done, w.ask(w.a, machine.Refresh))
	w.pass(lasts + time.Microsecond)
	assert.Equal(t, machine.Conflict, w.ask(w.a, machine.Refresh))
	assert.Equal(t, machine.NotFound, w.ask(w.b, machine.Get))
	assert.Equal(t, machine.Conflict, w.ask(w.b, machine.Create), "the row is there")
	assert.Equal(t, machine.Done, w.ask(w.b, machine.Replace))
	assert.EqualValues(t, rowEpoch/1000+1, w.b.Version())
	assert.Equal(t, machine.Conflict, w.ask(w.a, machine.Resign))
	assert.Equal(t, machine.Done, w.ask(w.b, machine.Resign))
	assert.Equal(t, machine.Done, w.ask(w.a, machine.Replace))
	assert.EqualValues(t, rowEpoch/1000+2, w.a.Version())
}

// TestOwnExpiredRow: a row that has expired is its maker's to release, and not to refresh.
func TestOwnExpiredRow(t *testing.T) {
	w := newRowWorld(t)
	w.ask(w.a, machine.Create)
	w.pass(2 * lasts)
	assert.Equal(t, machine.Done, w.ask(w.a, machine.Resign))
	assert.Empty(t, w.row.Holder())
}

// TestHoldersTTL: a row lasts as long as its holder has said, whatever the TTL of whoever looks at it.
func TestHoldersTTL(t *testing.T) {
	w := newRowWorld(t)
	var marks uint64 = 7
	short, long := NewExpiring(Row, "r", "c", lasts/3, &marks), NewExpiring(Row, "r", "d", 3*lasts, &marks)
	w.ask(w.a, machine.Create)
	w.pass(lasts)
	assert.Equal(t, machine.Conflict, w.ask(short, machine.Replace), "its own would have expired")
	assert.Equal(t, machine.Done, w.ask(short, machine.Get))
	w.pass(time.Microsecond)
	assert.Equal(t, machine.NotFound, w.ask(long, machine.Get), "its own would not have expired")
	assert.Equal(t, machine.Done, w.ask(long, machine.Replace))
	w.pass(2 * lasts)
	assert.Equal(t, machine.Conflict, w.ask(w.a, machine.Replace))
	assert.Equal(t, machine.Done, w.ask(long, machine.Refresh))
}

// TestCallersClock: the statement's now decides, not the database's (H12).
func TestCallersClock(t *testing.T) {
	w := newRowWorld(t)
	w.ask(w.a, machine.Create, 0)
	assert.Equal(t, machine.Conflict, w.ask(w.b, machine.Replace, lasts))
	assert.Equal(t, machine.Done, w.ask(w.b, machine.Replace, lasts+time.Microsecond))
	assert.Equal(t, machine.Failed, w.ask(w.a, machine.Get, 0), "its time is more than TTL ahead")
	assert.Equal(t, machine.Done, w.ask(w.b, machine.Refresh, lasts+time.Second))
	assert.Equal(t, machine.Conflict, w.ask(w.b, machine.Refresh, lasts), "a clock that went back")
	assert.Equal(t, machine.Failed, w.ask(w.b, machine.Refresh, -time.Duration(rowEpoch)-time.Hour), "before 1970")
}

// TestWholeSeconds: a column that cuts a time off makes a row look up to a second older. At any instant of one clock a
// row is either its holder's to refresh or anybody's to replace: for that second it is not its holder's any more.
func TestWholeSeconds(t *testing.T) {
	for _, c := range []struct {
		precision, made time.Duration
		early           time.Duration
	}{
		{0, 999 * time.Millisecond, 0},
		{time.Millisecond, 999 * time.Millisecond, 0},
		{time.Second, 0, 0},
		{time.Second, 999 * time.Millisecond, 999 * time.Millisecond},
	} {
		w := newRowWorld(t)
		w.row.Precision = c.precision
		w.pass(c.made)
		w.ask(w.a, machine.Create)
		w.pass(lasts - c.early)
		assert.Equal(t, machine.Conflict, w.ask(w.b, machine.Replace), c)
		w.pass(time.Microsecond)
		assert.Equal(t, machine.Conflict, w.ask(w.a, machine.Refresh), c)
		assert.Equal(t, machine.Done, w.ask(w.b, machine.Replace), c)
	}
}
