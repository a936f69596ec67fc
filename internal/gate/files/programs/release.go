package programs

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

// Tag is the release that the tag of an image tells; known is false if it tells none.
type Tag struct {
	release
	known bool
}

// tagOf returns the release that an image's tag tells.
func tagOf(image string) Tag {
	name, _, _ := strings.Cut(image, "@")
	part := tagged.FindStringSubmatch(path.Base(name))
	if part == nil {
		return Tag{}
	}
	major, _ := strconv.Atoi(part[1])
	minor, _ := strconv.Atoi(part[2])
	return Tag{release{major, minor}, true}
}

// earlier tells whether t is known, and came before a release.
func (t Tag) earlier(than release) bool { return t.known && t.before(than) }

// before tells whether r came before other.
func (r release) before(other release) bool {
	return r.major < other.major || r.major == other.major && r.minor < other.minor
}

// TagIn returns the release of the program that the tag of its image tells, be it a container's or one in a chart's values, or for a program of
// Kubernetes without an image a field such as kubernetesVersion, whose value has a colon before it. p can be nil.
func (p *Program) TagIn(container, values, cluster string) Tag {
	image := cmp.Or(container, values)
	t := tagOf(image)
	switch ofCluster := p != nil && p.earlier.ofCluster; {
	case !ofCluster:
		return t
	case container == "" && !t.known:
		return tagOf(cluster)
	case p.Vendors && !ofKubernetes.MatchString(image):
		return Tag{}
	}
	if _, folder := imageName(image); folder == "scheduler-plugins" && t.major == 0 {
		t.major = 1 // numbered v0.33 after the v1.33 of which it is built (kubernetes-sigs/scheduler-plugins README.md@09b67148189a)
	}
	t.known = t.known && t.major > 0
	return t
}

// ofKubernetes matches the images of cloud-controller-managers whose releases are those of Kubernetes. Others have releases of their own.
var ofKubernetes = regexp.MustCompile(`(?:^|/|openstack-|aws-|azure-|oci-)cloud-controller-manager`)
