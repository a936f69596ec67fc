package etcd_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"

	"interregnum/internal/electorproc"
)

const (
	electorUser     = "root"
	electorPassword = "s3cret/%&:@ pw"
)

// secured is an etcd over TLS.
type secured struct {
	endpoint  string
	authority *electorproc.Authority
}

// startSecured starts an etcd that speaks TLS and wants a client's certificate and, where auth is set, a password.
func startSecured(t *testing.T, auth bool) *secured {
	s := &secured{authority: electorproc.NewAuthority(t, "candidate")}
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	s.authority.Write(s.authority.Server("127.0.0.1", time.Hour), cert, key)
	server, err := start(filepath.Join(dir, "data"), func(c *embed.Config) {
		c.ListenClientUrls = []url.URL{{Scheme: "https", Host: "127.0.0.1:0"}}
		c.ClientTLSInfo = transport.TLSInfo{
			CertFile: cert, KeyFile: key, TrustedCAFile: s.authority.CA, ClientCertAuth: true,
		}
	})
	require.NoError(t, err)
	t.Cleanup(server.Close)
	s.endpoint = server.Clients[0].Addr().String()
	if !auth {
		return s
	}
	info := transport.TLSInfo{CertFile: s.authority.Cert, KeyFile: s.authority.Key, TrustedCAFile: s.authority.CA}
	config, err := info.ClientConfig()
	require.NoError(t, err)
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{s.endpoint}, TLS: config})
	require.NoError(t, err)
	defer client.Close()
	_, err = client.UserAdd(t.Context(), electorUser, electorPassword)
	require.NoError(t, err)
	_, err = client.UserGrantRole(t.Context(), electorUser, "root")
	require.NoError(t, err)
	_, err = client.AuthEnable(t.Context())
	require.NoError(t, err)
	return s
}

// elector is candidates for a key of the test's own, with a certificate.
func (s *secured) elector(t *testing.T, program string, user *url.Userinfo) electorproc.Elector {
	u := url.URL{Scheme: "etcds", User: user, Host: s.endpoint, Path: "/" + t.Name()}
	return electorproc.Elector{
		Program: program,
		Env:     []string{"ELECTOR_LOCK=" + u.String()},
		Args: []string{
			"--etcd-ca", s.authority.CA, "--etcd-cert", s.authority.Cert, "--etcd-key", s.authority.Key,
			"--lease-duration=4s", "--renew-deadline=2s", "--retry-period=200ms", "--grace=500ms",
		},
		Secrets: []string{electorPassword, url.QueryEscape(electorPassword), "s3cret"},
	}
}

// TestElector is cmd/elector on a real etcd, over TLS: real processes that are killed, frozen and stubborn.
func TestElector(t *testing.T) {
	program := electorproc.Build(t, "../../cmd/elector")
	certified, passworded := startSecured(t, false), startSecured(t, true)
	secret := url.UserPassword(electorUser, electorPassword)
	electorproc.Takeover(t, func(t *testing.T) electorproc.Elector {
		if strings.Contains(t.Name(), electorproc.Nested) {
			return certified.elector(t, program, nil)
		}
		return passworded.elector(t, program, secret)
	}, electorproc.Stubborn, electorproc.Nested)
	t.Run("wrong password", func(t *testing.T) {
		t.Parallel()
		e := passworded.elector(t, program, url.UserPassword(electorUser, "wr0ng"))
		p := e.Start(t, "--wait=1s", "--log-level=debug", "--exec=exit 6")
		require.Equal(t, 4, p.End(t))
		require.Contains(t, p.Err.String(), "authentication failed, invalid user ID or password")
		require.NotContains(t, p.Err.String(), "wr0ng")
	})
	t.Run("silent connection", func(t *testing.T) {
		t.Parallel()
		way := electorproc.NewWay(t, passworded.endpoint)
		s := *passworded
		s.endpoint = way.Address
		electorproc.Silence(t, s.elector(t, program, secret), way)
	})
	t.Run("observes", func(t *testing.T) {
		t.Parallel()
		electorObserves(t, passworded.elector(t, program, secret))
	})
}

// electorObserves: who takes no part sees each change at once, since it watches.
func electorObserves(t *testing.T, e electorproc.Elector) {
	timings := []string{"--observe", "--lease-duration=60s", "--retry-period=2s"}
	o := electorproc.Start(t, e.Program, e.Env, append(e.Args[:6:6], timings...)...)
	electorproc.Eventually(t, "sees nobody", func() bool { return strings.Contains(o.Out.String(), `"holder":""`) })
	p := e.Start(t, "--id=a", "--exec=sleep 1")
	require.Zero(t, p.End(t))
	since := time.Now()
	electorproc.Eventually(t, "followed", func() bool {
		_, after, found := strings.Cut(o.Out.String(), `"holder":"a","fencingToken":`)
		return found && strings.Contains(after, `"holder":""`)
	})
	require.Less(t, time.Since(since), 10*time.Second)
	require.NoError(t, o.Process.Signal(syscall.SIGTERM))
	require.Zero(t, o.End(t))
	require.NotContains(t, o.Err.String(), "s3cret")
}
