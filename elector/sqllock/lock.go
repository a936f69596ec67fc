package sqllock

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"interregnum/elector/ttl"
)

// Lock is one candidate's access to one row.
//
// Its errors say what it was about to do, to which row, and what the driver said; errors.Is and errors.As find the
// driver's error. Their text has no password: where the driver's may hold one it is left out.
type Lock struct {
	db         *sql.DB
	config     Config
	statements statements
	// signature is in each row that this Lock makes until it disowns them.
	signature string
	// token is the counter of the own row, 0 where no answer has told it.
	token int64
	// seen is how long the row lasts that was seen last, 0 if it did not say so.
	seen time.Duration
}

var _ ttl.Lock = (*Lock)(nil)

// disown gives the Lock a new signature, so that a row it made before counts as another's.
func (l *Lock) disown() { l.signature, l.token = newSignature(l.config.Identity, l.config.TTL), 0 }

// Schema returns the SQL statement that CreateTable executes, for people who make tables by hand.
func (l *Lock) Schema() string { return l.statements.schema }

// CreateTable makes the table if there is none. A table of that name is left as it is, even if it has other columns. If the
// statement fails it is sent once more, unless ctx has ended. If PostgreSQL answers that the table is there, which IF NOT EXISTS
// does not rule out while another makes it, it is sent up to four times more, within two seconds.
func (l *Lock) CreateTable(ctx context.Context) error {
	_, err := l.db.ExecContext(ctx, l.statements.schema)
	for i, pause := range pauses {
		if err == nil || i > 0 && !isThere(err) || !sleep(ctx, pause) {
			break
		}
		_, err = l.db.ExecContext(ctx, l.statements.schema)
	}
	if err != nil {
		return l.failed("create the table", err)
	}
	return nil
}

// pauses are those of CreateTable before it sends its statement again. What another has made is for a moment there for some
// of PostgreSQL's catalogs and not for others.
var pauses = []time.Duration{0, 10 * time.Millisecond, 100 * time.Millisecond, time.Second}

// sleep waits for d, or until ctx has ended. It returns whether ctx has not.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() == nil
}

// Get implements ttl.Lock. It returns an error for a row that this package could not have written, and for one whose time is
// farther ahead of the clock than the row lasts: the row or the clock is wrong. It remembers how long the row lasts, for
// Reserve.
func (l *Lock) Get(ctx context.Context) (ttl.Entry, error) {
	const doing = "check the row"
	var r row
	found, err := l.query(ctx, doing, l.statements.check, "", &r.signature, &r.updated, &r.counter, &r.now)
	if err != nil {
		return ttl.Entry{}, err
	}
	if !found {
		return ttl.Entry{}, ttl.ErrAbsent
	}
	if signature, ok := r.signature.(string); ok && signature != "" {
		_, l.seen = readSignature(signature)
	}
	entry, err := r.entry(l.config.TTL)
	if err != nil && err != ttl.ErrAbsent {
		return ttl.Entry{}, l.failed(doing, err)
	}
	return entry, err
}

// Create implements ttl.Lock: it inserts the row where there is none, and returns its entry. If there is a row, expired or not,
// it returns ttl.ErrTaken. First it forgets the token of the row before.
func (l *Lock) Create(ctx context.Context) (ttl.Entry, error) {
	l.token = 0
	return l.change(ctx, "insert the row", l.statements.insert, ttl.ErrTaken)
}

// reserved is the holder in a row of Reserve.
const reserved = "(nobody: the row is new)"

// Reserve inserts the row, if there is none, in nobody's name, so that no candidate can take it for a while: for a TTL, or for
// as long as the row that this Lock saw last said that it lasts, if that is longer. It is for a row that somebody has deleted,
// perhaps under a leader. A row that is there is left as it is.
func (l *Lock) Reserve(ctx context.Context) error {
	var counter int64
	_, err := l.query(ctx, "insert a row that nobody holds", l.statements.insert, newSignature(reserved, max(l.config.TTL, l.seen)), &counter)
	return err
}

