package fakekube

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
)

// Clientset adds objects to the server and returns a new client of it, as ClientsetFor does, for a user without a
// name.
func (s *Server) Clientset(objects ...runtime.Object) *fake.Clientset {
	return s.ClientsetFor("", objects...)
}

// ClientsetFor returns a new client of the server for a user, whose name counts in faults and in messages about rights. It is
// client-go's fake: it records actions, and takes further reactors, which come before the server. The objects are put into the
// server as by Add. If that fails for an object, each later request for it, by name or for all objects of its resource, fails
// with the same error; if the server has no such resource, every request does. The client's Tracker writes into the server as
// well, without any rules. As always in the fake, contexts are ignored.
func (s *Server) ClientsetFor(user string, objects ...runtime.Object) *fake.Clientset {
	c := fake.NewSimpleClientset()
	broken := s.addEach(objects)
	if err := setTracker(c, &tracker{s}); err != nil {
		broken = append(broken, refused{err: err})
	}
	answerTo := func(action ktesting.Action) (handled bool, a answer) {
		r, err := s.requestOf(user, action)
		switch missing := broken.errorFor(r); {
		case missing != nil:
			return true, answer{err: missing}
		case r == nil:
			return false, a
		case err != nil:
			return true, answer{err: err}
		}
		return true, s.serveUnlocked(c, r)
	}
	c.PrependReactor("*", "*", func(action ktesting.Action) (bool, runtime.Object, error) {
		handled, a := answerTo(action)
		return handled, a.obj, a.err
	})
	c.PrependWatchReactor("*", func(action ktesting.Action) (bool, watch.Interface, error) {
		handled, a := answerTo(action)
		return handled, a.stream, a.err
	})
	return c
}

// serveUnlocked serves a request with the client's lock released, so that other requests of the client can run
// meanwhile. The fake calls reactors with its lock held; serveUnlocked takes it again before it returns.
func (s *Server) serveUnlocked(c *fake.Clientset, r *request) answer {
	c.Unlock()
	defer c.Lock()
	return s.serve(r)
}

// requestOf returns the request that a real client of the user would send for an action. It returns an error if a real client
// would refuse to send it. For an action that is no operation on objects, such as one of discovery or reading the log of a pod,
// it returns nil and no error.
func (s *Server) requestOf(user string, action ktesting.Action) (*request, error) {
	r := &request{
		user: user, verb: action.GetVerb(), resource: action.GetResource(),
		subresource: action.GetSubresource(), namespace: action.GetNamespace(),
	}
	named := true
	switch a := action.(type) {
	case ktesting.GetActionImpl:
		r.name, r.version = a.Name, a.GetOptions.ResourceVersion
	case ktesting.ListActionImpl:
		named, r.list = false, a.ListOptions
	case ktesting.WatchActionImpl:
		named, r.list = false, a.ListOptions
	case ktesting.CreateActionImpl:
		named, r.object, r.dryRun = a.Name != "" || a.Subresource != "", a.Object, len(a.CreateOptions.DryRun) > 0
		r.name, r.manager = a.Name, a.CreateOptions.FieldManager
		if named && r.name == "" && r.object != nil {
			r.name = metaOf(r.object).Name // of an Eviction
		}
	case ktesting.UpdateActionImpl:
		r.object, r.dryRun, r.manager = a.Object, len(a.UpdateOptions.DryRun) > 0, a.UpdateOptions.FieldManager
	case ktesting.PatchActionImpl:
		r.name, r.patch, r.patchType = a.Name, a.Patch, a.PatchType
		r.dryRun, r.manager, r.force = len(a.PatchOptions.DryRun) > 0, a.PatchOptions.FieldManager, a.PatchOptions.Force
	case ktesting.DeleteActionImpl:
		r.name, r.delete, r.dryRun = a.Name, a.DeleteOptions, len(a.DeleteOptions.DryRun) > 0
	case ktesting.DeleteCollectionActionImpl:
		r.verb = "deletecollection" // client-go's fake writes it otherwise than a server
		named, r.list, r.delete = false, a.ListOptions, a.DeleteOptions
		r.dryRun = len(a.DeleteOptions.DryRun) > 0
	default:
		return nil, nil
	}
	return r, r.unsent(s.kindOf(r.resource), named)
}

// unsent returns the error with which a real client refuses to send the request, nil if it sends it. named is true for a request
// about a single object. For an update, unsent sets r.name to the name of the object. It returns nil for a nil kind.
func (r *request) unsent(k *kind, named bool) error {
	if k == nil {
		return nil
	}
	if r.verb == "update" {
		r.name = metaOf(r.object).Name
	}
	switch {
	case named && r.name == "":
		return errNoName
	case !k.namespaced || r.namespace != "":
		return nil
	case named && r.verb != "patch":
		return errNoSpace
	case r.verb == "create":
		return errNowhere
	}
	return nil
}
