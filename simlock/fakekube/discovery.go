package fakekube

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// discoveryPage returns the document that the discovery API, with OpenAPI and /version, serves at a URL path; nil for a
// path that is not part of it.
func (s *Server) discoveryPage(path string) any {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case strings.HasPrefix(path, "/openapi/"):
		return s.openAPIPage(path)
	case path == "/version":
		return &version.Info{Major: "1", Minor: "36", GitVersion: serverVersion}
	case path == "/api":
		return &metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
		}
	case path == "/apis":
		return s.groupList()
	case len(parts) == 2 && parts[0] == "apis":
		for _, g := range s.groupList().Groups {
			if g.Name == parts[1] {
				g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
				return &g
			}
		}
	case len(parts) == 2 && parts[0] == "api":
		return s.resourceList(schema.GroupVersion{Version: parts[1]})
	case len(parts) == 3 && parts[0] == "apis":
		return s.resourceList(schema.GroupVersion{Group: parts[1], Version: parts[2]})
	}
	return nil
}

// groupList returns the served API groups with their versions, without the core group.
func (s *Server) groupList() *metav1.APIGroupList {
	versions := map[string][]string{}
	for resource := range s.allKinds() {
		g, v := resource.Group, resource.Version
		if g != "" && !slices.Contains(versions[g], v) {
			versions[g] = append(versions[g], v)
		}
	}
	list := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		g := metav1.APIGroup{Name: name}
		// A stable one comes before a beta one, and of these the newest is first.
		slices.SortFunc(versions[name], func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
		for _, v := range versions[name] {
			g.Versions = append(g.Versions,
				metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + v, Version: v})
		}
		g.PreferredVersion = g.Versions[0]
		list.Groups = append(list.Groups, g)
	}
	return list
}

// resourceList returns the list of the resources of an API version, with their subresources, sorted by name; nil for a version
// that is not served.
func (s *Server) resourceList(gv schema.GroupVersion) any {
	list := &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: gv.String(),
	}
	for resource, k := range s.allKinds() {
		if resource.GroupVersion() != gv {
			continue
		}
		r := metav1.APIResource{
			Name: resource.Resource, SingularName: strings.ToLower(k.Kind), Kind: k.Kind, Namespaced: k.namespaced,
			Verbs: metav1.Verbs{
				"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch",
			},
		}
		if k.review {
			r.Verbs = metav1.Verbs{"create"}
		}
		list.APIResources = append(list.APIResources, r)
		list.APIResources = append(list.APIResources, k.subresourceList(r)...)
	}
	if len(list.APIResources) == 0 {
		return nil
	}
	slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// subresourceList returns the entries of a resource's subresources in the list of resources; r is the resource's own
// entry.
func (k *kind) subresourceList(r metav1.APIResource) (list []metav1.APIResource) {
	name := r.Name
	r.SingularName, r.Verbs = "", metav1.Verbs{"get", "patch", "update"}
	if k.subresource("status") != nil {
		r.Name = name + "/status"
		list = append(list, r)
	}
	for sub, of := range k.subresources {
		r.Name, r.Group, r.Version, r.Kind = name+"/"+sub, of.Group, of.Version, of.Kind
		if sub == "eviction" {
			r.Verbs = metav1.Verbs{"create"}
		}
		list = append(list, r)
	}
	return list
}
