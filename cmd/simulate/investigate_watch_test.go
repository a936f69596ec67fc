package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/simlock/fakekube"
)

// TestInvestigateWatch: a server's Leases are told of as logs are, with what a watch cannot know left open. Only lists and watches are asked for.
func TestInvestigateWatch(t *testing.T) {
	folder(t)
	var server fakekube.Server
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "manager"}, Spec: coordinationv1.LeaseSpec{
		HolderIdentity: ptr.To("a"), LeaseDurationSeconds: ptr.To[int32](15), RenewTime: ptr.To(metav1.NowMicro())}}
	_, err := clientset.NewForConfigOrDie(server.ConfigFor("admin")).CoordinationV1().Leases("shop").Create(t.Context(), lease, metav1.CreateOptions{})
	require.NoError(t, err)
	var mu sync.Mutex
	asked := map[string]bool{}
	way := server.ConfigFor("watcher").Transport
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		asked[q.Method+" "+q.URL.Path] = true
		mu.Unlock()
		a, err := way.RoundTrip(q)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer a.Body.Close()
		w.Header().Set("Content-Type", a.Header.Get("Content-Type"))
		w.WriteHeader(a.StatusCode)
		for part := make([]byte, 4096); err == nil; {
			var n int
			n, err = a.Body.Read(part)
			_, _ = w.Write(part[:n])
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(h.Close)
	config := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "k", "cluster": {"server": %q}}],
"users": [{"name": "u", "user": {}}], "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}]}`, h.URL)
	require.NoError(t, os.WriteFile("kubeconfig", []byte(config), 0o600))

	got := simulate("", "investigate", "--kubeconfig", "kubeconfig", "--watch", "3s", "--metrics", "127.0.0.1:0")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, got.stderr, "simulate: watching 1 Lease of http://127.0.0.1:")
	assert.Contains(t, got.stderr, "simulate: metrics are at http://127.0.0.1:")
	assert.Contains(t, got.stdout, "leases shop/manager: no change of the holder is logged")
	assert.Contains(t, got.stdout, "Times are those at which the watch saw a write")
	assert.NotContains(t, got.stdout, "CERTAIN")
	mu.Lock()
	defer mu.Unlock()
	for request := range asked {
		assert.Contains(t, []string{"GET /apis/coordination.k8s.io/v1/leases", "GET /api/v1/events"}, request)
	}
	assert.Len(t, asked, 2)
}
