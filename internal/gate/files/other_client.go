package files

import (
	"slices"
	"strings"
)

// otherClient is programs that keep the same record with a client that is not client-go. No profile is their algorithm.
type otherClient struct {
	// name is what people call the programs, and client is whose algorithm they have.
	name, client string
	// images are words in the names of their images, as in Program.names; settings are what the names of their settings begin
	// with, as normal has it.
	images   []string
	settings []string
}

// fabric8 is the client of Java programs. Whoever finds, by its own wall clock, that its LeaseDuration has passed since the
// record's renewTime takes over (fabric8io/kubernetes-client, LeaderElector.canBecomeLeader).
const fabric8 = "fabric8's client for Java"

var otherClients = []otherClient{
	{ // strimzi/strimzi-kafka-operator LeaderElectionManager.java
		name: "Strimzi", client: fabric8, images: []string{"strimzi/operator", "strimzi-cluster-operator"},
		settings: []string{"strimzi"},
	}, { // apache/flink KubernetesLeaderElector.java
		name: "Flink", client: fabric8, images: []string{"apache/flink", "flink-kubernetes-operator"},
		settings: []string{"highavailabilitykubernetesleaderelection", "kubernetesoperatorleaderelection"},
	}, { // operator-framework/java-operator-sdk LeaderElectionManager.java
		name: "a program on Quarkus", client: fabric8, settings: []string{"quarkus"},
	}, { // spring-cloud/spring-cloud-kubernetes: with fabric8's client, or with Kubernetes' own for Java
		name: "Spring Cloud Kubernetes", client: "a client for Java", settings: []string{"springcloudkubernetes"},
	},
}

// otherClientOf returns whose programs the candidate is one of, by its image or by a setting's name; nil where nothing says
// that it has another client than client-go.
func otherClientOf(c *candidate) *otherClient {
	base, folder := imageName(c.image)
	for i := range otherClients {
		o := &otherClients[i]
		named := slices.ContainsFunc(o.images, func(known string) bool { return isNamed(base, folder, known) })
		if named || slices.ContainsFunc(c.raws, o.has) {
			return o
		}
	}
	return nil
}

// has tells whether a setting is one that the programs have.
func (o *otherClient) has(r raw) bool {
	name := normal(r.name)
	return slices.ContainsFunc(o.settings, func(begin string) bool { return strings.HasPrefix(name, begin) })
}
