package sql_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// electorRights: on a table that was made beforehand elector needs SELECT, INSERT and UPDATE, and nothing with which it could drop
// the table, or delete from it, under a leader.
func electorRights(t *testing.T, e electorproc.Elector) {
	owner := openPostgres(t, nil)
	require.Zero(t, e.Start(t, "--table=rights", "--exec=true").End(t))
	for _, statement := range []string{
		"CREATE ROLE limited LOGIN PASSWORD 's3cret'", "GRANT SELECT, INSERT, UPDATE ON rights TO limited",
	} {
		_, err := owner.Exec(statement)
		require.NoError(t, err)
	}
	u, err := url.Parse(postgres().dsn(nil))
	require.NoError(t, err)
	u.User = url.UserPassword("limited", "s3cret")
	e.Env = []string{"ELECTOR_LOCK=" + u.String()}
	dir := t.TempDir()
	for _, id := range []string{"a", "b"} {
		e.Start(t, append([]string{"--table=rights", "--create-table=false", "--restart", "--id=" + id}, electorproc.Work(dir)...)...)
	}
	electorproc.Eventually(t, "a term", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	limited := open(t, "pgx", u.String())
	for _, statement := range []string{"DROP TABLE rights", "DELETE FROM rights", "TRUNCATE rights"} {
		_, err := limited.Exec(statement)
		require.ErrorContains(t, err, "SQLSTATE 42501", "%s: want a right that is missing", statement)
	}
}

// electorStartsLate: a candidate that starts after the table was dropped leads beside the old leader, whose command ends with that one's
// next request; the tokens tell them apart.
func electorStartsLate(t *testing.T, e electorproc.Elector) {
	dir := t.TempDir()
	start := func(id string) *electorproc.Process {
		return e.Start(t, append([]string{"--table=late", "--log-level=info", "--id=" + id}, electorproc.Work(dir)...)...)
	}
	a := start("a")
	electorproc.Eventually(t, "a leads", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	_, err := openPostgres(t, nil).Exec(`DROP TABLE late`)
	require.NoError(t, err)
	b := start("b")
	electorproc.Eventually(t, "a's command is stopped", func() bool { return strings.Contains(a.Err.String(), "the command was stopped") })
	electorproc.Eventually(t, "b leads", func() bool { return len(electorproc.Tokens(t, dir)) == 2 })
	require.IsIncreasing(t, electorproc.Tokens(t, dir))
	require.Equal(t, 1, strings.Count(b.Err.String(), `"Leading"`))
}
