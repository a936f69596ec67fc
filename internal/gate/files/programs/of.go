package programs

import (
	"strings"

	"interregnum/internal/gate/files/setting"
)

// OfArguments returns the program whose flags RKE2 and k3s, or Cluster API's provider for k3s, take in a field of that name, such as
// kube-scheduler-arg or kubeSchedulerArgs; nil for other names.
func OfArguments(name string) *Program {
	switch name {
	case "kubeControllerManagerArgs":
		return Named("kube-controller-manager", "")
	case "kubeSchedulerArgs":
		return Named("kube-scheduler", "")
	}
	program, ok := strings.CutSuffix(strings.TrimSuffix(name, "+"), "-arg")
	if !ok || !strings.HasPrefix(program, "kube-") {
		return nil
	}
	return Named(program, "")
}

// OfOverride returns the program of the control plane whose settings a field of that name holds; nil for any other field.
func OfOverride(name string) *Program {
	switch name {
	case "controllerManager", "kube-controller":
		return Named("kube-controller-manager", "")
	case "scheduler":
		return Named("kube-scheduler", "")
	}
	return nil
}

// OfPath returns the program of the control plane that one of the fields around a value is named after, such as
// kops' kubeScheduler; nil if there is none.
func OfPath(names []string) *Program {
	for i, name := range names {
		switch setting.Normal(name) {
		case "kubecontrollermanager",
			"kubekubeadmcontrollerextraargs",                                       // Kubespray's
			"controllermanagerextraargs",                                           // kubeadm's v1alpha2
			"extrakubecontrollermanagerargs", "extranodekubecontrollermanagerargs": // Canonical Kubernetes'
			return Named("kube-controller-manager", "")
		case "kubescheduler", "kubekubeadmschedulerextraargs", "schedulerextraargs", "extrakubeschedulerargs", "extranodekubeschedulerargs":
			return Named("kube-scheduler", "")
		case "cloudcontrollermanager":
			return Named("cloud-controller-manager", "")
		case "componentsoverride": // Kubermatic's
			if i+1 < len(names) {
				return OfOverride(names[i+1])
			}
		}
	}
	return nil
}
