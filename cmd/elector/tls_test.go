package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// front is a server of which there is no more than TLS: it says who came, and hangs up.
type front struct {
	address string
	// came has the name of each client whose handshake was completed.
	came chan string
}

// listenTLS takes clients of an authority. postgres has the server begin as PostgreSQL does.
func listenTLS(t *testing.T, clients *electorproc.Authority, certificate tls.Certificate, postgres bool) *front {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	f := &front{address: listener.Addr().String(), came: make(chan string, 1000)}
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "postgresql"},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients.Pool(),
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go f.serve(connection, config, postgres)
		}
	}()
	return f
}

func (f *front) serve(connection net.Conn, config *tls.Config, postgres bool) {
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(10 * time.Second))
	if postgres {
		// SSLRequest, and its answer.
		if _, err := io.ReadFull(connection, make([]byte, 8)); err != nil {
			return
		}
		if _, err := connection.Write([]byte{'S'}); err != nil {
			return
		}
	}
	secure := tls.Server(connection, config)
	if secure.Handshake() == nil {
		f.came <- secure.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
}

// TestTLS: who cannot prove to be the server gets nothing, whatever the lock, and it is said why; and a client proves
// who it is.
func TestTLS(t *testing.T) {
	t.Parallel()
	for kind, lock := range map[string]func(t *testing.T, address string, a *electorproc.Authority, client bool) []string{
		onKubernetes: kubeOver, onPostgreSQL: postgresOver, onEtcd: etcdOver,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			ours, theirs := electorproc.NewAuthority(t, "candidate"), electorproc.NewAuthority(t, "candidate")
			for name, c := range map[string]struct {
				certificate tls.Certificate
				client      bool
				want        string
			}{
				"another's CA": {theirs.Server("127.0.0.1", time.Hour), true, "certificate signed by unknown authority"},
				"another host": {ours.Server("db.example.com", time.Hour), true, "certificate for 127.0.0.1"},
				"expired":      {ours.Server("127.0.0.1", -time.Hour), true, "certificate has expired or is not yet valid"},
				"no client's":  {ours.Server("127.0.0.1", time.Hour), false, "tls: certificate required"},
				"as it should": {ours.Server("127.0.0.1", time.Hour), true, ""},
			} {
				if kind == onKubernetes && !c.client {
					continue // An API server only asks for one, and answers 401 without.
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					server := listenTLS(t, ours, c.certificate, kind == onPostgreSQL)
					p := spawn(t, nil, append(lock(t, server.address, ours, c.client), "--wait=3s",
						"--lease-duration=2s", "--renew-deadline=1500ms", "--retry-period=100ms")...)
					require.Equal(t, exitNotLed, p.End(t), p.Err.String())
					end := p.Err.String()[strings.LastIndex(p.Err.String(), "\nelector: "):]
					if c.want != "" {
						require.Contains(t, end, c.want)
						require.Empty(t, server.came)
						return
					}
					require.NotContains(t, end, "certificate")
					require.Equal(t, "candidate", <-server.came)
				})
			}
		})
	}
}

func kubeOver(t *testing.T, address string, a *electorproc.Authority, client bool) []string {
	user := "{}"
	if client {
		user = fmt.Sprintf("{client-certificate: %s, client-key: %s}", a.Cert, a.Key)
	}
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{apiVersion: v1, kind: Config, current-context: c,
contexts: [{name: c, context: {cluster: c, user: u}}], users: [{name: u, user: %s}],
clusters: [{name: c, cluster: {server: "https://%s", certificate-authority: %s}}]}`, user, address, a.CA), 0o600))
	return []string{"--name=x", "--kubeconfig", file}
}

func postgresOver(_ *testing.T, address string, a *electorproc.Authority, client bool) []string {
	lock := "postgres://u@" + address + "/d?sslmode=verify-full&sslrootcert=" + a.CA
	if client {
		lock += "&sslcert=" + a.Cert + "&sslkey=" + a.Key
	}
	return []string{"--lock", lock}
}

func etcdOver(_ *testing.T, address string, a *electorproc.Authority, client bool) []string {
	args := []string{"--lock=etcds://" + address + "/k", "--etcd-ca", a.CA}
	if client {
		args = append(args, "--etcd-cert", a.Cert, "--etcd-key", a.Key)
	}
	return args
}

// TestPlainToTLS: who forgets the s in etcds is told.
func TestPlainToTLS(t *testing.T) {
	t.Parallel()
	a := electorproc.NewAuthority(t, "candidate")
	server := listenTLS(t, a, a.Server("127.0.0.1", time.Hour), false)
	p := spawn(t, nil, "--lock=etcd://"+server.address+"/k", "--wait=3s", "--lease-duration=2s", "--renew-deadline=1500ms",
		"--retry-period=100ms")
	require.Equal(t, exitNotLed, p.End(t))
	require.Contains(t, p.Err.String(), "the server does not take plain connections: expected etcds://")
}
