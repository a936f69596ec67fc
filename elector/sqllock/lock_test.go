package sqllock

import (
	"context"
	"database/sql/driver"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/ttl"
)

var good = Config{Dialect: PostgreSQL, Table: "app.locks", Key: "leader", Identity: "a", TTL: 15 * time.Second}

func TestStatements(t *testing.T) {
	caller := good
	caller.Dialect = SQLite
	caller.Now = func() time.Time { return time.UnixMicro(7_000_000) }
	for _, c := range []struct {
		name   string
		config Config
		want   []string
	}{
		{"PostgreSQL, its clock", good, []string{
			`SELECT signature, updated_time, counter, NOW FROM "app"."locks" WHERE key = CAST($1 AS text)`,
			`INSERT INTO "app"."locks" (key, signature, updated_time, counter) ` +
				`VALUES (CAST($1 AS text), CAST($2 AS text), NOW, NOW) ON CONFLICT (key) DO NOTHING RETURNING counter`,
			`UPDATE "app"."locks" SET signature = CAST($1 AS text), updated_time = NOW, counter = counter + 1 ` +
				`WHERE key = CAST($2 AS text) AND WHOLE AND (signature = '' OR updated_time < NOW - LASTS) ` +
				`RETURNING counter`,
			`UPDATE "app"."locks" SET updated_time = NOW WHERE key = CAST($1 AS text) ` +
				`AND signature = CAST($2 AS text) AND counter BETWEEN CAST($3 AS bigint) AND CAST($4 AS bigint) ` +
				`AND WHOLE AND updated_time >= NOW - 15000000 RETURNING counter`,
			`UPDATE "app"."locks" SET signature = '' WHERE key = CAST($1 AS text) ` +
				`AND signature = CAST($2 AS text) RETURNING counter`,
		}},
		{"SQLite, the caller's clock", caller, []string{
			`SELECT signature, updated_time, counter, CAST(?1 AS bigint) FROM "app"."locks" WHERE key = CAST(?2 AS text)`,
			`INSERT INTO "app"."locks" (key, signature, updated_time, counter) ` +
				`VALUES (CAST(?1 AS text), CAST(?2 AS text), CAST(?3 AS bigint), CAST(?3 AS bigint)) ` +
				`ON CONFLICT (key) DO NOTHING RETURNING counter`,
			`UPDATE "app"."locks" SET signature = CAST(?1 AS text), updated_time = CAST(?2 AS bigint), ` +
				`counter = counter + 1 WHERE key = CAST(?3 AS text) AND WHOLE ` +
				`AND (signature = '' OR updated_time < CAST(?2 AS bigint) - LASTS) RETURNING counter`,
			`UPDATE "app"."locks" SET updated_time = CAST(?1 AS bigint) WHERE key = CAST(?2 AS text) ` +
				`AND signature = CAST(?3 AS text) AND counter BETWEEN CAST(?4 AS bigint) AND CAST(?5 AS bigint) ` +
				`AND WHOLE AND updated_time >= CAST(?1 AS bigint) - 15000000 ` +
				`AND updated_time <= CAST(?1 AS bigint) RETURNING counter`,
			`UPDATE "app"."locks" SET signature = '' WHERE key = CAST(?1 AS text) ` +
				`AND signature = CAST(?2 AS text) RETURNING counter`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{}
			l := lockOn(t, f, c.config)
			d := dialects[c.config.Dialect]
			short := strings.NewReplacer(d.now, "NOW", "RETURNING "+d.count, "RETURNING counter", "CASE WHEN "+d.says+" THEN "+d.said+" * 1000 ELSE 15000000 END", "LASTS",
				d.whole+" AND counter BETWEEN 1 AND 9223372036854775806", "WHOLE")
			var got []string
			for _, call := range calls(l) {
				_, _ = call(t.Context())
				got = append(got, short.Replace(f.text))
				if c.config.Now != nil && strings.Contains(f.text, "bigint") {
					require.Contains(t, f.args, driver.Value(int64(7_000_000)))
				}
			}
			require.Equal(t, c.want, got)
		})
	}
}

// calls is the five, in the order of their statements.
func calls(l *Lock) []func(context.Context) (ttl.Entry, error) {
	return []func(context.Context) (ttl.Entry, error){
		l.Get, l.Create, l.Replace, l.Refresh,
		func(ctx context.Context) (ttl.Entry, error) { return ttl.Entry{}, l.Release(ctx) },
	}
}

