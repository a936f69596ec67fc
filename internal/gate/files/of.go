package files

import (
	"strings"

	"interregnum/internal/gate/files/setting"
)

// programOfArguments returns the program whose flags RKE2 and k3s take in a field of that name, such as
// kube-scheduler-arg; nil for other names.
func programOfArguments(name string) *Program {
	program, ok := strings.CutSuffix(strings.TrimSuffix(name, "+"), "-arg")
	if !ok || !strings.HasPrefix(program, "kube-") {
		return nil
	}
	return programNamed(program, "")
}

// programOfOverride returns the program of the control plane whose settings a field of that name holds; nil for any other field.
func programOfOverride(name string) *Program {
	switch name {
	case "controllerManager", "kube-controller":
		return programNamed("kube-controller-manager", "")
	case "scheduler":
		return programNamed("kube-scheduler", "")
	}
	return nil
}

// programOfPath returns the program of the control plane that one of the fields around a value is named after, such as
// kops' kubeScheduler; nil if there is none.
func programOfPath(names []string) *Program {
	for i, name := range names {
		switch setting.Normal(name) {
		case "kubecontrollermanager",
			"kubekubeadmcontrollerextraargs",                                       // Kubespray's
			"controllermanagerextraargs",                                           // kubeadm's v1alpha2
			"extrakubecontrollermanagerargs", "extranodekubecontrollermanagerargs": // Canonical Kubernetes'
			return programNamed("kube-controller-manager", "")
		case "kubescheduler", "kubekubeadmschedulerextraargs", "schedulerextraargs", "extrakubeschedulerargs", "extranodekubeschedulerargs":
			return programNamed("kube-scheduler", "")
		case "cloudcontrollermanager":
			return programNamed("cloud-controller-manager", "")
		case "componentsoverride": // Kubermatic's
			if i+1 < len(names) {
				return programOfOverride(names[i+1])
			}
		}
	}
	return nil
}
