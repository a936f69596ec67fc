package files

import (
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// release is a program's release by its first two numbers, such as 1.20.
type release struct{ major, minor int }

// tagged is the tag of an image that tells a release.
var tagged = regexp.MustCompile(`:v?([0-9]{1,6})\.([0-9]{1,6})(?:[^0-9]|$)`)

// releaseOf returns the release that an image's tag tells; known is false if it tells none.
func releaseOf(image string) (r release, known bool) {
	name, _, _ := strings.Cut(image, "@")
	part := tagged.FindStringSubmatch(path.Base(name))
	if part == nil {
		return release{}, false
	}
	major, _ := strconv.Atoi(part[1])
	minor, _ := strconv.Atoi(part[2])
	return release{major, minor}, true
}

// before tells whether r came before other.
func (r release) before(other release) bool {
	return r.major < other.major || r.major == other.major && r.minor < other.minor
}

// releaseOf returns the release of the candidate's program that the tag of its image tells, be it a container's or one in a chart's values,
// or for a program of Kubernetes without an image a field such as kubernetesVersion; known is false if none tells one.
func (c *candidate) releaseOf() (r release, known bool) {
	image := cmp.Or(c.image, c.tagged)
	r, known = releaseOf(image)
	switch ofCluster := c.program != nil && c.program.earlier.ofCluster; {
	case !ofCluster:
		return r, known
	case c.image == "" && !known:
		return releaseOf(c.cluster)
	case c.program.vendors && !ofKubernetes.MatchString(image):
		return release{}, false
	}
	if _, folder := imageName(image); folder == "scheduler-plugins" && r.major == 0 {
		r.major = 1 // numbered v0.33 after the v1.33 of which it is built (kubernetes-sigs/scheduler-plugins README.md@09b67148189a)
	}
	return r, known && r.major > 0
}

// ofKubernetes matches the images of cloud-controller-managers whose releases are those of Kubernetes. Others have releases of their own.
var ofKubernetes = regexp.MustCompile(`(?:^|/|openstack-|aws-|azure-|oci-)cloud-controller-manager`)

// lastWith has the last release of Kubernetes that takes a configuration of that version, for versions that are no more.
var lastWith = map[string]string{
	"kubescheduler.config.k8s.io/v1alpha1": "v1.18", "kubescheduler.config.k8s.io/v1alpha2": "v1.19",
	"kubeadm.k8s.io/v1alpha1": "v1.11", "kubeadm.k8s.io/v1alpha2": "v1.12", "kubeadm.k8s.io/v1alpha3": "v1.14",
}

// clusterOf returns the release of Kubernetes, with a colon before it, that one of the fields names as kubeadm, kops, RKE or Cluster
// API have it, or else that the version of a configuration tells; "" if none does.
func clusterOf(all []field) string {
	version := cmp.Or(text(all, "kubernetesVersion"), text(all, "kubernetes_version"))
	if _, ok := get(all, "kubeadmConfigSpec"); ok {
		version = cmp.Or(text(all, "version"), version)
	}
	if version = cmp.Or(version, lastWith[text(all, "apiVersion")]); version == "" {
		return ""
	}
	return ":" + version
}
