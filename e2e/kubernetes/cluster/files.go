package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Recorded is the name of the namespace, which need not exist, of whose Leases the audit log has the objects too.
const Recorded = "recorded"

// The policy that docs/platform.md gives, with deletes and lists, and one namespace at another level.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: RequestResponse
    namespaces: [` + Recorded + `]
    verbs: [get, list, create, update, patch, delete]
    resources: [{group: coordination.k8s.io, resources: [leases]}]
  - level: Metadata
    verbs: [get, list, create, update, patch, delete]
    resources: [{group: coordination.k8s.io, resources: [leases]}]
`

// writeFiles writes into dir what the API server is started with: certificates, keys, tokens, policy. It returns the
// authority's certificate in PEM.
func writeFiles(dir string) (ca []byte, err error) {
	ca, cert, key, err := certificates()
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{
		"ca.pem": ca, "cert.pem": cert, "key.pem": key,
		"tokens.csv": []byte(tokens()), "policy.yaml": []byte(auditPolicy),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return ca, nil
}

// certificates returns, in PEM, the certificate of a new authority, and a server's certificate and key that it has
// signed. The authority's own key is dropped.
func certificates() (ca, cert, key []byte, err error) {
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	caDER, err := x509.CreateCertificate(rand.Reader, authority, authority, &caKey.PublicKey, caKey)
	if err != nil {
		return nil, nil, nil, err
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test server"},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{serverName}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, server, authority, &private.PublicKey, caKey)
	if err != nil {
		return nil, nil, nil, err
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	return block("CERTIFICATE", caDER), block("CERTIFICATE", der), block("EC PRIVATE KEY", keyDER), err
}

// block returns data in DER as a PEM block of that kind.
func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
