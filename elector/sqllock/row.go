package sqllock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"interregnum/elector/ttl"
)

// run sends a statement that changes at most one row, and returns that row's counter; changed is false where none was.
// It reads the answer to its end: the driver may learn only there that the change was not committed.
func (l *Lock) run(ctx context.Context, s statement, values map[string]any) (counter int64, changed bool, err error) {
	rows, err := l.db.QueryContext(ctx, s.text, s.arguments(values)...)
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if changed {
			return 0, false, misfit("more than one row was changed: expected key to be the table's primary key")
		}
		if err := rows.Scan(&counter); err != nil {
			return 0, false, err
		}
		changed = true
	}
	return counter, changed, rows.Err()
}

// row is a row as it was found, and the clock's time, in microseconds.
type row struct {
	signature, updated, counter any
	now                         int64
}

// read returns the row of the lock's key, nil where there is none.
func (l *Lock) read(ctx context.Context, values map[string]any) (found *row, err error) {
	s := l.statements.check
	rows, err := l.db.QueryContext(ctx, s.text, s.arguments(values)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if found != nil {
			return nil, misfit("there is more than one such row: expected key to be the table's primary key")
		}
		found = &row{}
		if err := rows.Scan(&found.signature, &found.updated, &found.counter, &found.now); err != nil {
			return nil, err
		}
	}
	return found, rows.Err()
}

// entry returns the entry in a row, or ttl.ErrAbsent where it was released or has expired. lasts counts only for a row
// that does not say how long it lasts. Any other error is for a row that is not valid, or that is farther ahead of the
// clock than it lasts.
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
