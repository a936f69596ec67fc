package fakekube

import "strings"

// The lists below are the rules of Kubernetes 1.36 by resource, from pkg/registry/<group>/<resource>/strategy.go.
var (
	// createdByUpdate are the resources of which an update creates a missing object.
	createdByUpdate = strings.Fields(`
		clusterrolebindings clusterroles endpoints events leasecandidates leases limitranges rolebindings roles runtimeclasses services`)
	// versionWanted are those of which an update must have a resourceVersion.
	versionWanted = strings.Fields(`
		clustertrustbundles csidrivers csinodes csistoragecapacities leasecandidates leases mutatingadmissionpolicies
		mutatingadmissionpolicybindings mutatingwebhookconfigurations podcertificaterequests poddisruptionbudgets
		resourcepoolstatusrequests runtimeclasses storageversionmigrations storageversions validatingadmissionpolicies
		validatingadmissionpolicybindings validatingwebhookconfigurations volumeattachments`)
	// counted are those whose objects count their changes, but for those of metadata and status.
	counted = strings.Fields(`
		cronjobs daemonsets deployments deviceclasses devicetaintrules endpointslices flowschemas ingressclasses ingresses jobs
		mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations networkpolicies
		poddisruptionbudgets pods podtemplates priorityclasses prioritylevelconfigurations replicasets replicationcontrollers
		resourceslices statefulsets validatingadmissionpolicies validatingadmissionpolicybindings
		validatingwebhookconfigurations`)
	// anyFinalizer are those whose finalizers need no domain in their names.
	anyFinalizer = strings.Fields(`
		events leasecandidates leases mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations
		poddisruptionbudgets runtimeclasses validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations`)
	// anyName are those whose names need only fit into a URL path.
	anyName = strings.Fields(`
		certificatesigningrequests clusterrolebindings clusterroles poddisruptionbudgets rolebindings roles`)
	// labelNames are those whose names are labels of DNS: without dots, and of at most 63 characters.
	labelNames = strings.Fields(`namespaces services statefulsets`)
	// deletedAnswered are those of which a delete answers the object, and not a Status.
	deletedAnswered = strings.Fields(`
		csidrivers csinodes deviceclasses devicetaintrules namespaces persistentvolumeclaims persistentvolumes pods podtemplates
		resourceclaims resourceclaimtemplates resourcepoolstatusrequests resourcequotas resourceslices serviceaccounts services
		storageclasses volumeattachments volumeattributesclasses`)
	// statusAlone are those of which a write to the subresource status changes no metadata.
	statusAlone = strings.Fields(`
		devicetaintrules flowschemas podcertificaterequests podgroups prioritylevelconfigurations resourceclaims
		resourcepoolstatusrequests servicecidrs storageversions validatingadmissionpolicies volumeattachments`)
)
