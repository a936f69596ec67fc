// Package kubelock is the locks that client-go has dropped: the leader election record in an annotation of a
// ConfigMap or of Endpoints, and the two-object locks by which a program moves from one of these to a Lease. Programs
// that still share such a lock with older replicas can go on doing so, on the current client-go, with package elector
// or with the library's own leaderelection.
//
// The locks send what those of client-go v0.20 send, request by request, and return what those return, hazards
// included: e2e/clientgo020 compares them. What differs is that RecordEvent before the first Get or Create does not
// panic, that a percent sign in an identity stays one in events, what errors say, and that a strategy and a preferred
// holder, which v0.20 did not know, are read, and written where the record has them.
//
// # Moving from one lock to another
//
// Replicas with an endpoints lock and replicas with a leases lock do not see each other: a rollout from one to the
// other has two leaders. Roll out endpointsleases in between, and wait each time until the last replica of the step
// before is gone: endpoints, endpointsleases, leases. The same holds for configmaps.
//
// # Hazards
//
// These are v0.20's. Of any kind:
//
//   - An object that is there but says nothing is free: a ConfigMap without the annotation, a Lease without a holder.
//     Whoever prunes unknown annotations, or applies a manifest of the object, frees the lock under its leader.
//   - What is not JSON, or not a record, fails each Get. No candidate takes the lock then, and none can until someone
//     repairs or deletes the object. A leader that does not read before it writes goes on.
//   - Numbers and times are believed: a record from the future is as good as any, since candidates count by their own
//     clocks. Negative transitions go on counting up in an annotation; a server refuses them in a Lease (422). What a
//     Lease cannot hold is cut to 32 bits.
//   - After a Get or a Create that failed the lock has forgotten its object: the next Update is not sent, whatever
//     version it knew before, and events are about nothing. Where the client returns no object with its error, as not
//     all fakes do, Update says that it wants a Get first.
//   - Times in annotations have whole seconds, so that two processes of one identity can write the same record. With
//     elector.Strict a process takes a record for its own only where the first write of that term was acknowledged to
//     it; what it has not heard of it waits out. What is left: the object is deleted, and both create it, within one second.
//
// Of the two-object kinds:
//
//   - They are one lock only where every write of both objects goes through. A holder that they do not agree on is
//     read as leaderelection.k8s.io/unknown, and waited for like any other.
//   - Create does not mind that the primary exists. A candidate of the old kind that creates it between Get and Create
//     leads, and so does the one that was creating: two leaders, until the latter reads the lock again.
//   - Update replaces the secondary whatever it holds: it reads it anew right before. A candidate that knows the
//     Lease alone, and has just taken it, loses it without having lost a race.
//   - A secondary that refuses to be written, for want of a right or for negative transitions, leaves the lock without
//     a leader for as long as it does: the primary has been taken already.
//   - A primary without a secondary that names the candidate itself is reported as not found, so that the candidate
//     creates the secondary and begins a new term, with its transitions at 0, on a primary that it has not written.
//
// Of fencing tokens, which are versions of the API server's etcd: where etcd is restored from a backup versions begin again at a
// lower one (etcdutl snapshot restore --bump-revision prevents that). A resource then refuses the tokens of new leaders, until
// they have come to where they were.
//
// Of kube-apiserver: requests on Endpoints are answered with a warning since v1.33, and where there is a Service of the
// lock's name a controller writes its Endpoints. Requests on Leases have a priority level of their own by default, those
// on ConfigMaps and Endpoints want a FlowSchema for it.
package kubelock
