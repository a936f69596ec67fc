// Package fakekube is the fake Kubernetes clientset whose optimistic concurrency works.
//
// The fake of k8s.io/client-go assigns no resourceVersion and takes every stale update, so that all
// candidates of a leader election win. A Server here answers like a real kube-apiserver: one
// counter of versions for the whole store, conflicts, preconditions, validation, identical updates that change
// nothing, microseconds, watches that begin at a version and expire, and errors in a real server's words. Any
// number of clients use one Server, each under the name of a user, and faults are injected per user:
//
//	var server fakekube.Server
//	client := server.ClientsetFor("candidate-a")
//	server.Inject(fakekube.Fault{User: "candidate-a", Verb: "update", LoseResponse: true})
//
// ClientsetFor hands out client-go's own fake.Clientset, ConfigFor a rest.Config with which any real client
// works, without a socket. Both work inside a bubble of testing/synctest.
//
// The rules are those of k8s.io/apiserver/pkg/registry/generic/registry (Store.Create, Update and Delete) and
// of each kind's strategy in k8s.io/kubernetes/pkg/registry; the tests replay what kube-apiserver v1.36.3 was
// recorded to answer. What is left out is in docs/electiontest.md.
package fakekube
