package world

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"interregnum/electiontest/internal/lockobject"
	"interregnum/internal/trace"
)

// hand returns a client of the server that bypasses the scenario's network and faults, like somebody who edits a lock by
// hand.
func (w *world) hand() kubernetes.Interface { return w.server.ClientsetFor("electiontest") }

// inherit looks for locks that the server had before the run. It adds a Lease to the trace and its holder to w.holders, and
// fails the run for any other object of a lock. The caller holds w.mu.
func (w *world) inherit() {
	for _, s := range w.seats {
		for _, object := range s.plan.Lock.Objects() {
			o := trace.Object(object)
			r := w.find(o, s.key)
			switch {
			case r == nil || w.holders[s.election][o] != "":
			case o == trace.Lease:
				w.noteEdited(-1, r, s.election)
			default:
				w.fail("the server has a %s %s already, which no property could be judged by: want none, or a Lease", o, s.key)
			}
		}
	}
}

// find returns the record in a lock's object as the server has it, nil if there is no such object, or if it cannot be read.
func (w *world) find(o trace.Object, key types.NamespacedName) *lockobject.Record {
	client, ctx, newest := w.hand(), context.Background(), metav1.GetOptions{}
	var found any
	var err error
	switch o {
	case trace.ConfigMap:
		found, err = client.CoreV1().ConfigMaps(key.Namespace).Get(ctx, key.Name, newest)
	case trace.Endpoints:
		found, err = client.CoreV1().Endpoints(key.Namespace).Get(ctx, key.Name, newest)
	default:
		found, err = client.CoordinationV1().Leases(key.Namespace).Get(ctx, key.Name, newest)
	}
	if err != nil {
		return nil
	}
	text, _ := json.Marshal(found) // such objects can always be
	return lockobject.Read(o, text)
}

// deleteLocks deletes the lock objects that fault i names, as a person would by hand, and adds that to the trace: those of its
// election and kind, or of all elections and kinds if it names none. It returns true if there was such an object.
func (w *world) deleteLocks(i int) (found bool) {
	f := &w.scenario.Faults[i]
	for e, key := range w.locks {
		if f.Election != "" && f.Election != w.scenario.Elections[e] {
			continue
		}
		for _, o := range []trace.Object{trace.Lease, trace.ConfigMap, trace.Endpoints} {
			used := slices.ContainsFunc(w.seats, func(s *seat) bool { return s.locks(o, key.Namespace, key.Name) })
			if !used || f.Object != "" && f.Object != o.String() || !w.deleteObject(o, key.Namespace, key.Name) {
				continue
			}
			found = true
			w.mu.Lock()
			w.noteDeleted(i, o, e)
			w.mu.Unlock()
		}
	}
	return found
}

// deleteObject deletes the lock's object of that kind, namespace and name from the server; deleted is true if there was one.
func (w *world) deleteObject(o trace.Object, namespace, name string) (deleted bool) {
	client, now := w.hand(), metav1.DeleteOptions{}
	ctx := context.Background()
	var err error
	switch o {
	case trace.ConfigMap:
		err = client.CoreV1().ConfigMaps(namespace).Delete(ctx, name, now)
	case trace.Endpoints:
		err = client.CoreV1().Endpoints(namespace).Delete(ctx, name, now)
	default:
		err = client.CoordinationV1().Leases(namespace).Delete(ctx, name, now)
	}
	return err == nil
}

// editLease changes the Lease as fault i says, as a person would by hand, and adds that to the trace. A missing Lease is created
// if the fault gives holder and duration. It returns true if anything has changed.
func (w *world) editLease(i int) bool {
	f := &w.scenario.Faults[i]
	election := max(slices.Index(w.scenario.Elections, f.Election), 0)
	key, ctx := w.locks[election], context.Background()
	leases := w.hand().CoordinationV1().Leases(key.Namespace)
	lease, err := leases.Get(ctx, key.Name, metav1.GetOptions{})
	there, before := err == nil, ""
	if !there {
		if f.Holder == nil || f.Edit.LeaseDuration == nil {
			return false
		}
		lease = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
		lease.Spec.RenewTime = &metav1.MicroTime{Time: time.Now()}
	}
	before = lease.ResourceVersion
	if f.Holder != nil {
		lease.Spec.HolderIdentity = f.Holder
	}
	if d := f.Edit.LeaseDuration; d != nil {
		lease.Spec.LeaseDurationSeconds = new(int32(*d / time.Second))
	}
	if there {
		lease, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	} else {
		lease, err = leases.Create(ctx, lease, metav1.CreateOptions{})
	}
	if err != nil || lease.ResourceVersion == before {
		return false
	}
	text, _ := json.Marshal(lease) // a Lease can always be
	w.mu.Lock()
	defer w.mu.Unlock()
	w.noteEdited(i, lockobject.Read(trace.Lease, text), election)
	return true
}
