package fakekube

import (
	"slices"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Server is the server behind any number of clients. The zero value is empty and ready to use; a
// Server must not be copied after that. It may be used by any number of goroutines.
//
// It serves every resource of client-go's clientset, and those that Serve adds. Namespaces need not exist.
type Server struct {
	// CoordinatedLeaderElection is the feature gate of that name, off by default as it is in a real server: then
	// the strategy and the preferredHolder of a Lease are dropped, else kept and validated.
	// It must not be changed once there are requests. LeaseCandidates are served in either case.
	CoordinatedLeaderElection bool

	// own are the kinds of the resources that Serve has added.
	own map[schema.GroupVersionResource]*kind

	mu sync.Mutex
	// version is the resourceVersion of the last write: one counter for all objects. lives is how many objects were ever
	// made.
	version, lives uint64
	// asked: there was a request.
	asked   bool
	objects map[schema.GroupResource]map[types.NamespacedName]runtime.Object
	// history has the last writes: all those after the version forgotten.
	history   []change
	forgotten uint64
	watchers  []*watcher
	faults    []*injected
}

// change is one write. old is nil for a new object, and new is nil for a deleted one.
type change struct {
	version  uint64
	resource schema.GroupResource
	old, new runtime.Object
}

// historyLimit is how many of the last writes the server remembers, for watches that begin in the past.
const historyLimit = 1000

// Compact forgets past writes, as a real server does after some minutes. A watch from an earlier version then fails, since that
// version has expired (410), and its client has to list anew. Without Compact a version expires when 1000 more writes were made.
func (s *Server) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history, s.forgotten = nil, s.version
}

// commit stores obj, the new state of an object, under the next version, or removes the object where obj is nil. old is its
// previous state, nil for a new object. All watchers are told. obj belongs to the server from then on. The caller holds the
// server's lock.
func (s *Server) commit(resource schema.GroupResource, key types.NamespacedName, old, obj runtime.Object) {
	s.commitAt(s.version+1, resource, key, old, obj)
}

// commitAt stores obj, the new state of an object, under the given version, or removes the object where obj is nil. old is its
// previous state, nil for a new object. It adds the change to the history, and tells all watchers. The version can be lower
// than the last one, as long as nobody can have seen what was written after it. The caller holds the server's lock.
func (s *Server) commitAt(version uint64, resource schema.GroupResource, key types.NamespacedName, old, obj runtime.Object) {
	s.version = max(s.version, version)
	c := change{version: version, resource: resource, old: old, new: obj}
	if obj == nil {
		delete(s.objects[resource], key)
	} else {
		metaOf(obj).ResourceVersion = versionText(version)
		if s.objects == nil {
			s.objects = map[schema.GroupResource]map[types.NamespacedName]runtime.Object{}
		}
		if s.objects[resource] == nil {
			s.objects[resource] = map[types.NamespacedName]runtime.Object{}
		}
		s.objects[resource][key] = obj
	}
	at := len(s.history)
	for at > 0 && s.history[at-1].version > version {
		at--
	}
	s.history = slices.Insert(s.history, at, c)
	if len(s.history) > historyLimit {
		s.forgotten = s.history[0].version
		s.history[0] = change{}
		s.history = s.history[1:]
	}
	s.tell(&c)
}

// versionText returns a resourceVersion as the text that clients see.
func versionText(version uint64) string { return strconv.FormatUint(version, 10) }

// parseVersion reads a resourceVersion; "" is 0. It returns an error for any other text that is no number.
func parseVersion(version string) (uint64, error) {
	if version == "" {
		return 0, nil
	}
	return strconv.ParseUint(version, 10, 64)
}

// Inject puts a fault in force. It is in force until remove is called or, if Times is not 0, until it has met that many
// requests.
func (s *Server) Inject(f Fault) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &injected{Fault: f}
	s.faults = append(s.faults, i)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(x *injected) bool { return x == i })
	}
}
