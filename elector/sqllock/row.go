package sqllock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"interregnum/elector/ttl"
)

// query sends a statement whose answer has at most one row, and stores that row's columns in into. found is false if there is no
// row. signature is the value of the statement's parameter me. doing describes the statement in errors.
func (l *Lock) query(
	ctx context.Context, doing string, s statement, signature string, into ...any,
) (found bool, err error) {
	if found, err = l.send(ctx, s, signature, into); err != nil {
		return false, l.failed(doing, err)
	}
	return found, nil
}

// send sends a statement whose answer has at most one row, stores that row's columns in into, and tells whether there was a
// row. signature is the value of the statement's parameter me. It returns errors without wrapping them, and a misfit for a
// second row. It reads the answer to its end: the driver sometimes learns only there that a change was not committed.
func (l *Lock) send(ctx context.Context, s statement, signature string, into []any) (found bool, err error) {
	values, err := l.values(signature)
	if err != nil {
		return false, err
	}
	rows, err := l.db.QueryContext(ctx, s.text, s.arguments(values)...)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if found {
			return false, misfit(s.several + ": expected key to be the table's primary key")
		}
		if err := rows.Scan(into...); err != nil {
			return false, err
		}
		found = true
	}
	return found, rows.Err()
}

// row is the lock's row as it was found, with its columns of any type, and the clock's time, in microseconds since 1970.
type row struct {
	signature, updated, counter any
	now                         int64
}

// entry returns the entry in a row, or ttl.ErrAbsent if the row was released or has expired. lasts is how long the row lasts,
// for a row that does not say so itself. It returns another error for a row that is not valid, or whose time is farther ahead of
// the clock than the row lasts.
func (r *row) entry(lasts time.Duration) (ttl.Entry, error) {
	signature, isText := r.signature.(string)
	updated, isTime := r.updated.(int64)
	counter, isCounter := r.counter.(int64)
	var wrong []error
	if !isText {
		wrong = append(wrong, fmt.Errorf("signature is %s: expected text", show(r.signature)))
	}
	if !isTime {
		wrong = append(wrong, fmt.Errorf("updated_time is %s: expected an integer, microseconds since"+
			" 1970-01-01 UTC", show(r.updated)))
	}
	if !isCounter || counter < 1 || counter > maxCounter {
		wrong = append(wrong, fmt.Errorf("counter is %s: expected an integer from 1 to %d", show(r.counter),
			int64(maxCounter)))
	}
	if text := list(wrong); text != "" {
		return ttl.Entry{}, misfit(text + "; the row is not taken before it is corrected")
	}
	holder, own := readSignature(signature)
	if own > 0 {
		lasts = own
	}
	oldest := r.now - lasts.Microseconds()
	if signature == "" || updated < oldest {
		return ttl.Entry{}, ttl.ErrAbsent
	}
	if updated > r.now+lasts.Microseconds() {
		return ttl.Entry{}, misfit(fmt.Sprintf("updated_time is %d, %v ahead of the clock: expected at most its TTL, %v;"+
			" a clock is wrong, or was; the row is not taken before it expires by this one",
			updated, ahead(updated, r.now), lasts))
	}
	return ttl.Entry{Holder: holder, Token: uint64(counter)}, nil
}

// ahead returns the time from now to updated, both in microseconds. If that is too long for a duration, it returns the
// longest one in whole microseconds.
func ahead(updated, now int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Microsecond)
	return time.Duration(min(updated-now, most)) * time.Microsecond
}

// show returns a value from a row as text for an error, with its type.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case int64:
		return fmt.Sprint(v)
	case time.Time:
		return "a time with a time zone of its own, " + v.Format(time.RFC3339Nano)
	case string, []byte:
		return fmt.Sprintf("%T %.60q", v, v)
	}
	return fmt.Sprintf("%T %v", value, value)
}
