package fakekube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// uidOf returns the UID of the object that the server created as the one with the number life, counted from 1.
func uidOf(life uint64) types.UID {
	return types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012x", life))
}

// create executes a create: it stores the request's object and returns a copy. It sets r.name to the object's name, which the
// server makes up if the object has only a generateName. On a subresource, for an object of another namespace, and for invalid
// content or a name that is taken it returns an error.
func (s *Server) create(r *request, k *kind) (runtime.Object, error) {
	if r.subresource != "" {
		return nil, notAllowed(r)
	}
	obj, err := k.received(r.object)
	if err != nil {
		return nil, err
	}
	m := metaOf(obj)
	if err := checkNamespace(r, m); err != nil {
		return nil, err
	}
	r.name = m.Name
	// What an update creates keeps them: rest.WipeObjectMetaSystemFields of k8s.io/apiserver is for creates.
	m.DeletionTimestamp, m.DeletionGracePeriodSeconds = nil, nil
	r.dropDuplicateOwners(m, "")
	return s.insert(r, k, obj)
}

// insert fills in, validates and stores a new object, for a create or for a write that creates, and returns a copy. It sets the
// namespace, the UID, the creation time, the managedFields and, where the kind counts changes, generation 1. It makes a missing name
// from generateName, or for a LimitRange without one from the UID. It clears the status of a custom resource. A resourceVersion in
// the object is an error only for a create that is no dry run. As in a real server, the check whether the name is taken comes last.
// In a dry run insert stores nothing, but counts the object in s.lives.
func (s *Server) insert(r *request, k *kind, obj runtime.Object) (runtime.Object, error) {
	m := metaOf(obj)
	switch {
	case m.Name != "":
	case m.GenerateName != "":
		m.Name = m.GenerateName[:min(len(m.GenerateName), 58)] + suffix(s.lives+1) // 63 characters at most
		r.name = m.Name
	case k.Kind == "LimitRange":
		m.Name = string(uidOf(s.lives + 1))
		r.name = m.Name
	}
	m.Namespace, m.UID, m.CreationTimestamp = r.namespace, uidOf(s.lives+1), secondsNow()
	dropUnkept(r, m)
	if k.custom && k.status != nil && r.subresource == "" {
		k.statusOf(obj).SetZero()
	}
	if k.generation {
		m.Generation = 1
	}
	if err := s.check(r, k, obj, nil); err != nil {
		return nil, err
	}
	// A version that is none is no error here.
	if v, err := parseVersion(m.ResourceVersion); r.verb == "create" && !r.dryRun && err == nil && v != 0 {
		return nil, internal("resourceVersion should not be set on objects to be created")
	}
	if there := s.find(r); there != nil {
		return nil, nameTaken(r, m, metaOf(there))
	}
	r.created = true
	s.lives++
	if !r.dryRun {
		m.ResourceVersion = ""
		s.commit(r.stored(), r.key(), nil, obj)
	}
	return k.sent(obj)
}

// dropUnkept clears selfLink in an object's metadata, and replaces its managedFields by r.owned, those that the request has led
// to.
func dropUnkept(r *request, m *metav1.ObjectMeta) {
	m.ManagedFields = r.owned
	//lint:ignore SA1019 clients can still send it
	m.SelfLink = ""
}

// suffix returns the number n as the five characters that are added to a generateName. They are characters that a real server
// uses; a real server draws them at random.
func suffix(n uint64) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var b [5]byte
	for i := range b {
		b[len(b)-1-i] = letters[n%uint64(len(letters))]
		n /= uint64(len(letters))
	}
	return string(b[:])
}

// secondsNow returns the present time in whole seconds, as metadata has it.
func secondsNow() metav1.Time { return metav1.Now().Rfc3339Copy() }

// update executes an update and returns a copy of the new state. It creates a missing object if the kind allows that, and
// otherwise returns the error 404. It also returns an error if the object's name, namespace or UID is not that of the request
// or of the stored object, and those of replace.
func (s *Server) update(r *request, k *kind) (runtime.Object, error) {
	obj, err := k.received(r.object)
	if err != nil {
		return nil, err
	}
	m, old := metaOf(obj), s.find(r)
	if err := checkNamespace(r, m); err != nil {
		return nil, err
	}
	if err := checkName(r, m); err != nil {
		return nil, err
	}
	r.dropDuplicateOwners(m, "")
	if old == nil && !k.createOnUpdate {
		return nil, notFound(r)
	}
	if err := k.checkUID(r, m.UID, old); err != nil {
		return nil, err
	}
	return s.replace(r, k, old, obj)
}

// checkName returns an error if an object's name is not the one in the URL path, nil if it is.
func checkName(r *request, m metav1.Object) error {
	switch m.GetName() {
	case r.name:
		return nil
	case "":
		return badRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: "+
			"name must be provided", r.name))
	}
	return badRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
		m.GetName(), r.name))
}

