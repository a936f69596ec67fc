package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"interregnum/elector/etcdlock"
	"interregnum/elector/ttl"
)

// openEtcd connects to etcd, and tries again until that succeeds. It returns the candidate's lock, and a function that disconnects.
// If ctx has ended before there was a lock, it returns a nil lock and no error. It returns an error only for flags that cannot be
// used, such as --etcd-ca with a file that cannot be read.
func openEtcd(ctx context.Context, c *candidate) (lock ttl.Lock, disconnect func(), err error) {
	o, why := c.o, &reason{}
	config := clientv3.Config{
		Endpoints: []string{o.at.endpoint}, Username: o.at.user, Password: o.at.password, Logger: zap.NewNop(),
		DialTimeout: o.renew, DialKeepAliveTime: o.renew, DialKeepAliveTimeout: max(time.Second, o.retry),
	}
	config.DialOptions = why.options(insecure.NewCredentials())
	if o.at.tls {
		if config.TLS, err = etcdTLS(o); err != nil {
			return nil, nil, err
		}
		config.DialOptions = why.options(credentials.NewTLS(config.TLS))
	}
	client := c.connectEtcd(ctx, config, why)
	if client == nil {
		return nil, nil, nil
	}
	own, err := etcdlock.New(client, o.at.key, o.id, o.lease)
	if err != nil {
		client.Close()
		return nil, nil, badInput("--lock, --id, --lease-duration: %v", err)
	}
	return c.noted(c.timed(why.reasoned(own), why.hangUp)), func() { client.Close() }, nil
}

// connectEtcd makes a client of etcd. If that fails it logs the error, with the reason of the last failed connection from why,
// stores it for health checks, and tries again after --retry-period. It returns nil once ctx has ended. With a password, a client
// connects and logs in when it is made; without one, it connects at its first request.
func (c *candidate) connectEtcd(ctx context.Context, config clientv3.Config, why *reason) *clientv3.Client {
	for {
		made := make(chan *clientv3.Client, 1)
		go func() {
			client, err := clientv3.New(config)
			if err = why.add(err); err != nil {
				err = fmt.Errorf("connect to etcd at %s: %w", c.o.at.endpoint, err)
				c.heard(false, err)
				c.log.Error("cannot connect", "err", err)
			}
			made <- client
		}()
		select {
		case client := <-made:
			if client != nil {
				return client
			}
		case <-ctx.Done():
			return nil
		}
		select {
		case <-time.After(c.o.retry):
		case <-ctx.Done():
			return nil
		}
	}
}

// etcdTLS returns the TLS configuration that the flags --etcd-ca, --etcd-cert and --etcd-key describe. It always has the server
// verified. It returns an error for a file that cannot be read or used.
func etcdTLS(o *options) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.etcdCA != "" {
		text, err := os.ReadFile(o.etcdCA)
		if err != nil {
			return nil, badInput("--etcd-ca: %v", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, badInput("--etcd-ca: expected certificates in PEM, found none in %s", o.etcdCA)
		}
	}
	if o.etcdCert != "" {
		pair, err := tls.LoadX509KeyPair(o.etcdCert, o.etcdKey)
		if err != nil {
			return nil, badInput("--etcd-cert, --etcd-key: %v", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
