// Package cluster starts a real kube-apiserver and a real etcd on loopback, for tests. Both are built from their
// sources on first use, which takes minutes, and kept in the user's cache folder.
package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Cluster is an API server with its etcd. It has authorization by RBAC, no nodes, and no controllers except those of
// StartControllers. Its users are those of Config. A test that calls Restart or Pause must have it for itself.
type Cluster struct {
	dir               string
	url               string
	ca                []byte
	etcd, api         *process
	controllers       *process // nil: not started
	apiserver         string   // the program
	etcdPort, apiPort int
	// between returns where the API server finds the etcd of a host and port; etcdAt is that.
	between func(string) string
	etcdAt  string
}

// Start starts an API server that lives as long as the test. If the test fails, it logs the end of the servers' logs.
func Start(t testing.TB) *Cluster {
	t.Helper()
	return StartBehind(t, directly)
}

// StartBehind starts an API server that lives as long as the test, with something between the API server and etcd: between gets
// etcd's host and port, and returns the host and port at which the API server looks for etcd. If the test fails, it logs the
// end of the servers' logs.
func StartBehind(t testing.TB, between func(etcd string) string) *Cluster {
	t.Helper()
	c, err := newCluster(between)
	require.NoError(t, err)
	t.Cleanup(c.Stop)
	c.ShowLogs(t)
	return c
}

// New starts an API server that lives until Stop; on Linux it also ends with this process. It builds the programs that
// are not built yet.
func New() (*Cluster, error) { return newCluster(directly) }

// directly returns etcd's host and port as they are: nothing is between the API server and etcd.
func directly(etcd string) string { return etcd }

// newCluster starts an API server that lives until Stop; between is as for StartBehind. If that fails, the error has the end of
// the servers' logs, and nothing is left running.
func newCluster(between func(string) string) (*Cluster, error) {
	etcd, apiserver, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "cluster")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, apiserver: apiserver, between: between}
	if err := c.start(etcd); err != nil {
		err = fmt.Errorf("%w\n%s", err, c.logs())
		c.Stop()
		return nil, err
	}
	return c, nil
}

// start starts the etcd program and the API server on free ports, and returns when the API server is ready.
func (c *Cluster) start(etcd string) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	c.etcdPort, c.apiPort = ports[0], ports[1]
	c.url = fmt.Sprintf("https://127.0.0.1:%d", c.apiPort)
	if c.ca, err = writeFiles(c.dir); err != nil {
		return err
	}
	if c.etcd, err = start(c.file("etcd.log"), etcd, c.etcdFlags(ports[2])...); err != nil {
		return err
	}
	c.etcdAt = c.between(fmt.Sprintf("127.0.0.1:%d", c.etcdPort))
	return c.startAPI()
}

// startAPI starts the API server, and returns when it is ready. It returns an error if that takes longer than two minutes, or if
// the API server or etcd ends first.
func (c *Cluster) startAPI() (err error) {
	if c.api, err = start(c.file("apiserver.log"), c.apiserver, c.apiFlags()...); err != nil {
		return err
	}
	return c.ready(2 * time.Minute)
}

// Stop kills the servers and deletes all that they wrote.
func (c *Cluster) Stop() {
	for _, p := range []*process{c.controllers, c.api, c.etcd} {
		if p != nil {
			p.kill()
		}
	}
	_ = os.RemoveAll(c.dir)
}

// Restart kills the API server with SIGKILL, waits for as long as down says, starts it anew on the same port, and waits until it
// is ready, which takes about three more seconds. Connections to the port are refused meanwhile; objects remain.
func (c *Cluster) Restart(t testing.TB, down time.Duration) {
	t.Helper()
	c.api.kill()
	time.Sleep(down)
	require.NoError(t, c.startAPI())
}

// Pause freezes the API server with SIGSTOP until Resume: connections are accepted, and nothing is answered.
func (c *Cluster) Pause(t testing.TB) {
	t.Helper()
	require.NoError(t, c.api.pause())
}

// Resume lets a paused API server go on.
func (c *Cluster) Resume(t testing.TB) {
	t.Helper()
	require.NoError(t, c.api.resume())
}

// URL returns the server's URL: https://127.0.0.1 and a port.
func (c *Cluster) URL() string { return c.url }

// CA returns the certificate, in PEM, of the authority that signed the server's.
func (c *Cluster) CA() []byte { return c.ca }

// AuditLog returns the path of the file to which the server writes an event for each get, list, create, update, patch
// and delete of Leases: at level RequestResponse in the namespace Recorded, and at level Metadata elsewhere.
func (c *Cluster) AuditLog() string { return c.file("audit.log") }

// ShowLogs logs the end of the servers' logs to t once t has ended, if it has failed.
func (c *Cluster) ShowLogs(t testing.TB) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.logs())
		}
	})
}

// file returns the path of a file in the cluster's folder.
func (c *Cluster) file(name string) string { return filepath.Join(c.dir, name) }
