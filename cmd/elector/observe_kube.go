package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	coordinationinformers "k8s.io/client-go/informers/coordination/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/kubelock"
)

// observeKubernetes passes each state of the lock object to out, until ctx ends. It uses an informer, which lists the object and
// then watches it. Errors of the informer are logged, stored for health checks, and do not end it; an error is returned only if
// it cannot start.
func (p *program) observeKubernetes(ctx context.Context, out *observer) error {
	o, verb := out.of.o, &atomic.Value{}
	client, namespace, err := p.client(o, func(config *rest.Config) {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return answers{next, out.of, verb} })
	})
	if err != nil {
		return err
	}
	informer := o.informer(client, namespace)
	err = informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		asked, _ := verb.Load().(string)
		err = explain(cmp.Or(asked, "list"), namespace, o.name, err)
		out.of.heard(false, err)
		out.fail(err)
	})
	if err != nil {
		return err
	}
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: out.seeObject, UpdateFunc: func(_, object any) { out.seeObject(object) },
		DeleteFunc: func(any) { out.see(&change{}) },
	})
	if err != nil {
		return err
	}
	informer.RunWithContext(ctx)
	return nil
}

// informer returns the informer for the one lock object: a ConfigMap, an Endpoints, or else a Lease. The lock must not be on two
// objects.
func (o *options) informer(client kubernetes.Interface, namespace string) cache.SharedIndexInformer {
	only := func(l *metav1.ListOptions) {
		// A Role can allow list and watch of one name only where the request asks for no more.
		l.FieldSelector = fields.OneTermEqualSelector("metadata.name", o.name).String()
	}
	switch o.lockKind {
	case kubelock.ConfigMapsResourceLock:
		return coreinformers.NewFilteredConfigMapInformer(client, namespace, 0, nil, only)
	case kubelock.EndpointsResourceLock:
		return coreinformers.NewFilteredEndpointsInformer(client, namespace, 0, nil, only)
	}
	return coordinationinformers.NewFilteredLeaseInformer(client, namespace, 0, nil, only)
}

// seeObject prints the state of a lock object from the informer, unless it is of the same term as the last one. It
// logs an object that cannot be read.
func (o *observer) seeObject(object any) {
	record, err := recordOf(object)
	if err != nil {
		o.fail(err)
		return
	}
	about, _ := meta.Accessor(object)
	c := &change{
		Holder: record.HolderIdentity, Transitions: &record.LeaderTransitions,
		LeaseDurationSeconds: record.LeaseDurationSeconds, ResourceVersion: about.GetResourceVersion(),
	}
	if !record.AcquireTime.IsZero() {
		c.AcquireTime = &record.AcquireTime.Time
	}
	o.see(c)
}

// recordOf returns the leader election record of a lock object; an empty record if the object has none. It returns an error for
// an annotation that is no record.
func recordOf(object any) (*resourcelock.LeaderElectionRecord, error) {
	if lease, ok := object.(*coordinationv1.Lease); ok {
		return resourcelock.LeaseSpecToLeaderElectionRecord(&lease.Spec), nil
	}
	about, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	const key = resourcelock.LeaderElectionRecordAnnotationKey
	record, text := &resourcelock.LeaderElectionRecord{}, about.GetAnnotations()[key]
	if text == "" {
		return record, nil
	}
	if err := json.Unmarshal([]byte(text), record); err != nil {
		return nil, fmt.Errorf("annotation %s of %s: expected a leader election record in JSON, got %.200q: %w",
			key, about.GetName(), text, err)
	}
	return record, nil
}

// answers passes HTTP requests on, and records for health checks that the API server answers: a watch can be silent for long,
// and is healthy all the same.
type answers struct {
	next http.RoundTripper
	of   *candidate
	// verb is the verb of the last request, a string.
	verb *atomic.Value
}

// RoundTrip implements http.RoundTripper. It stores the request's verb, list or watch, and records for health checks
// an answer with status 200.
func (a answers) RoundTrip(request *http.Request) (*http.Response, error) {
	verb := "list"
	if strings.Contains(request.URL.RawQuery, "watch=") {
		verb = "watch"
	}
	a.verb.Store(verb)
	answer, err := a.next.RoundTrip(request)
	if err == nil && answer.StatusCode == http.StatusOK {
		a.of.heard(true, nil)
	}
	return answer, err
}
