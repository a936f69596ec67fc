package electorproc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Authority is an authority that signs certificates for tests.
type Authority struct {
	// CA, Cert and Key are files in PEM: the authority's certificate, and that of a client with its key.
	CA, Cert, Key string

	t           *testing.T
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// NewAuthority returns a new authority, with a certificate for a client of that name.
func NewAuthority(t *testing.T, client string) *Authority {
	a := &Authority{t: t}
	var err error
	a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	a.certificate = &x509.Certificate{
		Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}
	dir := t.TempDir()
	a.CA, a.Cert, a.Key = filepath.Join(dir, "ca"), filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	der := a.sign(a.certificate, a.key, time.Hour)
	a.certificate, err = x509.ParseCertificate(der)
	require.NoError(t, err)
	write(t, a.CA, "CERTIFICATE", der)
	a.Write(a.issue(&x509.Certificate{Subject: pkix.Name{CommonName: client}}, time.Hour), a.Cert, a.Key)
	return a
}

// Server returns a certificate for a server on a host, given by name or address. It is valid for that long from now;
// with a negative duration it has run out.
func (a *Authority) Server(host string, valid time.Duration) tls.Certificate {
	c := &x509.Certificate{Subject: pkix.Name{CommonName: host}}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else {
		c.DNSNames = []string{host}
	}
	return a.issue(c, valid)
}

// Pool returns a pool with the authority's certificate, with which others can verify the certificates that it has signed.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// Write writes a certificate and its key to two files. Only their owner may read these.
func (a *Authority) Write(c tls.Certificate, cert, key string) {
	a.t.Helper()
	write(a.t, cert, "CERTIFICATE", c.Certificate[0])
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	require.NoError(a.t, err)
	write(a.t, key, "PRIVATE KEY", der)
}

// issue completes the template c, and returns the certificate that it makes of it: with a new key, signed by the authority and
// valid for that long from now.
func (a *Authority) issue(c *x509.Certificate, valid time.Duration) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	c.KeyUsage = x509.KeyUsageDigitalSignature
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	return tls.Certificate{Certificate: [][]byte{a.sign(c, key, valid)}, PrivateKey: key}
}

// sign completes the certificate c for the public half of key, valid for that long from now, signs it with the authority's own
// key, and returns it in DER.
func (a *Authority) sign(c *x509.Certificate, key *ecdsa.PrivateKey, valid time.Duration) []byte {
	c.SerialNumber = big.NewInt(time.Now().UnixNano())
	c.NotBefore, c.NotAfter = time.Now().Add(-24*time.Hour), time.Now().Add(valid)
	der, err := x509.CreateCertificate(rand.Reader, c, a.certificate, &key.PublicKey, a.key)
	require.NoError(a.t, err)
	return der
}

// write writes data in DER to a file as a PEM block of that kind. Only its owner may read the file.
func write(t *testing.T, file, kind string, der []byte) {
	t.Helper()
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	require.NoError(t, os.WriteFile(file, text, 0o600))
}
