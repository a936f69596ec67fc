// Package etcdlock is a lock in a key of etcd: a ttl.Lock on etcd's client.
//
//	Get      reads the key, linearizably
//	Create   grants a lease, or keeps its own alive, and puts the key under it if it is not there
//	Replace  is Create: an expired key is gone
//	Refresh  keeps the lease alive once, and then looks whether the key is still its own
//	Release  deletes the key if it is its own, and revokes the lease
//	Watch    watches the key from the revision of the last answer on
//
// The key's value is the holder's identity. The fencing token is the revision that the key was created at: etcd's revision
// grows with every write to the store, and each holder creates the key anew. A store that was restored from a snapshot may
// begin again at a lower one (etcdutl snapshot restore --bump-revision prevents that).
//
// # Expiry
//
// The clock is that of etcd's leader, which counts monotonic time from when it granted or renewed the lease; when another
// member takes over, leases last longer, never shorter. Leases have whole seconds: New refuses other TTLs. A server has a
// shortest one, one and a half election timeouts rounded up (2 s by default), and makes a shorter lease that long:
// that is safe, and others then take over that much later. It also takes up to half a second to revoke a lease that has
// expired.
//
// # Own
//
// Each Lock has leases of its own, so that a process of the same identity cannot be taken for it. A key that somebody has put
// by hand, without a lease, is somebody's until somebody deletes it.
package etcdlock
