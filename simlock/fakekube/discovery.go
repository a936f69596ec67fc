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

// discoveryPage is what tells a client which resources there are, nil for another page.
func discoveryPage(path string) any {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "/version":
		return &version.Info{Major: "1", Minor: "36", GitVersion: "v1.36.3+fakekube"}
	case path == "/api":
		return &metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
		}
	case path == "/apis":
		return groupList()
	case len(parts) == 2 && parts[0] == "apis":
		for _, g := range groupList().Groups {
			if g.Name == parts[1] {
				g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
				return &g
			}
		}
	case len(parts) == 2 && parts[0] == "api":
		return resourceList(schema.GroupVersion{Version: parts[1]})
	case len(parts) == 3 && parts[0] == "apis":
		return resourceList(schema.GroupVersion{Group: parts[1], Version: parts[2]})
	}
	return nil
}

func groupList() *metav1.APIGroupList {
	versions := map[string][]string{}
	for resource := range kinds() {
		g, v := resource.Group, resource.Version
		if g != "" && !slices.Contains(versions[g], v) {
			versions[g] = append(versions[g], v)
		}
	}
	list := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		g := metav1.APIGroup{Name: name}
		for _, v := range slices.SortedFunc(slices.Values(versions[name]), newestFirst) {
			g.Versions = append(g.Versions,
				metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + v, Version: v})
		}
		g.PreferredVersion = g.Versions[0]
		list.Groups = append(list.Groups, g)
	}
	return list
}

func newestFirst(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) }

// resourceList is nil, as an any, for a version that there is not.
func resourceList(gv schema.GroupVersion) any {
	list := &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: gv.String(),
	}
	for resource, k := range kinds() {
		if resource.GroupVersion() != gv {
			continue
		}
		r := metav1.APIResource{
			Name: resource.Resource, SingularName: strings.ToLower(k.Kind), Kind: k.Kind, Namespaced: k.namespaced,
			Verbs: metav1.Verbs{
				"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch",
			},
		}
		list.APIResources = append(list.APIResources, r)
		if k.status != nil {
			r.Name, r.SingularName, r.Verbs = r.Name+"/status", "", metav1.Verbs{"get", "patch", "update"}
			list.APIResources = append(list.APIResources, r)
		}
	}
	if len(list.APIResources) == 0 {
		return nil
	}
	slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
