package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// secret stands in every input wherever a manifest, a log or a kubeconfig has secrets, and must come out nowhere.
const secret = "hunter2-S3cr3t"

// keepsSecret fails where a command's output, or a file in the folder but for the given ones, has the secret.
func keepsSecret(t *testing.T, got ran, about string, given ...string) {
	t.Helper()
	assert.NotContains(t, got.stdout, secret, about)
	assert.NotContains(t, got.stderr, secret, about)
	require.NoError(t, filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		for _, name := range given {
			if path == name {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		assert.NotContains(t, string(text), secret, "%s: %s", about, path)
		return err
	}))
}

// TestGateKeepsSecrets: of manifests, sound and broken, it prints what is about leader election alone.
func TestGateKeepsSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	pod := `apiVersion: v1
kind: Pod
metadata: {name: p, annotations: {note: SECRET}}
spec:
  volumes: [{name: v, configMap: {name: c}}]
  containers:
  - name: m
    image: example.com/m
    command: [sh, -c, "PASSWORD=SECRET exec m --db-password=SECRET --leader-elect"]
    args: [--leader-elect, --leader-elect-lease-duration=15s, --leader-elect-renew-deadline=14s, --token=SECRET, --dsn, "postgres://u:SECRET@h/db"]
    env:
    - {name: DB_PASSWORD, value: SECRET}
    - {name: DSN, value: "postgres://u:SECRET@h/db"}
    - {name: LEASE_DURATION, value: 20s}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: SECRET, config.yaml: "leaderElection: {leaseDuration: 15s, token: SECRET}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {config.yaml: "leaderElection: {leaseDuration: 15s, renewDeadline: 14s, password: SECRET}", other: "SECRET"}
`
	broken := map[string][2]string{
		"whole":               {"", ""},
		"number for text":     {"{name: DB_PASSWORD, value: SECRET}", "{name: DB_PASSWORD, value: [SECRET]}"},
		"mapping for text":    {"{name: DB_PASSWORD, value: SECRET}", "{name: DB_PASSWORD, value: {SECRET: SECRET}}"},
		"list for a variable": {"- {name: DB_PASSWORD, value: SECRET}", "- [SECRET, SECRET]"},
		"text for variables":  {"env:\n", "env: SECRET\n    other:\n"},
		"quote":               {"value: SECRET}", `value: "SECRET}`},
		"tab":                 {"value: SECRET}", "value: SECRET\t: SECRET: SECRET}"},
		"alias":               {"value: SECRET}", "value: *SECRET}"},
		"tag":                 {"value: SECRET}", "value: !!int SECRET}"},
		"escape":              {"value: SECRET}", `value: "\q SECRET"}`},
		"colon":               {"password: SECRET, config", "password: SECRET: SECRET, config"},
		"indent":              {"stringData:", "   stringData: SECRET\n  x: SECRET\n"},
		"bad duration":        {"renew-deadline=14s", "renew-deadline=14 --token=SECRET"},
		"script":              {`"PASSWORD=SECRET exec`, `"PASSWORD='SECRET exec`},
		"inner":               {"renewDeadline: 14s, password: SECRET", "renewDeadline: 14s, password: 'SECRET"},
		"twice":               {"stringData: {password: SECRET", "stringData: {password: SECRET, password: SECRET"},
		"no end":              {"other: \"SECRET\"}", "other: \"SECRET\""},
	}
	for name, c := range broken {
		text := strings.ReplaceAll(strings.Replace(pod, c[0], c[1], 1), "SECRET", secret)
		require.NoError(t, os.WriteFile("m.yaml", []byte(text), 0o600))
		for _, form := range []string{"text", "json", "markdown", "junit", "sarif"} {
			got := simulate("", "gate", "m.yaml", "--require", "-o", form, "--witness", "w", "--force")
			keepsSecret(t, got, name+" as "+form, "m.yaml")
		}
	}
}

