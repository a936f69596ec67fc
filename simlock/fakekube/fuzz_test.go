package fakekube

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
)

// FuzzHTTP: whatever a client sends, the server answers it in JSON with a status of HTTP, and goes on: what it has can be
// listed by the real client.
func FuzzHTTP(f *testing.F) {
	const leases, one = "/apis/coordination.k8s.io/v1/namespaces/default/leases", `{"metadata":{"name":"g"},"spec":{"leaseDurationSeconds":15}}`
	for _, q := range [][4]string{
		{"POST", leases, "application/json", one},
		{"PUT", leases + "/g?dryRun=All", "application/json", `{"metadata":{"name":"g","resourceVersion":"1"}}`},
		{"GET", leases + "?limit=1&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ&labelSelector=a%3Db", "", ""},
		{"GET", leases + "?resourceVersion=99999999999999999999&resourceVersionMatch=Exact", "", ""},
		{"PATCH", leases + "/g", "application/json-patch+json", `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}},{"op":"copy","from":"/metadata","path":"/metadata/labels/c"}]`},
		{"PATCH", leases + "/g", "application/merge-patch+json", `{"spec":null,"metadata":{"annotations":{"a":"b"}}}`},
		{"PATCH", leases + "/g", "application/strategic-merge-patch+json", `{"$patch":"replace","metadata":{"ownerReferences":[{"uid":"x"}]}}`},
		{"DELETE", leases + "/g", "application/json", `{"preconditions":{"uid":"x"},"gracePeriodSeconds":-1}`},
		{"DELETE", leases + "?fieldSelector=metadata.name%3Dg", "", ""},
		{"POST", "/api/v1/namespaces/default/configmaps", "application/vnd.kubernetes.protobuf", "k8s\x00\n\x0f\n\x02v1\x12\tConfigMap"},
		{"POST", "/api/v1/namespaces/default/events", "application/yaml", "metadata: {generateName: x}\n"},
		{"GET", "/openapi/v2", "", ""}, {"GET", "//..//", "", ""},
	} {
		f.Add(q[0], q[1], q[2], []byte(q[3]))
	}
	f.Fuzz(func(t *testing.T, method, path, contentType string, body []byte) {
		u, err := url.Parse("http://fakekube" + path)
		if err != nil || u.Query().Get("watch") != "" {
			return
		}
		var s Server
		config := s.ConfigFor("a")
		client := clientset.NewForConfigOrDie(config).CoordinationV1().Leases(metav1.NamespaceAll)
		_, err = clientset.NewForConfigOrDie(config).CoordinationV1().Leases("default").Create(ctx, lease("g"), creating)
		require.NoError(t, err)
		q := &http.Request{
			Method: method, URL: u, Host: u.Host, Header: http.Header{"Content-Type": {contentType}},
			Body: io.NopCloser(bytes.NewReader(body)),
		}
		answer, err := config.Transport.RoundTrip(q.WithContext(ctx))
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.True(t, answer.StatusCode >= 200 && answer.StatusCode < 600, "%d", answer.StatusCode)
		require.True(t, json.Valid(text), "%s", text)
		require.Less(t, len(text), 4*bodyLimit)
		_, err = client.List(ctx, metav1.ListOptions{})
		require.NoError(t, err)
	})
}
