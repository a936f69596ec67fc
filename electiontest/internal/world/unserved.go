package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// notServed adds q to w.unserved if the answer r says that the server in memory does not serve such requests; perhaps a real
// server does. The caller holds w.mu.
func (w *world) notServed(q *http.Request, r *http.Response) {
	switch r.StatusCode {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusNotImplemented:
	default:
		return
	}
	text, err := peek(r)
	var status metav1.Status
	if err != nil || json.Unmarshal(text, &status) != nil {
		return
	}
	if r.StatusCode == http.StatusNotFound && status.Details != nil && status.Details.Name != "" {
		return // the resource is there, and the object is not
	}
	w.unserved[fmt.Sprintf("%s %s (%d)", q.Method, q.URL.Path, r.StatusCode)] = true
}

// most is how many of the requests in w.unserved a message names.
const most = 4

// refusals returns a message about the requests that the server in memory did not serve, "" for none.
func (w *world) refusals() string {
	all := slices.Sorted(maps.Keys(w.unserved))
	if len(all) == 0 {
		return ""
	}
	if more := len(all) - most; more > 0 {
		all = append(all[:most], fmt.Sprintf("and %d more", more))
	}
	return "the server in memory does not serve what the code asked for: " + strings.Join(all, ", ")
}
