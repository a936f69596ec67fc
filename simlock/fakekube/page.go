package fakekube

import (
	"encoding/base64"
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
)

// position says where the next page of a list begins, and in the state of which version. It is the content of a continue token,
// as in k8s.io/apiserver/pkg/storage/continue.go.
type position struct {
	APIVersion string `json:"v"`
	Version    uint64 `json:"rv"`
	Start      string `json:"start"`
}

const tokenVersion = "meta.k8s.io/v1"

// token encodes the position as a continue token.
func (p position) token() string {
	p.APIVersion = tokenVersion
	text, _ := json.Marshal(p) // it always can be
	return base64.RawURLEncoding.EncodeToString(text)
}

// readPosition decodes a continue token. It returns the error 400 with the reason if the token is not valid.
func readPosition(token string) (p position, err error) {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	why := ""
	switch {
	case err != nil:
		why = ": " + err.Error()
	case p.APIVersion != tokenVersion:
		why = ": server does not recognize this encoded version " + p.APIVersion
	case p.Version == 0:
		why = ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)"
	case p.Start == "":
		why = ": encoded start key empty (version meta.k8s.io/v1)"
	default:
		return p, nil
	}
	return p, badRequest("invalid continue token: continue key is not valid" + why)
}

// path returns an object's sort key in the list that the request asks for: "/name", or "/namespace/name" for a list of all
// namespaces.
func (r *request) path(obj runtime.Object) string {
	m, path := metaOf(obj), ""
	if r.namespace == "" && m.Namespace != "" {
		path = "/" + m.Namespace
	}
	return path + "/" + m.Name
}