// checkNamespace sets an object's namespace to that of the URL path. It returns an error if the object names another one, unless
// the path has none.
func checkNamespace(r *request, m metav1.Object) error {
	if ns := m.GetNamespace(); ns != "" && r.namespace != "" && ns != r.namespace {
		return badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	m.SetNamespace(r.namespace)
	return nil
}

// replace stores obj in place of old, if obj's resourceVersion allows that, and returns a copy of the new state. If old is nil
// it stores obj as a new object. An object that is being deleted and has no finalizers left is removed instead. It stores
// nothing if nothing changes, or in a dry run. It returns the error 409 for an outdated version, 422 for invalid content or a
// missing version that the kind wants, and 500 for a version that is no number.
func (s *Server) replace(r *request, k *kind, old, obj runtime.Object) (runtime.Object, error) {
	m := metaOf(obj)
	version, err := parseVersion(m.ResourceVersion)
	if err != nil {
		return nil, internal(err.Error())
	}
	if old == nil {
		return s.insert(r, k, obj)
	}
	old, err = k.sent(old)
	switch {
	case err != nil:
		return nil, err
	case version == 0 && !k.unconditional:
		return nil, versionRequired(r)
	case version != 0 && versionText(version) != metaOf(old).ResourceVersion:
		return nil, conflict(r, errModified)
	}
	if r.patchType != types.ApplyYAMLPatchType {
		if err := k.ownedAfter(r, old, obj); err != nil {
			return nil, err
		}
	}
	obj = s.merge(r, k, old, obj)
	if err := s.check(r, k, obj, old); err != nil {
		return nil, err
	}
	m = metaOf(obj)
	switch same, err := equal(obj, old); {
	case err != nil:
		return nil, internal(err.Error())
	case r.dryRun:
	case m.DeletionTimestamp != nil && len(m.Finalizers) == 0: // also where nothing changes
		s.commit(r.stored(), r.key(), old, nil)
	case same:
	default:
		s.commit(r.stored(), r.key(), old, obj)
	}
	return k.sent(obj)
}

// merge returns the new state of the object old that is updated to obj. It keeps from old what an update cannot change: for the
// subresource status all but the status and the metadata, otherwise the status. It adds one to the generation if the kind counts
// the change.
func (s *Server) merge(r *request, k *kind, old, obj runtime.Object) runtime.Object {
	if r.subresource == "status" {
		obj = k.withStatus(old, obj)
	} else if k.status != nil {
		k.statusOf(obj).Set(k.statusOf(old.DeepCopyObject()))
	}
	m, was := metaOf(obj), metaOf(old)
	if m.UID == "" {
		m.UID = was.UID
	}
	m.ResourceVersion, m.CreationTimestamp, m.Generation = was.ResourceVersion, was.CreationTimestamp, was.Generation
	if was.DeletionTimestamp != nil {
		m.DeletionTimestamp = was.DeletionTimestamp
	}
	if m.DeletionGracePeriodSeconds == nil {
		m.DeletionGracePeriodSeconds = was.DeletionGracePeriodSeconds
	}
	dropUnkept(r, m)
	if k.generation && r.subresource == "" && k.specChanged(obj, old) {
		m.Generation++
	}
	return obj
}

// withStatus returns a copy of old with the status of obj, and, unless the kind is statusAlone, with the metadata of obj. The labels
// of a Deployment and the ownerReferences of a Pod stay as they are in old; the deletionTimestamp of a Pod is nil.
func (k *kind) withStatus(old, obj runtime.Object) runtime.Object {
	whole := old.DeepCopyObject()
	k.statusOf(whole).Set(k.statusOf(obj))
	m, was := metaOf(whole), metaOf(old)
	if k.statusAlone {
		return whole
	}
	*m = *metaOf(obj)
	switch k.Kind {
	case "Deployment":
		m.Labels = was.Labels
	case "Pod":
		m.OwnerReferences, m.DeletionTimestamp = was.OwnerReferences, nil
	}
	return whole
}

// specChanged tells whether obj differs from old in what the generation counts: in anything but the metadata. The annotations of a
// Deployment and the labels of an EndpointSlice count too, and nothing of a PriorityClass does. Both must have the same status. It is
// false if they cannot be compared.
func (k *kind) specChanged(obj, old runtime.Object) bool {
	bare := obj.DeepCopyObject()
	m, was := metaOf(bare), metaOf(old)
	switch {
	case k.Kind == "PriorityClass":
		return false
	case k.Kind == "Deployment" && !maps.Equal(m.Annotations, was.Annotations),
		k.Kind == "EndpointSlice" && !maps.Equal(m.Labels, was.Labels):
		return true
	}
	*m = *was
	same, err := equal(bare, old)
	return err == nil && !same
}

// equal tells whether two objects have the same JSON.
func equal(a, b runtime.Object) (bool, error) {
	left, err := json.Marshal(a)
	right, err2 := json.Marshal(b)
	return bytes.Equal(left, right), errors.Join(err, err2)
}

// check drops from obj what this server does not keep, and then validates it. It returns the error 422 if obj is invalid. old is
// the state before, nil for a new object.
func (s *Server) check(r *request, k *kind, obj, old runtime.Object) error {
	if k.prepare != nil {
		k.prepare(obj, s.CoordinatedLeaderElection)
	}
	m, at := metaOf(obj), field.NewPath("metadata")
	var causes field.ErrorList
	whole := func() field.ErrorList {
		return append(validation.ValidateObjectMeta(m, k.namespaced, k.nameRule, at), k.validateFinalizers(m)...)
	}
	if old == nil {
		causes = whole()
	} else {
		// A real server validates an update twice, once for all kinds and once for its kind: causes come twice.
		was := metaOf(old)
		causes = validation.ValidateObjectMeta(m, k.namespaced, pathSegment, at)
		causes = append(causes, validation.ValidateObjectMetaUpdate(m, was, at)...)
		causes = append(causes, validation.ValidateObjectMetaUpdate(m, was, at)...)
		causes = append(causes, k.validateFinalizers(m)...)
		if k.Group == "" && r.subresource != "status" {
			causes = append(causes, whole()...)
		}
	}
	if k.validate != nil {
		causes = append(causes, k.validate(obj, old)...)
	}
	if len(causes) > 0 {
		return k.invalid(m.Name, causes)
	}
	return nil
}
