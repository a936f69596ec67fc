package fakekube

import (
	"mime"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// form tells how a client wants the objects of an answer.
type form struct {
	// metadata: of each object only its metadata, as PartialObjectMetadata.
	metadata bool
}

// formOf returns the first form of the header Accept that this server can give: JSON, of whole objects or of their metadata. It
// returns the error 406 if there is none, as for tables and for protobuf alone. Without the header it is whole objects.
func formOf(q *http.Request) (form, error) {
	accept := strings.Join(q.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return form{}, nil
	}
	for _, text := range strings.Split(accept, ",") {
		media, params, err := mime.ParseMediaType(text)
		if err != nil || media != "application/json" && media != "application/*" && media != "*/*" {
			continue
		}
		switch params["as"] {
		case "":
			return form{}, nil
		case "PartialObjectMetadata", "PartialObjectMetadataList":
			if params["g"] == metav1.GroupName && params["v"] == "v1" {
				return form{metadata: true}, nil
			}
		}
	}
	return form{}, statusError(http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable,
		"fakekube answers in application/json only, with whole objects or PartialObjectMetadata of meta.k8s.io/v1")
}

// shaped returns obj, an object of kind k, a list of such objects, or a Status, in the form f, with its kind and apiVersion. Items
// of a program's own kind have them too. It sets both in obj itself. A Status is always whole.
func (f form) shaped(k *kind, obj runtime.Object) runtime.Object {
	setKind(k, obj)
	if k.custom && meta.IsListType(obj) {
		_ = meta.EachListItem(obj, func(item runtime.Object) error { // no item fails
			setKind(k, item)
			return nil
		})
	}
	if _, ok := obj.(*metav1.Status); ok || !f.metadata {
		return obj
	}
	if head, ok := obj.(metav1.ListInterface); ok && meta.IsListType(obj) {
		list := &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{}}
		list.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadataList"))
		list.ResourceVersion, list.Continue = head.GetResourceVersion(), head.GetContinue()
		list.RemainingItemCount = head.GetRemainingItemCount()
		_ = meta.EachListItem(obj, func(item runtime.Object) error { // no item fails
			list.Items = append(list.Items, *partial(item))
			return nil
		})
		return list
	}
	return partial(obj)
}

// partial returns the metadata of an object.
func partial(obj runtime.Object) *metav1.PartialObjectMetadata {
	p := meta.AsPartialObjectMetadata(metaOf(obj))
	p.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
	return p
}
