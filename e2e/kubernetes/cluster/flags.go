package cluster

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// etcdFlags returns the flags for an etcd of one member on loopback, without fsync. Clients reach it at c.etcdPort; peerPort is
// its port for other members.
func (c *Cluster) etcdFlags(peerPort int) []string {
	client, peer := fmt.Sprintf("http://127.0.0.1:%d", c.etcdPort), fmt.Sprintf("http://127.0.0.1:%d", peerPort)
	return []string{
		"--name=only", "--data-dir=" + c.file("etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=only=" + peer,
	}
}

// apiFlags returns the flags for the API server. The server's key signs service account tokens too, which nobody uses.
// The endpoint reconciler and the Lease of each API server are off, so that nothing but tests writes once the server is
// up.
func (c *Cluster) apiFlags() []string {
	return []string{
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.apiPort),
		"--cert-dir=" + c.dir, "--client-ca-file=" + c.file("ca.pem"),
		"--tls-cert-file=" + c.file("cert.pem"), "--tls-private-key-file=" + c.file("key.pem"),
		"--token-auth-file=" + c.file("tokens.csv"), "--authorization-mode=RBAC",
		"--etcd-servers=http://" + c.etcdAt,
		"--disable-admission-plugins=ServiceAccount", "--endpoint-reconciler-type=none",
		"--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-key-file=" + c.file("key.pem"),
		"--service-account-signing-key-file=" + c.file("key.pem"),
		"--audit-log-path=" + c.AuditLog(), "--audit-policy-file=" + c.file("policy.yaml"),
	}
}

// freePorts returns n ports on 127.0.0.1 on which nobody listens. They are below the range from which Linux takes the local
// ports of outgoing connections, so that no such connection can occupy one while the server is down.
func freePorts(n int) (ports []int, err error) {
	for range 1000 {
		port := 20000 + rand.IntN(12000)
		l, listenErr := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if listenErr != nil {
			err = listenErr
			continue
		}
		defer l.Close()
		if ports = append(ports, port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, fmt.Errorf("no free port on 127.0.0.1 between 20000 and 32000: %w", err)
}
