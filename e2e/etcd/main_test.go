package etcd_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"

	"interregnum/internal/electorproc"
)

// endpoint is where the server listens.
var endpoint string

// TestMain starts etcd for the tests, or is a candidate: see candidate.
func TestMain(m *testing.M) {
	electorproc.Main()
	if text := os.Getenv(candidateVariable); text != "" {
		candidate(text)
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "etcd")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(dir)
	server, err := start(dir)
	if err != nil {
		return failed(err)
	}
	defer server.Close()
	endpoint = server.Clients[0].Addr().String()
	return m.Run()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "etcd did not start:", err)
	return 1
}

// start starts a server of one member on loopback, whose configuration more may change. Its elections are quick, so that its shortest lease is 1 s.
func start(dir string, more ...func(*embed.Config)) (*embed.Etcd, error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = dir
	config.ListenClientUrls, config.ListenPeerUrls = anyPort, anyPort
	config.TickMs, config.ElectionMs = 10, 100
	config.UnsafeNoFsync = true
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	for _, change := range more {
		change(config)
	}
	server, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-server.Server.ReadyNotify():
		return server, nil
	case err = <-server.Err():
	case <-time.After(20 * time.Second):
		err = fmt.Errorf("not ready after 20 s")
	}
	server.Close()
	return nil, err
}

func dial(at string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{Endpoints: []string{at}, Logger: zap.NewNop()})
}
