package sql_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// electorSilent: see electorproc.Silence.
func electorSilent(t *testing.T, e electorproc.Elector) {
	u, err := url.Parse(postgres().dsn(nil))
	require.NoError(t, err)
	way := electorproc.NewWay(t, u.Host)
	u.Host = way.Address
	e.Env = []string{"ELECTOR_LOCK=" + u.String()}
	electorproc.Silence(t, e, way)
}

// electorDown: a server that is down is waited for, also where the table is to be made; what the server itself refuses
// is said at once.
func electorDown(t *testing.T, e electorproc.Elector) {
	port, err := freePort()
	require.NoError(t, err)
	u, err := url.Parse((&server{port: port}).dsn(nil))
	require.NoError(t, err)
	own := e.Env
	e.Env = []string{"ELECTOR_LOCK=" + u.String()}
	p := e.Start(t, "--wait=6s", "--exec=exit 6") // longer than the lease
	require.Equal(t, 4, p.End(t))
	require.Contains(t, p.Err.String(), "not leading within --wait 6s: sqllock: cannot create the table")
	require.Contains(t, p.Err.String(), "connection refused")

	e.Env = own
	p = e.Start(t, "--table=missing.locks", "--exec=exit 6")
	require.Equal(t, 3, p.End(t))
	require.Contains(t, p.Err.String(), `schema "missing" does not exist`)
}

// electorSecrets: the command does not get the password of the lock.
func electorSecrets(t *testing.T, e electorproc.Elector) {
	u, err := url.Parse(postgres().dsn(nil))
	require.NoError(t, err)
	u.User = url.User(u.User.Username())
	e.Env = []string{"ELECTOR_LOCK=" + u.String(), "PGPASSWORD=" + password}
	p := e.Start(t, "--", "env")
	require.Zero(t, p.End(t))
	require.Contains(t, p.Out.String(), "INTERREGNUM_FENCING_TOKEN=")
	for _, secret := range append(e.Secrets, "PGPASSWORD=", "ELECTOR_LOCK=") {
		require.NotContains(t, p.Out.String(), secret)
	}
	p = e.Start(t, "--pass-env=PGPASSWORD", "--", "env")
	require.Zero(t, p.End(t))
	require.Contains(t, p.Out.String(), "PGPASSWORD="+password+"\n")
}
