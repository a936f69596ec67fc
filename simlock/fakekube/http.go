package fakekube

import (
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// ConfigFor returns the configuration of a real client of the server, for the user. Its requests are HTTP, with bodies in JSON
// or in another form that client-go sends, but go through no socket. A request ends with its context; if it was sent by then,
// the server perhaps still executes it. Client-go's own limit on the rate of requests is off.
func (s *Server) ConfigFor(user string) *rest.Config {
	return &rest.Config{
		Host:          "http://fakekube",
		QPS:           -1,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
		Transport:     &transport{s, user},
	}
}

// transport carries one user's HTTP requests to the server, without a socket.
type transport struct {
	server *Server
	user   string
}

// RoundTrip answers a request. An error of the server is a response with a Status; RoundTrip itself returns only errors of the
// transport, such as that of an ended context.
func (t *transport) RoundTrip(q *http.Request) (*http.Response, error) {
	h := &reply{request: q, header: http.Header{"Content-Type": {"application/json"}}}
	body, err := readBody(q)
	if err != nil {
		return h.error(err)
	}
	if q.Method == http.MethodGet {
		if page := t.server.discoveryPage(q.URL.Path); page != nil {
			if q.URL.Path == "/openapi/v2" && wantsOpenAPIProto(q) {
				return h.openAPIProto(page)
			}
			return h.object(http.StatusOK, page)
		}
	}
	form, err := formOf(q)
	if err != nil {
		return h.error(err)
	}
	r, err := h.parse(t.server, t.user, body)
	var a answer
	if err == nil {
		a, err = t.server.serveWithin(q.Context(), r)
		if err != nil {
			return nil, err
		}
	}
	if r != nil {
		h.warn(r.warnings)
	}
	switch {
	case err != nil:
		return h.error(err)
	case a.err != nil:
		return h.error(a.err)
	}
	k, code := t.server.kindOf(r.resource).subresource(r.subresource), http.StatusOK
	if a.stream != nil {
		return h.stream(form, k, a.stream)
	}
	if r.created {
		code = http.StatusCreated
	}
	return h.object(code, form.shaped(k, a.obj))
}

// route stores in r what a URL path is about: resource, namespace, name and subresource. It returns false for a path that is not
// of that form; r is then perhaps changed in part.
func route(path string, r *request) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		r.resource.Version, parts = parts[1], parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		r.resource.Group, r.resource.Version, parts = parts[1], parts[2], parts[3:]
	default:
		return false
	}
	if len(parts) >= 3 && parts[0] == "namespaces" && parts[2] != "status" && parts[2] != "finalize" {
		r.namespace, parts = parts[1], parts[2:]
	}
	for i, to := range []*string{&r.resource.Resource, &r.name, &r.subresource} {
		if i < len(parts) {
			*to = parts[i]
		}
	}
	return len(parts) <= 3
}

// parse translates the HTTP request, whose body is given, into the user's request to the server. It returns an error if the
// request is invalid, which is the server's answer; the request beside it is then nil or incomplete.
func (h *reply) parse(s *Server, user string, body []byte) (*request, error) {
	r := &request{user: user}
	found := route(h.request.URL.Path, r)
	k := s.kindOf(r.resource)
	if !found || k == nil || k.subresource(r.subresource) == nil {
		return nil, noSuchPage("")
	}
	query := h.request.URL.Query()
	named := r.name != ""
	if h.request.Method == http.MethodPatch && named {
		r.patchType = types.PatchType(mediaType(h.request))
		if !slices.Contains(patchTypes, r.patchType) {
			return r, unknownPatchType()
		}
	}
	if text := k.deprecation(); text != "" {
		r.warn(text)
	}
	switch method := h.request.Method; {
	case method == http.MethodGet && named:
		r.verb, r.version = "get", query.Get("resourceVersion")
		return r, nil
	case method == http.MethodGet:
		r.verb = "list"
		if w := query.Get("watch"); w == "1" || w == "true" {
			r.verb = "watch"
		}
		return r, readList(query, &r.list)
	case method == http.MethodPost && (!named || k.subresource(r.subresource) != k):
		r.verb = "create"
	case method == http.MethodPut && named:
		r.verb = "update"
	case method == http.MethodPatch && named:
		r.verb, r.patch = "patch", body
		return r, readPatchOptions(query, r)
	case method == http.MethodDelete:
		r.verb = "delete"
		if !named {
			r.verb = "deletecollection"
		}
		if err := readList(query, &r.list); err != nil {
			return r, err
		}
		return r, readDeleteOptions(query, mediaType(h.request), body, r)
	default:
		return nil, noSuchMethod("")
	}
	if err := readWriteOptions(query, r); err != nil {
		return r, err
	}
	var err error
	r.object, err = k.subresource(r.subresource).decodeBody(r, mediaType(h.request), body)
	return r, err
}
