package cluster

import (
	"encoding/pem"
	"net"
	"os"
	"path/filepath"

	certutil "k8s.io/client-go/util/cert"
)

// Recorded is the name of a namespace: of the Leases in it the audit log has the objects too. The namespace need not exist.
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

// writeFiles writes the files with which the API server is started into dir: certificates, keys, tokens, policy. It returns the
// authority's certificate in PEM.
func writeFiles(dir string) (ca []byte, err error) {
	cert, key, err := certutil.GenerateSelfSignedCertKey(serverName, []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return nil, err
	}
	_, ca = pem.Decode(cert) // the server's own comes first, then the authority's
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
