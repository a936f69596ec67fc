package fakekube

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// bodyLimit is the longest body in bytes: 3 MiB, as in k8s.io/apiserver.
const bodyLimit = 3 << 20

// reply makes the answer to one HTTP request: its methods return responses with its header.
type reply struct {
	request *http.Request
	header  http.Header
}

// readBody returns a request's body, nil if it has none. It returns an error for a body that is longer than bodyLimit or cannot
// be read.
func readBody(q *http.Request) ([]byte, error) {
	if q.Body == nil {
		return nil, nil
	}
	defer q.Body.Close()
	body, err := io.ReadAll(io.LimitReader(q.Body, bodyLimit+1))
	switch {
	case err != nil:
		return nil, badRequest(err.Error())
	case len(body) > bodyLimit:
		return nil, statusError(http.StatusRequestEntityTooLarge, metav1.StatusReasonRequestEntityTooLarge,
			"Request entity too large: limit is "+strconv.Itoa(bodyLimit))
	}
	return body, nil
}

// mediaType returns the content type of a request's body, "" if it is missing or cannot be parsed.
func mediaType(q *http.Request) string {
	name, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return name
}

// decodeBody decodes a request's body, whose content type is media, into an object of kind k. The body need not name its kind,
// unless the kind is a program's own. If the body names another kind or version, or if media is another type than JSON, YAML
// or protobuf, decodeBody returns an error. For unknown fields it adds warnings, does nothing or returns an error, as the request's
// fieldValidation says.
func (k *kind) decodeBody(r *request, media string, body []byte) (runtime.Object, error) {
	var decoder runtime.Decoder
	switch media {
	case "application/json", "":
		decoder = k.strictDecoder(false)
	case "application/yaml":
		decoder = k.strictDecoder(true)
	case runtime.ContentTypeProtobuf:
		decoder = scheme.Codecs.UniversalDeserializer()
	default:
		return nil, unsupportedMediaType()
	}
	defaults := &k.GroupVersionKind
	if k.custom {
		defaults = nil
	}
	obj, actual, err := decoder.Decode(body, defaults, nil)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	isStrict = isStrict && obj != nil
	if err != nil && !isStrict {
		return nil, undecodable(k, actual, body, err)
	}
	if actual.GroupKind() != k.GroupKind() {
		internal, _, _ := strings.Cut(cmp.Or(k.Group, "core"), ".")
		return nil, cannotHandle(k, actual, fmt.Errorf("converting (%s.%s) to (%s.%s): unknown conversion",
			actual.Version, actual.Kind, internal, k.Kind))
	}
	if isStrict && r.validation == metav1.FieldValidationStrict {
		return nil, undecodable(k, actual, body, err)
	}
	if isStrict {
		r.warnOf(strict.Errors())
	}
	if actual.Version != k.Version && actual.Version != k.otherVersion {
		return nil, badRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)",
			actual.GroupVersion(), k.GroupVersion()))
	}
	return obj, nil
}

// warn adds warnings to the answer's header, each text once.
func (h *reply) warn(texts []string) {
	for i, text := range texts {
		if !slices.Contains(texts[:i], text) {
			h.header.Add("Warning", fmt.Sprintf("299 - %q", text))
		}
	}
}

// undecodable returns the error 400 for a body that cannot be decoded, in the words of k8s.io/apiserver (transformDecodeError of
// pkg/endpoints/handlers). actual is the kind that the body names, nil if that is not known.
func undecodable(k *kind, actual *schema.GroupVersionKind, body []byte, err error) error {
	if actual != nil && !runtime.IsMissingKind(err) {
		return cannotHandle(k, actual, err)
	}
	return badRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)",
		k.Kind, err, summary(body)))
}

// summary returns the first 30 bytes of a body for a message, in hexadecimal digits if it does not begin as a JSON object does;
// "<empty>" for an empty body.
func summary(body []byte) string {
	if len(body) == 0 {
		return "<empty>"
	}
	begin, rest := body, ""
	if len(body) > 30 {
		begin, rest = body[:30], " ..."
	}
	if body[0] == '{' {
		return string(begin) + rest
	}
	return hex.EncodeToString(begin) + rest
}

// cannotHandle returns the error 400 for a body whose kind or version, actual, is not the one that the request wants, or for a
// body that cannot be decoded; err says why.
func cannotHandle(k *kind, actual *schema.GroupVersionKind, err error) error {
	return badRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
		actual.Kind, actual.GroupVersion().Version, k.Kind, err))
}

// setKind sets the kind and apiVersion in obj, which is an object of kind k, a list of such objects, or a Status.
func setKind(k *kind, obj runtime.Object) {
	gvk := k.GroupVersionKind
	if _, ok := obj.(*metav1.Status); ok {
		gvk = schema.GroupVersionKind{Version: "v1", Kind: "Status"}
	} else if meta.IsListType(obj) {
		gvk.Kind += "List"
	}
	obj.GetObjectKind().SetGroupVersionKind(gvk)
}

// error returns the HTTP response for an error: a Status as JSON. An error that is no APIStatus gets the code 500. Its own error
// is that of encoding.
func (h *reply) error(err error) (*http.Response, error) {
	answer := metav1.Status{Status: metav1.StatusFailure, Message: err.Error(), Code: http.StatusInternalServerError}
	if e := apierrors.APIStatus(nil); errors.As(err, &e) {
		answer = e.Status()
	}
	answer.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Status"})
	if d := answer.Details; d != nil && d.RetryAfterSeconds > 0 {
		h.header.Set("Retry-After", strconv.Itoa(int(d.RetryAfterSeconds)))
	}
	return h.object(int(answer.Code), &answer)
}

// object returns the HTTP response with a status code and an object as JSON.
func (h *reply) object(code int, obj any) (*http.Response, error) {
	text, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	return h.respond(code, io.NopCloser(bytes.NewReader(text))), nil
}

// respond returns the HTTP response with a status code and a body.
func (h *reply) respond(code int, body io.ReadCloser) *http.Response {
	return &http.Response{
		Status: fmt.Sprintf("%d %s", code, http.StatusText(code)), StatusCode: code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h.header, Body: body, ContentLength: -1, Request: h.request,
	}
}
