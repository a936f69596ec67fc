package fakekube

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion/queryparams"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
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
// would refuse to send it, or if its options are invalid. For an action that is no operation on objects, such as one of discovery
// or reading the log of a pod, it returns nil and no error.
func (s *Server) requestOf(user string, action ktesting.Action) (*request, error) {
	r := &request{
		user: user, verb: action.GetVerb(), resource: action.GetResource(),
		subresource: action.GetSubresource(), namespace: action.GetNamespace(),
	}
	named := true
	var read func() error // reads the options
	switch a := action.(type) {
	case ktesting.GetActionImpl:
		r.name, r.version = a.Name, a.GetOptions.ResourceVersion
	case ktesting.ListActionImpl:
		named, read = false, func() error { return r.readListOf(&a.ListOptions) }
	case ktesting.WatchActionImpl:
		named, read = false, func() error { return r.readListOf(&a.ListOptions) }
	case ktesting.CreateActionImpl:
		named, r.name, r.object = a.Name != "" || a.Subresource != "", a.Name, a.Object
		if named && r.name == "" && r.object != nil {
			r.name = metaOf(r.object).Name // of an Eviction
		}
		read = func() error { return r.readOptionsOf(&a.CreateOptions, readWriteOptions) }
	case ktesting.UpdateActionImpl:
		r.object, read = a.Object, func() error { return r.readOptionsOf(&a.UpdateOptions, readWriteOptions) }
	case ktesting.PatchActionImpl:
		r.name, r.patch, r.patchType = a.Name, a.Patch, a.PatchType
		read = func() error { return r.readOptionsOf(&a.PatchOptions, readPatchOptions) }
	case ktesting.DeleteActionImpl:
		r.name, read = a.Name, func() error { return r.readDeleteOf(&a.DeleteOptions) }
	case ktesting.DeleteCollectionActionImpl:
		r.verb, named = "deletecollection", false // client-go's fake writes the verb otherwise than a server
		read = func() error { return cmp.Or(r.readListOf(&a.ListOptions), r.readDeleteOf(&a.DeleteOptions)) }
	default:
		return nil, nil
	}
	if err := r.unsent(s.kindOf(r.resource), named); err != nil || read == nil {
		return r, err
	}
	return r, read()
}

// readOptionsOf converts the options o to the query in which a real client sends them, and calls read, which stores them in r.
func (r *request) readOptionsOf(o any, read func(url.Values, *request) error) error {
	query, err := queryparams.Convert(o)
	if err != nil {
		return badRequest(err.Error())
	}
	return read(query, r)
}

// readListOf stores the options of a list in r, as from the query in which a real client sends them.
func (r *request) readListOf(o *metav1.ListOptions) error {
	return r.readOptionsOf(o, func(query url.Values, r *request) error { return readList(query, &r.list) })
}

// readDeleteOf stores the options of a delete in r, as from the body in which a real client sends them.
func (r *request) readDeleteOf(o *metav1.DeleteOptions) error {
	body, err := json.Marshal(o)
	if err != nil {
		return badRequest(err.Error())
	}
	return readDeleteOptions(nil, "", body, r)
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
	case named && len(rest.IsValidPathSegmentName(r.name)) > 0:
		return fmt.Errorf("invalid resource name %q: %v", r.name, rest.IsValidPathSegmentName(r.name))
	case !k.namespaced || r.namespace != "":
		return nil
	case named && r.verb != "patch":
		return errNoSpace
	case r.verb == "create":
		return errNowhere
	}
	return nil
}