// TestReserveLasts: a row that nobody holds lasts as long as the one that was seen last, where that is longer than the own TTL.
func TestReserveLasts(t *testing.T) {
	for seen, want := range map[time.Duration]time.Duration{time.Second: 15 * time.Second, time.Minute: time.Minute} {
		f := &fake{rows: [][]driver.Value{{newSignature("other", seen), int64(1), int64(1), int64(2)}}}
		l := lockOn(t, f, good)
		_, err := l.Get(t.Context())
		require.NoError(t, err)
		_ = l.Reserve(t.Context())
		var signatures []string
		for _, arg := range f.args {
			if text, ok := arg.(string); ok && strings.HasPrefix(text, reserved) {
				signatures = append(signatures, text)
			}
		}
		require.Len(t, signatures, 1)
		_, lasts := readSignature(signatures[0])
		require.Equal(t, want, lasts)
	}
}

// Whatever goes wrong with the database is an error of its own, never one of a lock's answers.
func TestErrors(t *testing.T) {
	cause := errors.New("the\n\tcause")
	for name, f := range map[string]*fake{
		"call":  {err: cause},
		"end":   {endErr: cause},
		"close": {closeErr: cause},
		"late":  {rows: [][]driver.Value{{"a", int64(1), int64(1), int64(2)}}, endErr: cause},
		"after": {rows: [][]driver.Value{{int64(1)}}, endErr: cause},
	} {
		t.Run(name, func(t *testing.T) {
			l := lockOn(t, f, good)
			for i, call := range calls(l) {
				if name == "late" && i > 0 || name == "after" && i == 0 {
					continue // these rows are of the other sort
				}
				_, err := call(t.Context())
				require.ErrorIs(t, err, cause)
				require.ErrorContains(t, err, `, key "leader" of table "app.locks" in PostgreSQL: the cause`)
				for _, answer := range []error{ttl.ErrAbsent, ttl.ErrTaken, ttl.ErrLost} {
					require.NotErrorIs(t, err, answer)
				}
			}
		})
	}
	l := lockOn(t, &fake{err: cause}, good)
	require.ErrorContains(t, l.CreateTable(t.Context()), `cannot create the table, key "leader" of table "app.locks"`)
}

// state is an error of a driver for PostgreSQL.
type state string

func (s state) Error() string    { return "state " + string(s) }
func (s state) SQLState() string { return string(s) }

// TestTableIsThere: who makes a table while another does may be told more than once that it is there.
func TestTableIsThere(t *testing.T) {
	for _, c := range []struct {
		err          error
		fails, calls int
		ok           bool
	}{
		{state("42710"), 2, 3, true},
		{state("42P07"), 4, 5, true},
		{state("23505"), 5, 5, false},
		{state("40001"), 1, 2, true},
		{state("42501"), 2, 2, false},
		{errors.New("the cause"), 2, 2, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{err: c.err, fails: c.fails}
			err := lockOn(t, f, good).CreateTable(t.Context())
			require.Equal(t, c.ok, err == nil, "%v", err)
			require.Equal(t, c.calls, f.calls)
		})
	}
}

func TestAnswers(t *testing.T) {
	f := &fake{}
	l := lockOn(t, f, good)
	for i, want := range []error{ttl.ErrAbsent, ttl.ErrTaken, ttl.ErrTaken, ttl.ErrLost, ttl.ErrLost} {
		_, err := calls(l)[i](t.Context())
		require.Equal(t, want, err)
	}
	f.rows = [][]driver.Value{{int64(7)}}
	for _, call := range calls(l)[1:4] {
		entry, err := call(t.Context())
		require.NoError(t, err)
		require.Equal(t, ttl.Entry{Holder: "a", Token: 7}, entry)
	}
	f.rows = [][]driver.Value{{int64(7)}, {int64(8)}}
	_, err := l.Refresh(t.Context())
	require.ErrorContains(t, err, "more than one row was changed")
}

// What a refresh and a release call their own.
func TestOwn(t *testing.T) {
	f := &fake{}
	l := lockOn(t, f, good)
	refreshed := func() (signature any, least, most int64) {
		_, _ = l.Refresh(t.Context())
		require.Len(t, f.args, 4)
		return f.args[1], f.args[2].(int64), f.args[3].(int64)
	}
	f.err = context.DeadlineExceeded
	_, err := l.Create(t.Context())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	signature, least, most := refreshed() // any that has the signature: the answer did not come
	require.Equal(t, []int64{1, math.MaxInt64}, []int64{least, most})
	f.err, f.rows = nil, [][]driver.Value{{int64(9)}}
	_, err = l.Replace(t.Context())
	require.NoError(t, err)
	same, least, most := refreshed()
	require.Equal(t, []any{signature, int64(9), int64(9)}, []any{same, least, most})
	for _, again := range calls(l)[1:3] { // what was known is over, and what may have been made now is not known
		f.err = nil
		_, err = l.Refresh(t.Context())
		require.NoError(t, err)
		f.err = context.DeadlineExceeded
		_, err = again(t.Context())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		same, least, most = refreshed()
		require.Equal(t, []any{signature, int64(1), int64(math.MaxInt64)}, []any{same, least, most})
	}
	require.Error(t, l.Release(t.Context()))
	require.Equal(t, signature, f.args[1])
	other, least, most := refreshed()
	require.NotEqual(t, signature, other)
	require.Equal(t, []int64{1, math.MaxInt64}, []int64{least, most})
}