// TestCalibrateKeepsSecrets: a log has whole objects in it, and a kubeconfig what lets one in.
func TestCalibrateKeepsSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	log := strings.Replace(auditLog(5), `"verb"`, `"requestObject":{"data":{"password":"`+secret+`"}},"annotations":{"token":"`+secret+`"},`+
		`"requestURI":"/api?token=`+secret+`","user":{"username":"u","extra":{"t":["`+secret+`"]}},"verb"`, 1)
	for name, text := range map[string]string{
		"whole": log, "cut": log[:len(log)/2], "cut in the secret": log[:strings.Index(log, secret)+len(secret)],
		"no JSON": secret + "\n", "text for an object": strings.Replace(log, `"objectRef":{`, `"objectRef":"`+secret+`","x":{`, 1),
		"text for a time": strings.Replace(log, `"stage":"`, `"responseStatus":"`+secret+`","stage":"`, 1),
		"comma":           strings.Replace(log, `"`+secret+`"`, `"`+secret+`",,`, 1),
		"escape":          strings.Replace(log, `"`+secret+`"`, `"`+secret+`\q`, 1),
	} {
		got := simulate(text, "calibrate", "-", "--environment", "e.yaml", "--force")
		keepsSecret(t, got, name)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	encoded := base64.StdEncoding.EncodeToString([]byte(secret))
	for name, c := range map[string]struct{ cluster, user string }{
		"token":         {fmt.Sprintf(`"server": %q`, server.URL), fmt.Sprintf(`"token": %q`, secret)},
		"password":      {fmt.Sprintf(`"server": %q`, server.URL), fmt.Sprintf(`"username": "u", "password": %q`, secret)},
		"address":       {fmt.Sprintf(`"server": "http://u:%s@%s"`, secret, host), ""},
		"bad address":   {fmt.Sprintf(`"server": "http://u:%s@%s:x"`, secret, host), ""},
		"no server":     {fmt.Sprintf(`"server": "http://u:%s@127.0.0.1:1"`, secret), ""},
		"proxy":         {fmt.Sprintf(`"server": %q, "proxy-url": "http://u:%s@127.0.0.1:1"`, server.URL, secret), ""},
		"bad proxy":     {fmt.Sprintf(`"server": %q, "proxy-url": "ftp://u:%s@h:x"`, server.URL, secret), ""},
		"list as token": {fmt.Sprintf(`"server": %q`, server.URL), fmt.Sprintf(`"token": [%q]`, secret)},
		"certificate":   {fmt.Sprintf(`"server": %q`, server.URL), fmt.Sprintf(`"client-key-data": %q, "client-certificate-data": %q`, encoded, encoded)},
		"no base64":     {fmt.Sprintf(`"server": %q`, server.URL), fmt.Sprintf(`"client-key-data": "!%s"`, secret)},
		"exec": {fmt.Sprintf(`"server": %q`, server.URL), fmt.Sprintf(`"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "missing", `+
			`"interactiveMode": "Never", "args": [%q], "env": [{"name": "T", "value": %q}]}`, secret, secret)},
	} {
		config := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "k", "cluster": {%s}}],
"users": [{"name": "u", "user": {%s}}], "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}]}`, c.cluster, c.user)
		require.NoError(t, os.WriteFile("kubeconfig", []byte(config), 0o600))
		for _, form := range []string{"text", "json"} {
			got := simulate("", "calibrate", "--kubeconfig", "kubeconfig", "--lease", "x", "--namespace", "y", "--for", "20ms",
				"--interval", "5ms", "-o", form, "--environment", "e.yaml", "--force")
			assert.NotEqual(t, exit.AsExpected, got.code, name)
			keepsSecret(t, got, name+" as "+form, "kubeconfig")
		}
	}
}

// TestCalibrateWantsTLS: who answers must be who the kubeconfig says.
func TestCalibrateWantsTLS(t *testing.T) {
	t.Chdir(t.TempDir())
	asked := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	for insecure, want := range map[string]string{
		`, "insecure-skip-tls-verify": true`: "the kubeconfig has insecure-skip-tls-verify: anybody could answer for the API server",
		"":                                   "certificate signed by unknown authority",
	} {
		config := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "k", "cluster": {"server": %q%s}}],
"users": [{"name": "u", "user": {"token": "t"}}], "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}]}`, server.URL, insecure)
		require.NoError(t, os.WriteFile("kubeconfig", []byte(config), 0o600))
		got := simulate("", "calibrate", "--kubeconfig", "kubeconfig", "--lease", "x", "--namespace", "y", "--for", "20ms", "--interval", "5ms")
		assert.NotEqual(t, exit.AsExpected, got.code)
		assert.Contains(t, got.stderr, want)
	}
	assert.False(t, asked)
}
