package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"os"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"interregnum/elector/etcdlock"
)

func contendInEtcd(ctx context.Context, c *candidate) error {
	o := c.o
	config := clientv3.Config{
		Endpoints: []string{o.at.endpoint}, Username: o.at.user, Password: o.at.password, Logger: zap.NewNop(),
		DialTimeout: o.renew, DialKeepAliveTime: o.renew, DialKeepAliveTimeout: max(time.Second, o.retry),
	}
	if o.at.tls {
		var err error
		if config.TLS, err = etcdTLS(o); err != nil {
			return err
		}
	}
	client, err := clientv3.New(config)
	if err != nil {
		return &exitError{code: exitFailed, text: "etcd at " + o.at.endpoint + ": " + err.Error()}
	}
	defer client.Close()
	lock, err := etcdlock.New(client, o.at.key, o.id, o.lease)
	if err != nil {
		return badInput("--lock, --id, --lease-duration: %v", err)
	}
	return contendFor(ctx, c, lock)
}

// etcdTLS verifies the server, always.
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
