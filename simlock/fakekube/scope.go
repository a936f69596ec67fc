package fakekube

import (
	"slices"
	"strings"
)

// clusterScoped are the resources that are in no namespace.
var clusterScoped = strings.Fields(`
	certificatesigningrequests clusterrolebindings clusterroles clustertrustbundles componentstatuses csidrivers
	csinodes deviceclasses devicetaintrules flowschemas ingressclasses ipaddresses mutatingadmissionpolicies
	mutatingadmissionpolicybindings mutatingwebhookconfigurations namespaces nodes persistentvolumes
	priorityclasses prioritylevelconfigurations resourcepoolstatusrequests resourceslices runtimeclasses
	selfsubjectaccessreviews selfsubjectreviews selfsubjectrulesreviews servicecidrs storageclasses
	storageversionmigrations storageversions subjectaccessreviews tokenreviews validatingadmissionpolicies
	validatingadmissionpolicybindings validatingwebhookconfigurations volumeattachments volumeattributesclasses`)

// namespaced tells whether the objects of a resource are in namespaces.
func namespaced(resource string) bool { return !slices.Contains(clusterScoped, resource) }
