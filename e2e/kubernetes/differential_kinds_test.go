package kubernetes_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"interregnum/internal/apirecord"
	"interregnum/simlock/fakekube"
)

// TestDifferentialKinds sends requests on objects of many kinds to fakekube and to the real server. It compares the status codes of all answers,
// and of the last one the fields that the case shows: fakekube fills in no defaults, so that whole answers differ.
func TestDifferentialKinds(t *testing.T) {
	c := theServer(t)
	config := c.Config("admin")
	config.WarningHandler = rest.NoWarnings{}
	client, err := rest.TransportFor(config)
	require.NoError(t, err)
	namespaces := kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces()
	real := &side{url: c.URL(), client: client}
	defineBackups(t, real)
	for i, row := range kindsCases {
		t.Run(row.name, func(t *testing.T) {
			namespace := fmt.Sprintf("kinds-%d", i)
			_, err := namespaces.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
			require.NoError(t, err)
			var server fakekube.Server
			serveBackups(t, &server)
			real.names = apirecord.Names{}
			fake := &side{url: "http://fakekube", client: server.ConfigFor("admin").Transport}
			var a, b answer
			var here, there any
			for _, text := range row.requests {
				q := kindsCall(text, namespace)
				b, a = real.send(t, q), fake.send(t, q)
				require.Equal(t, b.code, a.code, "%s\nreal: %s\nfake: %s", text, b.text, a.text)
				there, here = real.names.Plain(t, b.text), fake.names.Plain(t, a.text)
			}
			for _, path := range strings.Fields(row.shown) {
				assert.Equal(t, fieldOf(there, path), fieldOf(here, path), "%s\nreal: %s\nfake: %s", path, b.text, a.text)
			}
		})
	}
}

// kindsCall is the call that a line of a case stands for: method, path, and perhaps a body. A path that does not begin with a slash is that of an
// object in the namespace. MERGE and APPLY are patches, META is a GET of metadata.
func kindsCall(text, namespace string) call {
	text = kindsBodies.Replace(strings.ReplaceAll(text, "$NS", namespace))
	method, rest, _ := strings.Cut(text, " ")
	path, body, _ := strings.Cut(rest, " ")
	c := call{method: method, contentType: "application/json", agent: "one", body: body}
	switch method {
	case "MERGE":
		c.method, c.contentType = http.MethodPatch, "application/merge-patch+json"
	case "META":
		c.method, c.accept = http.MethodGet, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
		if strings.Count(path, "/") == 1 && !strings.Contains(path, "watch") {
			c.accept = strings.Replace(c.accept, "Metadata", "MetadataList", 1)
		}
	case "APPLY":
		c.method, c.contentType = http.MethodPatch, "application/apply-patch+yaml"
		path += "?fieldManager=one"
	}
	parts := strings.SplitN(path, "/", 3)
	switch {
	case parts[0] == "": // with a slash in front
		c.path = path
	case parts[0] == "v1":
		c.path = "/api/v1/namespaces/" + namespace + strings.TrimPrefix(path, "v1")
	default:
		c.path = "/apis/" + parts[0] + "/" + parts[1] + "/namespaces/" + namespace + "/" + parts[2]
	}
	return c
}

// fieldOf is the field of an answer at a path like metadata.name or items.0.kind, nil if there is none.
func fieldOf(plain any, path string) any {
	for _, key := range strings.Split(path, ".") {
		switch at := plain.(type) {
		case map[string]any:
			plain = at[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(at) {
				return nil
			}
			plain = at[i]
		default:
			return nil
		}
	}
	return plain
}
