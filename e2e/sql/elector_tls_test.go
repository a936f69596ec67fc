package sql_test

import (
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// secure has the server speak TLS, with a certificate for its address, until the end of the test. Who does not ask for
// that goes on without.
func secure(t *testing.T, authority *electorproc.Authority) {
	db := openPostgres(t, nil)
	var data string
	require.NoError(t, db.QueryRowContext(t.Context(), "SHOW data_directory").Scan(&data))
	folder, err := os.Stat(data)
	require.NoError(t, err)
	cert, key := filepath.Join(data, "server.crt"), filepath.Join(data, "server.key")
	authority.Write(authority.Server("127.0.0.1", time.Hour), cert, key)
	for _, file := range []string{cert, key} {
		require.NoError(t, os.Chown(file, int(folder.Sys().(*syscall.Stat_t).Uid), -1))
	}
	set := func(on string) {
		for _, statement := range []string{"ALTER SYSTEM SET ssl = " + on, "SELECT pg_reload_conf()"} {
			_, err := db.Exec(statement)
			require.NoError(t, err)
		}
	}
	set("on")
	t.Cleanup(func() { set("off") })
}

// electorOverTLS: a server that can prove who it is is used, and no other.
func electorOverTLS(t *testing.T, e electorproc.Elector) {
	ours, theirs := electorproc.NewAuthority(t, "candidate"), electorproc.NewAuthority(t, "candidate")
	secure(t, ours)
	run := func(ca string, more ...string) *electorproc.Process {
		e.Env = []string{"ELECTOR_LOCK=" + postgres().dsn(url.Values{"sslmode": {"verify-full"}, "sslrootcert": {ca}})}
		return e.Start(t, append(more, "--wait=3s", "--exec=exit 6")...)
	}
	electorproc.Eventually(t, "the server speaks TLS", func() bool { return run(ours.CA).End(t) == 6 })
	p := run(theirs.CA, "--create-table=false")
	require.Equal(t, 4, p.End(t))
	require.Contains(t, p.Err.String(), "certificate signed by unknown authority")
}
