package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// users are the users that the server knows, with their groups.
var users = map[string]string{"admin": "system:masters", "elector": "", "cand": "", "nobody": ""}

// serverName is a name in the server's certificate, which is valid for 127.0.0.1 too.
const serverName = "localhost"

// token returns the bearer token of a user.
func token(user string) string { return "token-of-" + user }

// tokens returns the content of the file for --token-auth-file: lines of token, user, uid, groups.
func tokens() string {
	var b strings.Builder
	for user, groups := range users {
		fmt.Fprintf(&b, "%s,%s,uid-of-%s,%q\n", token(user), user, user, groups)
	}
	return b.String()
}

// Config returns a configuration for clients of a user. "admin" may do everything. "elector", "cand" and "nobody" may do what
// roles that are bound to them (as User, without a prefix) allow, at first nothing. "" sends no token. Any other name sends a
// token that the server does not know, which it answers with 401. Requests are not throttled.
func (c *Cluster) Config(user string) *rest.Config {
	config := &rest.Config{Host: c.url, QPS: -1}
	config.CAData = c.ca
	if user != "" {
		config.BearerToken = token(user)
	}
	return config
}

// Kubeconfig writes a kubeconfig file for a user of Config, with mode 0600, and returns its path. The file lasts as long as the
// test. If server is not "", the file names that URL, such as https://127.0.0.1:1234 of a TCP proxy, instead of this cluster's.
// Certificates are verified in either case.
func (c *Cluster) Kubeconfig(t testing.TB, user, server string) string {
	t.Helper()
	if server == "" {
		server = c.url
	}
	config := api.NewConfig()
	config.Clusters["test"] = &api.Cluster{Server: server, CertificateAuthorityData: c.ca, TLSServerName: serverName}
	config.AuthInfos[user] = &api.AuthInfo{Token: c.Config(user).BearerToken}
	config.Contexts["test"] = &api.Context{Cluster: "test", AuthInfo: user, Namespace: "default"}
	config.CurrentContext = "test"
	dir, err := os.MkdirTemp(t.TempDir(), "kubeconfig")
	require.NoError(t, err)
	name := filepath.Join(dir, "config")
	require.NoError(t, clientcmd.WriteToFile(*config, name))
	return name
}
