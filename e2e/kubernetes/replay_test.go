package kubernetes_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/apirecord"
)

// TestRecorded plays what was recorded: fakekube answers the same (simlock/fakekube), so this is what keeps the recording
// true. It has a server of its own, in which nobody else makes Leases.
func TestRecorded(t *testing.T) {
	c := cluster.Start(t)
	clients := map[string]http.RoundTripper{}
	player := apirecord.Player{
		Send: func(o *apirecord.Request) (int, http.Header, []byte) {
			if clients[o.User] == nil {
				client, err := rest.TransportFor(c.Config(o.User))
				require.NoError(t, err)
				clients[o.User] = client
			}
			return o.Send(t, clients[o.User], c.URL())
		},
		Skip: map[string]string{"version": "built by other means, at another time"},
		Before: func(o *apirecord.Request) bool {
			if o.Name == "get future resourceVersion" {
				for range 2 { // the recorded server had written two objects of its own
					writeConfigMap(t, c)
				}
			}
			return true
		},
	}
	assert.Equal(t, 109, player.Play(t, apirecord.Read(t, "../../testdata/apiserver/ground-truth.json")))
	_, versions := player.Versions()
	last := 0
	for _, text := range versions {
		if text == "1" {
			continue // a stale one that a request names, and an error quotes
		}
		version, err := strconv.Atoi(text)
		require.NoError(t, err)
		assert.Less(t, last, version, "one counter for all objects")
		last = version
	}
}

func writeConfigMap(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	_, err := kubernetes.NewForConfigOrDie(c.Config("admin")).CoreV1().ConfigMaps("default").Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "any-"}}, metav1.CreateOptions{})
	require.NoError(t, err)
}