// Advance raises the row's counter to the clock's time, in microseconds since 1970, so that the tokens of later leaders begin
// there; a counter that is higher already grows by one. It is for a table that was restored from a copy: others perhaps were
// given higher tokens since that copy was made. A holder of the row loses it. If there is no row it does nothing.
func (l *Lock) Advance(ctx context.Context) error {
	var counter int64
	_, err := l.query(ctx, "advance the counter", l.statements.advance, "", &counter)
	return err
}

// Replace implements ttl.Lock: it takes a row that has expired or was released, adds one to its counter, and returns its entry.
// If there is no such row it returns ttl.ErrTaken. First it forgets the token of the row before.
func (l *Lock) Replace(ctx context.Context) (ttl.Entry, error) {
	l.token = 0
	return l.change(ctx, "take the row if it has expired", l.statements.replace, ttl.ErrTaken)
}

// Refresh implements ttl.Lock: it sets the time of the own row, if that has not expired, and returns its entry; otherwise it
// returns ttl.ErrLost. By the caller's clock it also returns ttl.ErrLost when that clock has gone back behind the row's time.
func (l *Lock) Refresh(ctx context.Context) (ttl.Entry, error) {
	return l.change(ctx, "refresh the row", l.statements.refresh, ttl.ErrLost)
}

// Release implements ttl.Lock: it empties the signature of the own row, or returns ttl.ErrLost if there is none. The row stays,
// and its counter. Whatever the result, no row made before is the Lock's own from then on.
func (l *Lock) Release(ctx context.Context) error {
	signature, counter := l.signature, int64(0)
	l.disown()
	changed, err := l.query(ctx, "release the row", l.statements.release, signature, &counter)
	if err == nil && !changed {
		err = ttl.ErrLost
	}
	return err
}

// Watch implements ttl.Lock: an SQL row cannot be watched.
func (l *Lock) Watch(context.Context) (<-chan struct{}, error) { return nil, ttl.ErrNoWatch }

// Identity implements ttl.Lock: it returns Config.Identity.
func (l *Lock) Identity() string { return l.config.Identity }

// TTL implements ttl.Lock: it returns Config.TTL.
func (l *Lock) TTL() time.Duration { return l.config.TTL }

// Describe implements ttl.Lock: it returns, as text, the row's key, its table, the kind of database, and whose clock decides.
func (l *Lock) Describe() string {
	clock := "the database's clock"
	if l.config.Now != nil {
		clock = "this host's clock"
	}
	return fmt.Sprintf("%s, by %s", l.where(), clock)
}

// where describes the lock for people: its key, its table and the kind of database.
func (l *Lock) where() string {
	return fmt.Sprintf("key %q of table %q in %v", l.config.Key, l.config.Table, l.config.Dialect)
}

// change runs a statement that takes or keeps the row, stores the row's counter in l.token, and returns the entry. If the
// statement changes nothing, change returns the error otherwise. doing describes the statement in other errors.
func (l *Lock) change(
	ctx context.Context, doing string, s statement, otherwise error,
) (ttl.Entry, error) {
	var token int64
	changed, err := l.query(ctx, doing, s, l.signature, &token)
	switch {
	case err != nil:
		return ttl.Entry{}, err
	case !changed:
		return ttl.Entry{}, otherwise
	}
	l.token = token
	return ttl.Entry{Holder: l.config.Identity, Token: uint64(token)}, nil
}

// values returns the present values of the statements' parameters, by name. signature is the value of me. least and most bound
// the counter of a refreshed row: both are l.token, or 1 and the greatest number if that is 0. now is there only with
// Config.Now. It returns an error if Config.Now says a time that is not after the beginning of 1970.
func (l *Lock) values(signature string) (map[string]any, error) {
	v := map[string]any{
		"key": l.config.Key, "me": signature, "least": int64(1), "most": int64(math.MaxInt64),
	}
	if l.token != 0 {
		v["least"], v["most"] = l.token, l.token
	}
	if l.config.Now != nil {
		now := l.config.Now()
		if now.UnixMicro() < 1 {
			return nil, misfit(fmt.Sprintf("Config.Now says %v: expected a time after 1970", now))
		}
		v["now"] = now.UnixMicro()
	}
	return v, nil
}

// arguments returns the values of a statement's parameters in their order.
func (s statement) arguments(values map[string]any) []any {
	args := make([]any, len(s.params))
	for i, name := range s.params {
		args[i] = values[name]
	}
	return args
}
