package sqllock

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// fake is a database that answers everything in one way, and notes what it was sent.
type fake struct {
	rows     [][]driver.Value
	err      error // of the call
	endErr   error // after the rows
	closeErr error // of closing them
	text     string
	args     []driver.Value
	calls    int
	fails    int // only so many calls have the error, if it is not 0
}

func (f *fake) Driver() driver.Driver                        { return nil }
func (f *fake) Connect(context.Context) (driver.Conn, error) { return f, nil }
func (f *fake) Prepare(string) (driver.Stmt, error)          { return nil, io.ErrUnexpectedEOF }
func (f *fake) Begin() (driver.Tx, error)                    { return nil, io.ErrUnexpectedEOF }
func (f *fake) Close() error                                 { return nil }
func (f *fake) note(text string, args []driver.NamedValue) {
	f.calls++
	f.text, f.args = text, nil
	for _, a := range args {
		f.args = append(f.args, a.Value)
	}
}

func (f *fake) ExecContext(_ context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	f.note(text, args)
	if f.fails > 0 && f.calls > f.fails {
		return driver.RowsAffected(0), nil
	}
	return driver.RowsAffected(0), f.err
}

func (f *fake) QueryContext(_ context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	f.note(text, args)
	if f.err != nil {
		return nil, f.err
	}
	columns := 1
	if len(f.rows) > 0 {
		columns = len(f.rows[0])
	}
	return &fakeRows{f, make([]string, columns), f.rows}, nil
}

type fakeRows struct {
	of      *fake
	columns []string
	left    [][]driver.Value
}

func (r *fakeRows) Columns() []string { return r.columns }

func (r *fakeRows) Close() error { return r.of.closeErr }

func (r *fakeRows) Next(dest []driver.Value) error {
	if len(r.left) == 0 {
		if r.of.endErr != nil {
			return r.of.endErr
		}
		return io.EOF
	}
	copy(dest, r.left[0])
	r.left = r.left[1:]
	return nil
}

// lockOn is a lock on a fake.
func lockOn(t *testing.T, f *fake, c Config) *Lock {
	t.Helper()
	db := sql.OpenDB(f)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	l, err := New(db, c)
	require.NoError(t, err)
	return l
}
