package fakekube

import (
	"slices"
	"strings"
)

// clusterScoped are the resources that no namespace has.
var clusterScoped = strings.Fields(`
	certificatesigningrequests clusterrolebindings clusterroles clustertrustbundles componentstatuses csidrivers
	csinodes deviceclasses devicetaintrules flowschemas ingressclasses ipaddresses mutatingadmissionpolicies
	mutatingadmissionpolicybindings mutatingwebhookconfigurations namespaces nodes persistentvolumes
	priorityclasses prioritylevelconfigurations resourcepoolstatusrequests resourceslices runtimeclasses
	selfsubjectaccessreviews selfsubjectreviews selfsubjectrulesreviews servicecidrs storageclasses
	storageversionmigrations storageversions subjectaccessreviews tokenreviews validatingadmissionpolicies
	validatingadmissionpolicybindings validatingwebhookconfigurations volumeattachments volumeattributesclasses`)

func namespaced(resource string) bool { return !slices.Contains(clusterScoped, resource) }
