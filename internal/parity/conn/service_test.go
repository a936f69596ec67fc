package conn

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"path"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// host is the name in the service's certificate.
const host = "service.test"

// certificate is the service's, which it has signed itself. It is valid in the year 2000, in which bubbles begin.
var certificate = sync.OnceValue(func() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
})

func authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate().Certificate[0]})
}

// arrivals is a listener: it has the service's ends of new connections.
type arrivals struct {
	ends   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newArrivals() *arrivals {
	return &arrivals{ends: make(chan net.Conn, 100), closed: make(chan struct{})}
}

func (a *arrivals) Accept() (net.Conn, error) {
	select {
	case e := <-a.ends:
		return e, nil
	case <-a.closed:
		return nil, net.ErrClosed
	}
}

func (a *arrivals) Close() error {
	a.once.Do(func() { close(a.closed) })
	return nil
}

func (a *arrivals) Addr() net.Addr { return address("service") }

// serve starts the service. It answers each request with a Lease, after it has thought.
func (w *world) serve(t *testing.T) {
	server := &http.Server{
		Handler:   http.HandlerFunc(w.handle),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate()}, MinVersion: tls.VersionTLS13},
		HTTP2:     &http.HTTP2Config{MaxConcurrentStreams: w.streams},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	go func() { _ = server.ServeTLS(w.arrivals, "", "") }()
	t.Cleanup(func() { require.NoError(t, server.Close()) })
}

func (w *world) handle(to http.ResponseWriter, from *http.Request) {
	if from.URL.Path == elsewhere {
		return
	}
	name := path.Base(from.URL.Path)
	if from.Method == http.MethodPost {
		name = "(new)"
	}
	w.note("service: %s %s arrives", from.Method, name)
	body, err := io.ReadAll(from.Body)
	gone := from.Context().Done()
	if w.deaf {
		gone = w.done
	}
	select {
	case <-time.After(w.think):
	case <-gone:
		err = net.ErrClosed
	}
	if err != nil {
		w.note("service: %s %s is cancelled", from.Method, name)
		return
	}
	w.answer(to, from, body)
}

// anyLease is the answer to any request: a Lease of its name.
func anyLease(to http.ResponseWriter, from *http.Request, _ []byte) {
	to.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(to, `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":%q}}`, path.Base(from.URL.Path))
}
