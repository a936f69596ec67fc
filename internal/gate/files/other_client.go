package files

// springCloud is what the settings of Spring Cloud Kubernetes begin with. Its programs keep the same record with fabric8's
// client or with Kubernetes' own for Java, and only one of them has a profile.
var springCloud = []string{"springcloudkubernetes"}

// isSpringCloud tells whether one of these settings is of Spring Cloud Kubernetes.
func isSpringCloud(all []raw) bool {
	for _, r := range all {
		if r.beginsWith(springCloud) {
			return true
		}
	}
	return false
}