func TestRows(t *testing.T) {
	const now, lasts = int64(1_795_270_583_123_456), int64(15_000_000)
	mine, long, short := newSignature("a b", 15*time.Second), newSignature("a b", time.Hour), newSignature("a b", time.Second)
	old := "a b#ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	zoned := time.Unix(0, 0).In(time.FixedZone("", 19800))
	held, none := ttl.Entry{Holder: "a b", Token: 3}, ttl.Entry{}
	row := func(signature, updated, counter any) []driver.Value {
		return []driver.Value{signature, updated, counter, now}
	}
	for name, c := range map[string]struct {
		row  []driver.Value
		want ttl.Entry
		err  string
	}{
		"fresh":            {row(mine, now, int64(3)), held, ""},
		"no mark":          {row("a#b", now, int64(3)), ttl.Entry{Holder: "a#b", Token: 3}, ""},
		"at its end":       {row(mine, now-lasts, int64(3)), held, ""},
		"expired":          {row(mine, now-lasts-1, int64(3)), none, "no unexpired entry"},
		"it lasts longer":  {row(long, now-3_600_000_000, int64(3)), held, ""},
		"longer, expired":  {row(long, now-3_600_000_001, int64(3)), none, "no unexpired entry"},
		"shorter":          {row(short, now-1_000_000, int64(3)), held, ""},
		"shorter, expired": {row(short, now-1_000_001, int64(3)), none, "no unexpired entry"},
		"shorter, ahead":   {row(short, now+1_000_001, int64(3)), none, "expected at most its TTL, 1s"},
		"older version's":  {row(old, now-lasts, int64(3)), held, ""},
		"older, expired":   {row(old, now-lasts-1, int64(3)), none, "no unexpired entry"},
		"released":         {row("", now, int64(3)), none, "no unexpired entry"},
		"a little ahead":   {row(mine, now+lasts, int64(3)), held, ""},
		"ahead":            {row(mine, now+lasts+1, int64(3)), none, "15.000001s ahead of the clock"},
		"far ahead":        {row(mine, int64(math.MaxInt64), int64(3)), none, "ahead of the clock"},
		"long ago":         {row(mine, int64(math.MinInt64), int64(3)), none, "no unexpired entry"},
		"NULL":             {row(nil, nil, nil), none, "signature is NULL: expected text; updated_time is NULL"},
		"NULL clock":       {[]driver.Value{mine, now, int64(3), nil}, none, "NULL"},
		"text":             {row(mine, "yesterday", int64(3)), none, `updated_time is string "yesterday"`},
		"fraction":         {row(mine, 1.5, int64(3)), none, "updated_time is float64 1.5"},
		"a time":           {row(mine, zoned, int64(3)), none, "1970-01-01T05:30:00+05:30"},
		"counter 0":        {row(mine, now, int64(0)), none, "counter is 0"},
		"looks like a URL": {row([]byte("x://y:z@"), now, int64(1)), none, `signature is []uint8 "x://y:z@"`},
	} {
		t.Run(name, func(t *testing.T) {
			l := lockOn(t, &fake{rows: [][]driver.Value{c.row}}, good)
			got, err := l.Get(t.Context())
			require.Equal(t, c.want, got)
			if c.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.err)
			require.Equal(t, c.err == "no unexpired entry", errors.Is(err, ttl.ErrAbsent))
		})
	}
	two := [][]driver.Value{row(mine, now, int64(3)), row(mine, now, int64(3))}
	_, err := lockOn(t, &fake{rows: two}, good).Get(t.Context())
	require.ErrorContains(t, err, "more than one such row")
}

func TestDescribe(t *testing.T) {
	l := lockOn(t, &fake{}, good)
	require.Equal(t, `key "leader" of table "app.locks" in PostgreSQL, by the database's clock`, l.Describe())
	require.Equal(t, "a", l.Identity())
	require.Equal(t, 15*time.Second, l.TTL())
	_, err := l.Watch(t.Context())
	require.Equal(t, ttl.ErrNoWatch, err)
	caller := good
	caller.Now = time.Now
	require.Contains(t, lockOn(t, &fake{}, caller).Describe(), "by this host's clock")
}
