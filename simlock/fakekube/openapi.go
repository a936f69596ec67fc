package fakekube

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What OpenAPI says here is which kinds there are, and that each may have any field: clients that look up a kind find it,
// and validation by the schema lets everything through. A real server has all fields.

// openAPIPage returns the document at a path of OpenAPI: the index of v3, a group's page of it, or v2; nil for any other path,
// and for a group that has no kinds.
func (s *Server) openAPIPage(path string) any {
	group, isGroup := strings.CutPrefix(path, "/openapi/v3/")
	switch {
	case path == "/openapi/v2":
		return map[string]any{"swagger": "2.0", "info": openAPIInfo, "paths": map[string]any{}, "definitions": s.schemas("", true)}
	case path == "/openapi/v3":
		pages := map[string]any{}
		for resource := range s.allKinds() {
			at := pathOf(resource.GroupVersion())
			pages[at] = map[string]string{"serverRelativeURL": "/openapi/v3/" + at}
		}
		return map[string]any{"paths": pages}
	case isGroup:
		all := s.schemas(group, false)
		if len(all) == 0 {
			return nil
		}
		return map[string]any{"openapi": "3.0.0", "info": openAPIInfo, "paths": map[string]any{},
			"components": map[string]any{"schemas": all}}
	}
	return nil
}

var openAPIInfo = map[string]string{"title": "Kubernetes", "version": serverVersion}

// wantsOpenAPIProto returns whether the header Accept names protobuf before JSON. Both names of protobuf count: client-go sends the
// first, and a real server answers with the second.
func wantsOpenAPIProto(q *http.Request) bool {
	for text := range strings.SplitSeq(strings.Join(q.Header.Values("Accept"), ","), ",") {
		media, _, _ := strings.Cut(text, ";")
		switch strings.TrimSpace(media) {
		case "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", openAPIProto:
			return true
		case "application/json", "application/*", "*/*":
			return false
		}
	}
	return false
}

const openAPIProto = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"

// openAPIProto returns the HTTP response with a document of OpenAPI v2 as protobuf.
func (h *reply) openAPIProto(page any) (*http.Response, error) {
	text, err := json.Marshal(page)
	if err != nil {
		return nil, err
	}
	document, err := openapi_v2.ParseDocument(text)
	if err != nil {
		return nil, err
	}
	data, err := proto.Marshal(document)
	if err != nil {
		return nil, err
	}
	h.header.Set("Content-Type", openAPIProto)
	return h.respond(http.StatusOK, io.NopCloser(bytes.NewReader(data))), nil
}

// schemas returns the OpenAPI schemas of the served kinds, by name. at is the API group and version as in a URL path:
// "apis/apps/v1" or "api/v1". With all it returns the schemas of every kind, whatever at is.
func (s *Server) schemas(at string, all bool) map[string]any {
	found := map[string]any{}
	for resource, k := range s.allKinds() {
		if all || pathOf(resource.GroupVersion()) == at {
			found[schemaName(k.GroupVersionKind)] = map[string]any{
				"type":                                 "object",
				"x-kubernetes-preserve-unknown-fields": true,
				"x-kubernetes-group-version-kind": []map[string]string{
					{"group": k.Group, "version": k.Version, "kind": k.Kind}},
			}
		}
	}
	return found
}

// pathOf returns the part of a URL path that stands for an API group and version: apis/apps/v1 or api/v1.
func pathOf(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.String()
}

// schemaName returns a kind's name in OpenAPI: the parts of its group in reverse order, the version and the kind, as a
// real server has it for custom resources.
func schemaName(gvk schema.GroupVersionKind) string {
	group := "core"
	if gvk.Group != "" {
		parts := strings.Split(gvk.Group, ".")
		slices.Reverse(parts)
		group = strings.Join(parts, ".")
	}
	return group + "." + gvk.Version + "." + gvk.Kind
}
