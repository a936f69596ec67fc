package lockscript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// tree is a JSON object.
type tree = map[string]any

// server is a small API server with three resources, as far as locks see it. It is also the transport to itself, without a
// network.
type server struct {
	note func(format string, args ...any)
	// objects are the objects called lock, by resource.
	objects       map[string]tree
	version, uids int
	verdicts      []verdict
}

var kinds = map[string][2]string{
	"configmaps": {"ConfigMap", "v1"}, "endpoints": {"Endpoints", "v1"}, "leases": {"Lease", "coordination.k8s.io/v1"},
}

var reasons = map[int]string{
	400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 409: "Conflict", 422: "Invalid",
	429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable", 504: "Timeout",
}

// answer is the server's answer: a status with an object, or with the reason for an error.
type answer struct {
	status int
	reason string
	object tree
}

var errLost = errors.New("connection lost")

// RoundTrip answers a request as the next verdict says, and adds both to the transcript. For a request whose context has ended
// it returns only that error, and uses no verdict.
func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	var v verdict
	if len(s.verdicts) > 0 {
		v, s.verdicts = s.verdicts[0], s.verdicts[1:]
	}
	if v.edit.resource != "" {
		s.edit(v.edit)
	}
	resource, name, body, err := parse(request)
	if err != nil {
		s.note("  %s %s: %v", request.Method, request.URL, err)
		return respond(request, 400, []byte(err.Error())), nil
	}
	s.note("%s", strings.TrimRight("  "+request.Method+" "+request.URL.RequestURI()+" "+text(body), " "))
	if v.lost && !v.applied {
		s.note("    lost")
		return nil, errLost
	}
	if v.status != 0 && !v.applied {
		return s.refuse(request, &v), nil
	}
	a := s.apply(request.Method, resource, name, body)
	s.note("    %s", strings.TrimSpace(strconv.Itoa(a.status)+" "+a.reason))
	switch {
	case v.lost:
		s.note("    answer lost")
		return nil, errLost
	case v.status != 0:
		return s.refuse(request, &v), nil
	case a.object == nil:
		return respond(request, a.status, status(a.status, a.reason)), nil
	case v.body == "-":
		s.note("    answered without metadata")
		return respond(request, a.status, []byte(text(typed(resource, tree{})))), nil
	case v.body != "":
		s.note("    answered %s", v.body)
		return respond(request, a.status, []byte(v.body)), nil
	}
	return respond(request, a.status, []byte(text(a.object))), nil
}

// refuse returns the error of the verdict as the answer to the request, as a Status or as plain text, and adds it to the
// transcript.
func (s *server) refuse(request *http.Request, v *verdict) *http.Response {
	s.note("    answered %d %s", v.status, cmp.Or(v.reason, "in plain text"))
	if v.reason == "" {
		return respond(request, v.status, []byte("no\n"))
	}
	return respond(request, v.status, status(v.status, v.reason))
}

// status returns the JSON of a Kubernetes Status for an error with that code and reason.
func status(code int, reason string) []byte {
	return []byte(text(tree{
		"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code, "message": "said no",
	}))
}

// respond returns the HTTP answer to a request with that status and body. Its Content-Type is JSON if the body begins
// with {, else plain text.
func respond(request *http.Request, status int, body []byte) *http.Response {
	kind := "application/json"
	if len(body) == 0 || body[0] != '{' {
		kind = "text/plain"
	}
	return &http.Response{
		StatusCode: status, Status: strconv.Itoa(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Request: request,
	}
}

// parse returns the parts of a request: the resource, the object's name ("" for none), and the body (nil for none). It drops
// nulls from the body's metadata: some versions of clients write them, and servers ignore them. It returns an error for a path
// that the server does not have, and for a body that is no JSON object.
func parse(request *http.Request) (resource, object string, body tree, err error) {
	rest := strings.TrimPrefix(strings.TrimPrefix(request.URL.Path, "/apis/coordination.k8s.io"), "/api")
	parts := strings.Split(strings.TrimPrefix(rest, "/v1/namespaces/"+namespace+"/"), "/")
	resource = parts[0]
	if _, ok := kinds[resource]; !ok || len(parts) > 2 {
		return "", "", nil, fmt.Errorf("no such path")
	}
	if len(parts) == 2 {
		object = parts[1]
	}
	if request.Body == nil {
		return resource, object, nil, nil
	}
	decoder := json.NewDecoder(request.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return "", "", nil, err
	}
	meta := metaOf(body)
	for key, value := range meta {
		if value == nil {
			delete(meta, key)
		}
	}
	return resource, object, body, nil
}

// metaOf returns the metadata of an object, which the caller can change. If there is none it adds an empty one.
func metaOf(object tree) tree {
	meta, ok := object["metadata"].(tree)
	if !ok {
		meta = tree{}
		object["metadata"] = meta
	}
	return meta
}

// text returns an object as JSON, with sorted keys; "" for nil.
func text(object tree) string {
	if object == nil {
		return ""
	}
	out, err := json.Marshal(object)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// typed sets the kind and API version of an object in place, by its resource, and returns the object.
func typed(resource string, object tree) tree {
	object["kind"], object["apiVersion"] = kinds[resource][0], kinds[resource][1]
	return object
}
