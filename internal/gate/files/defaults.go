package files

import (
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// common are the defaults of component-base, of controller-runtime and of nearly everything else.
var common = timings{15 * time.Second, 10 * time.Second, 2 * time.Second}

// programs are those whose defaults are others, by the last part of the image's name.
var programs = []struct {
	names    []string
	defaults timings
}{
	// internal/apis/config/shared/v1alpha1/defaults.go
	{
		[]string{"cert-manager-controller", "cert-manager-cainjector"},
		timings{60 * time.Second, 40 * time.Second, 15 * time.Second},
	},
	// kubernetes-csi/csi-lib-utils, leaderelection/leader_election.go
	{
		[]string{"csi-provisioner", "csi-attacher", "csi-resizer", "csi-snapshotter", "snapshot-controller"},
		timings{15 * time.Second, 10 * time.Second, 5 * time.Second},
	},
	// cmd/descheduler/app/options/options.go
	{[]string{"descheduler"}, timings{137 * time.Second, 107 * time.Second, 26 * time.Second}},
}

// program tells the name of the program in an image, and what it does by default.
func program(image string) (name string, known timings) {
	name, _, _ = strings.Cut(image, "@")
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	for _, p := range programs {
		if slices.Contains(p.names, name) {
			return phrase.Clip(name), p.defaults
		}
	}
	return phrase.Clip(name), common
}

// configuration is program for a document of a configuration.
func configuration(apiVersion, kind string) (component string, known timings) {
	switch {
	case kind == "GenericOperatorConfig":
		// openshift/library-go, pkg/config/leaderelection: LeaderElectionDefaulting
		return kind, timings{137 * time.Second, 107 * time.Second, 26 * time.Second}
	case strings.Contains(apiVersion, ".cert-manager.io/"):
		return phrase.Clip(kind), programs[0].defaults
	}
	return phrase.Clip(kind), common
}
