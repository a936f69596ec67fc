package electiontest_test

import (
	"context"
	"database/sql"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"interregnum/electiontest"
	"interregnum/elector"
)

// jobs is a table that jobs are entered in. Each row has the fencing token of the leader that entered it.
type jobs struct {
	*testing.T
	db *sql.DB
	// fenced: rows with a token below the highest there are refused.
	fenced  bool
	refused atomic.Int64
}

// newJobs has one connection, made before virtual time begins: what waits for another would wait outside of it.
func newJobs(t *testing.T, fenced bool) *jobs {
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	_, err = db.Exec(`CREATE TABLE jobs (id INTEGER PRIMARY KEY, token INTEGER NOT NULL)`)
	require.NoError(t, err)
	return &jobs{T: t, db: db, fenced: fenced}
}

const (
	enter       = `INSERT INTO jobs (token) VALUES (?1)`
	enterFenced = `INSERT INTO jobs (token) SELECT ?1 WHERE ?1 >= (SELECT coalesce(max(token), 0) FROM jobs)`
)

// run leads and enters a job every second, and needs eight seconds to notice that it no longer leads.
func (j *jobs) run(ctx context.Context, c *electiontest.Candidate) {
	config := c.ElectorConfig(elector.LeaderCallbacks{
		OnStartedLeading: func(ctx context.Context) {
			token, ok := elector.FencingToken(ctx)
			assert.True(j, ok)
			for end := (<-chan time.Time)(nil); ; {
				j.enter(ctx, token)
				select {
				case <-end:
					return
				case <-time.After(time.Second):
				}
				if ctx.Err() != nil && end == nil {
					end = time.After(8 * time.Second)
				}
			}
		},
		OnStoppedLeading: func() {},
	})
	config.Profile = elector.ClientGo
	le, err := elector.NewLeaderElector(config)
	assert.NoError(j, err)
	le.Run(ctx)
}

func (j *jobs) enter(ctx context.Context, token uint64) {
	statement := enter
	if j.fenced {
		statement = enterFenced
	}
	r, err := j.db.Exec(statement, int64(token))
	if !assert.NoError(j, err) {
		return
	}
	entered, err := r.RowsAffected()
	assert.NoError(j, err)
	j.refused.Add(1 - entered)
	electiontest.Wrote(ctx, token)
}

// stale is how many jobs were entered by a leader whose successor had entered one before.
func (j *jobs) stale() (n int) {
	require.NoError(j, j.db.QueryRow(
		`SELECT count(*) FROM jobs a WHERE token < (SELECT max(token) FROM jobs b WHERE b.id < a.id)`).Scan(&n))
	return n
}

// TestJobs: two leaders work at once, since the work outlives its context. A table that checks tokens takes no job of the
// old one after one of the new one; one that does not check them takes several.
func TestJobs(t *testing.T) {
	for _, fenced := range []bool{false, true} {
		j := newJobs(t, fenced)
		r := electiontest.RunFile(t, "testdata/slow-to-stop.yaml", j.run)
		require.NotNil(t, r.Resource)
		assert.Positive(t, r.Resource.Conflicting)
		if fenced {
			assert.Zero(t, j.stale())
			assert.Equal(t, r.Resource.Refused, j.refused.Load())
		} else {
			assert.Equal(t, r.Resource.Conflicting, int64(j.stale()))
		}
	}
}
