package fakekube

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
)

// get executes a get and returns a copy of the stored object. It returns an error if there is no such object, or if the
// request's resourceVersion cannot be read or is above the server's.
func (s *Server) get(r *request, k *kind) (runtime.Object, error) {
	if _, err := parseVersion(r.version); err != nil {
		return nil, internal("resourceVersion: " + versionInvalid(r.version, err))
	}
	if err := s.reached(r.version); err != nil {
		return nil, err
	}
	obj := s.find(r)
	if obj == nil {
		return nil, notFound(r)
	}
	return k.sent(obj)
}

// reached returns an error for a resourceVersion that is invalid or above the server's current one, nil otherwise.
func (s *Server) reached(version string) error {
	v, err := parseVersion(version)
	switch {
	case err != nil:
		return badRequest("invalid resource version: resourceVersion: " + versionInvalid(version, err))
	case v > s.version:
		return tooLarge(v, s.version)
	}
	return nil
}

// exactly returns the resourceVersion that a list asks for, and whether it wants the state at exactly that version; if not
// exact, a newer state will do. The version is 0 if the list gives none, or one that is no number, or if it has a continue
// token, which contains the version. If the list does not say whether it wants exactly that version, it does if it has a limit,
// unless it selects a single name (ValidateListOptions and storage.GetListOptions of k8s.io/apiserver).
func exactly(o *metav1.ListOptions) (version uint64, exact bool) {
	version, err := parseVersion(o.ResourceVersion)
	if err != nil || version == 0 || o.Continue != "" {
		return 0, false
	}
	return version, o.ResourceVersionMatch == metav1.ResourceVersionMatchExact ||
		o.ResourceVersionMatch == "" && o.Limit > 0 && !single(o)
}

// single tells whether a list's field selector asks for one name. Such a list has no pages. A selector that cannot be read is
// not single.
func single(o *metav1.ListOptions) bool {
	about, err := fields.ParseSelector(o.FieldSelector)
	if err != nil {
		return false
	}
	_, one := about.RequiresExactMatch("metadata.name")
	return one
}

// versionInvalid returns the part of an error message that says why a resourceVersion cannot be read.
func versionInvalid(version string, err error) string {
	return "Invalid value: " + strconv.Quote(version) + ": " + err.Error()
}

// listed executes a list and returns the selected objects, sorted by namespace and name. If the request has a limit, it returns
// one page of them, with a continue token if there are more; with the version "0", or a selector of a single name, it ignores the
// limit. If the request asks for exactly one version, or has a continue token, the objects are as they were at that version. If that
// version is forgotten or not reached yet, listed returns an error.
func (s *Server) listed(r *request, k *kind) (runtime.Object, error) {
	match, err := k.matcher(r)
	if err != nil {
		return nil, err
	}
	version := r.list.ResourceVersion
	if r.list.Continue == "" {
		if err := s.reached(version); err != nil {
			return nil, err
		}
	}
	objects, from := s.sorted(r), position{Version: s.version}
	if v, exact := exactly(&r.list); exact {
		from.Version = v
		if objects, err = s.sortedAt(r, v); err != nil {
			return nil, err
		}
	}
	if r.list.Continue != "" {
		if from, err = readPosition(r.list.Continue); err != nil {
			return nil, err
		}
		if version != "" && version != "0" {
			return nil, badRequest("specifying resource version is not allowed when using continue")
		}
		if objects, err = s.sortedAt(r, from.Version); err != nil {
			return nil, err
		}
	}
	here := slices.DeleteFunc(objects, func(obj runtime.Object) bool {
		return r.namespace != "" && metaOf(obj).Namespace != r.namespace || r.path(obj) < from.Start
	})
	found := slices.DeleteFunc(slices.Clone(here), func(obj runtime.Object) bool { return !match(obj) })
	list, err := k.scheme.New(k.GroupVersion().WithKind(k.Kind + "List"))
	if err != nil {
		return nil, noSuchPage(r.verb)
	}
	head := list.(metav1.ListInterface)
	head.SetResourceVersion(versionText(from.Version))
	// A page that is full has a next one where any object follows, even one that is not selected.
	if n := r.list.Limit; n > 0 && version != "0" && !single(&r.list) && n <= int64(len(found)) && found[n-1] != here[len(here)-1] {
		last, rest := found[n-1], int64(len(found))-n
		from.Start = r.path(last) + "\x00"
		head.SetContinue(from.token())
		if r.list.LabelSelector == "" && r.list.FieldSelector == "" {
			head.SetRemainingItemCount(&rest)
		}
		found = found[:n]
	}
	items := make([]runtime.Object, len(found))
	for i, obj := range found {
		if items[i], err = k.sent(obj); err != nil {
			return nil, err
		}
	}
	if err := meta.SetList(list, items); err != nil {
		return nil, badRequest(err.Error())
	}
	return list, nil
}
