package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
	"interregnum/elector/kubelock"
)

// namespaceFile is the file in which a pod finds the namespace of its service account.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// kubeConfig returns how to reach the API server, and the namespace that goes with it, "" if there is none. It reads them from
// --kubeconfig or $KUBECONFIG; if neither is given, from what a pod finds in its file system.
func kubeConfig(o *options, env func(string) string) (*rest.Config, string, error) {
	if o.kubeconfig == "" && env("KUBECONFIG") == "" {
		config, err := rest.InClusterConfig()
		if err != nil {
			return nil, "", fmt.Errorf("no --kubeconfig and no KUBECONFIG, and not in a cluster: %w", err)
		}
		namespace, _ := os.ReadFile(namespaceFile)
		return config, strings.TrimSpace(string(namespace)), nil
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	file := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil)
	config, err := file.ClientConfig()
	if err != nil {
		return nil, "", fmt.Errorf("--kubeconfig: %w", err)
	}
	namespace, _, err := file.Namespace()
	return config, namespace, err
}

// client returns a client of the API server, and the namespace of the lock. Before it makes the client it calls prepare, which
// can change the client's configuration. It returns an error for a configuration that does not verify the server, and if nothing
// tells the namespace or what tells it is no valid name.
func (p *program) client(o *options, prepare func(*rest.Config)) (kubernetes.Interface, string, error) {
	config, namespace, err := p.kube(o, p.env)
	if err != nil {
		return nil, "", badInput("%v", err)
	}
	if config.Insecure {
		return nil, "", badInput("the kubeconfig has insecure-skip-tls-verify: anybody could answer for the API server; " +
			"expected certificate-authority")
	}
	config = rest.AddUserAgent(config, "interregnum-elector")
	prepare(config)
	if namespace = cmp.Or(o.namespace, p.env("POD_NAMESPACE"), namespace); namespace == "" {
		return nil, "", badInput("--namespace: expected one, since nothing else tells it")
	}
	if problems := validation.IsDNS1123Label(namespace); len(problems) > 0 {
		return nil, "", badInput("--namespace: expected the name of a namespace, got %.100q: %s", namespace,
			strings.Join(problems, "; "))
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, "", badInput("%v", err)
	}
	return client, namespace, nil
}

// contendInKubernetes takes part in the election on a lock object in Kubernetes, until ctx has ended or the command is done.
// While it runs, it also reviews the right to update, every --lease-duration. It returns an error if it cannot begin, or if the
// work has not returned although the lease has run out.
func (p *program) contendInKubernetes(ctx context.Context, c *candidate) error {
	o := c.o
	client, namespace, err := p.client(o, func(config *rest.Config) {
		// One request that hangs leaves time for another.
		config.Timeout = o.renew / 2
	})
	if err != nil {
		return err
	}
	events := newEvents(ctx, namespace, o.name,
		&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(namespace)}, c.log)
	defer events.flush()
	lock, err := kubelock.New(o.lockKind, namespace, o.name, client.CoreV1(), client.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: o.id, EventRecorder: events})
	if err != nil {
		return err
	}
	go wait.UntilWithContext(ctx, func(ctx context.Context) {
		c.reviewUpdate(ctx, client.AuthorizationV1().SelfSubjectAccessReviews(), namespace)
	}, o.lease)
	config := elector.LeaderElectionConfig{
		Lock: kubeLock{lock.(versioned), namespace, c}, Profile: elector.Profile(o.profile), Name: o.name,
		LeaseDuration: o.lease, RenewDeadline: o.renew, RetryPeriod: o.retry,
		WatchDog: c.watchDog, ReleaseOnCancel: true,
	}
	if config.Profile == elector.Strict {
		return elector.RunUntil(ctx, config, c.work)
	}
	config.Callbacks.OnStartedLeading = func(ctx context.Context) { _ = c.work(ctx) }
	config.Callbacks.OnStoppedLeading = func() {}
	for ctx.Err() == nil {
		le, err := elector.NewLeaderElector(config)
		if err != nil {
			return err
		}
		c.watchDog.SetLeaderElection(le)
		le.Run(ctx)
	}
	return nil
}
