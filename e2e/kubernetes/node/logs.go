//go:build linux

package node

import (
	"net/http"
	"net/http/httptest"
	"os"
)

// serveLogs starts a server that answers the API server's requests for pods' logs, as a kubelet does, and returns it. A request
// that follows a log is answered only when the pod has ended.
func (n *Node) serveLogs() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		p := n.named(r.PathValue("namespace"), r.PathValue("pod"))
		if p == nil || p.Spec.Containers[0].Name != r.PathValue("container") {
			http.Error(w, "no such container here", http.StatusNotFound)
			return
		}
		if r.URL.Query().Get("follow") == "true" {
			select {
			case <-p.over:
			case <-r.Context().Done():
				return
			}
		}
		text, err := os.ReadFile(p.log)
		if err != nil {
			http.Error(w, "the container is waiting to start", http.StatusBadRequest)
			return
		}
		_, _ = w.Write(text) // an error says that nobody listens any more
	})
	return httptest.NewTLSServer(mux)
}

// named returns the node's pod of that namespace and name, nil for none.
func (n *Node) named(namespace, name string) *pod {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.pods {
		if p.Namespace == namespace && p.Name == name {
			return p
		}
	}
	return nil
}
