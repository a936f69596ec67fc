package sql_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// onPostgres is electors with a lock of a test's own; their password is in the environment.
func onPostgres(t *testing.T, program string) electorproc.Elector {
	openPostgres(t, nil)
	return electorproc.Elector{
		Program: program,
		Env:     []string{"ELECTOR_LOCK=" + postgres().dsn(nil)},
		Args: []string{
			"--name=" + t.Name(), "--create-table", "--lease-duration=4s", "--renew-deadline=2s",
			"--retry-period=200ms", "--grace=500ms",
		},
		Secrets: []string{password, url.QueryEscape(password), url.PathEscape(password), "s3cret"},
	}
}

// TestElector is cmd/elector on PostgreSQL: real processes that are killed, frozen and stubborn.
func TestElector(t *testing.T) {
	openPostgres(t, nil)
	program := electorproc.Build(t, "../../cmd/elector")
	electorproc.Takeover(t, func(t *testing.T) electorproc.Elector { return onPostgres(t, program) },
		electorproc.Stubborn, electorproc.Nested)
	t.Run("observes", func(t *testing.T) {
		t.Parallel()
		electorObserves(t, onPostgres(t, program))
	})
	for name, test := range map[string]func(*testing.T, electorproc.Elector){
		"silent connection": electorSilent, "server down": electorDown, "secrets": electorSecrets,
		"table dropped": electorDropped, "rights": electorRights, "starts late": electorStartsLate,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, onPostgres(t, program))
		})
	}
	t.Run("TLS", func(t *testing.T) { electorOverTLS(t, onPostgres(t, program)) })
	t.Run("password", func(t *testing.T) {
		t.Parallel()
		electorPassword(t, onPostgres(t, program))
	})
}

// electorObserves: who takes no part sees each change, and makes no table.
func electorObserves(t *testing.T, e electorproc.Elector) {
	o := electorproc.Start(t, e.Program, e.Env, "--observe", e.Args[0], "--table=observed", "--retry-period=100ms")
	electorproc.Eventually(t, "no table", func() bool { return strings.Contains(o.Err.String(), "does not exist") })
	p := e.Start(t, "--table=observed", "--id=a", "--exec=sleep 1")
	require.Zero(t, p.End(t))
	electorproc.Eventually(t, "followed", func() bool {
		_, after, found := strings.Cut(o.Out.String(), `"holder":"a","fencingToken":`)
		return found && strings.Contains(after, `"holder":""`)
	})
	require.NoError(t, o.Process.Signal(syscall.SIGTERM))
	require.Zero(t, o.End(t))
	for _, secret := range e.Secrets {
		require.NotContains(t, o.Err.String(), secret)
	}
}

// electorDropped: a table that is dropped under a leader is made anew, never two commands run, and tokens grow. Without
// --create-table the candidate says what is missing, and is not ready.
func electorDropped(t *testing.T, e electorproc.Elector) {
	db := openPostgres(t, nil)
	for _, drop := range []string{`DROP TABLE dropped`, `DELETE FROM dropped`} {
		dir := t.TempDir()
		var all []*electorproc.Process
		for _, id := range []string{"a", "b", "c"} {
			all = append(all, e.Start(t, append([]string{"--table=dropped", "--restart", "--log-level=info", "--id=" + id}, electorproc.Work(dir)...)...))
		}
		for _, p := range all { // one that starts later does not know that somebody leads
			electorproc.Eventually(t, "leads, or has seen who does", func() bool {
				return strings.Contains(p.Err.String(), "holder has changed") || strings.Contains(p.Err.String(), `"Leading"`)
			})
		}
		for n := 1; n <= 3; n++ {
			electorproc.Eventually(t, "a term", func() bool { return len(electorproc.Tokens(t, dir)) >= n })
			_, err := db.Exec(drop)
			require.NoError(t, err)
		}
		electorproc.Eventually(t, "a last term", func() bool { return len(electorproc.Tokens(t, dir)) >= 4 })
		require.NotContains(t, electorproc.LogOf(dir), "OVERLAP")
		require.IsIncreasing(t, electorproc.Tokens(t, dir))
		for _, p := range all {
			require.NoError(t, p.Process.Signal(syscall.SIGTERM))
			require.Zero(t, p.End(t))
		}
	}
	_, err := db.Exec(`DROP TABLE dropped`)
	require.NoError(t, err)
	p := e.Start(t, "--table=dropped", "--create-table=false", "--wait=2s", "--exec=exit 6")
	require.Equal(t, 4, p.End(t))
	require.Contains(t, p.Err.String(), "elector makes it with --create-table")
}

// electorPassword: the wrong one is refused and told to nobody; the right one may be in a file.
func electorPassword(t *testing.T, e electorproc.Elector) {
	u, err := url.Parse(postgres().dsn(nil))
	require.NoError(t, err)
	u.User = url.User(u.User.Username())
	run := func(word string, more ...string) *electorproc.Process {
		file := filepath.Join(t.TempDir(), "pgpass")
		line := "127.0.0.1:*:*:candidate:" + strings.NewReplacer(`\`, `\\`, ":", `\:`).Replace(word) + "\n"
		require.NoError(t, os.WriteFile(file, []byte(line), 0o600))
		e.Env = []string{"ELECTOR_LOCK=" + u.String(), "PGPASSFILE=" + file}
		return e.Start(t, append(more, "--log-level=debug", "--exec=exit 6")...)
	}
	require.Equal(t, 6, run(password).End(t))
	wrong := run("wr0ng", "--wait=5s", "--create-table=false")
	require.Equal(t, 4, wrong.End(t))
	require.Contains(t, wrong.Err.String(), "password authentication failed")
	require.NotContains(t, wrong.Err.String(), "wr0ng")
}
