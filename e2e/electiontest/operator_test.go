package electiontest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"interregnum/electiontest"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// An ordinary operator, as kubebuilder lays one out: a main that builds a manager, and two reconcilers that own what
// they make. One of them warms up before it is elected.

// operate is all of main that a test can call.
func operate(ctx context.Context, config *rest.Config, o ctrl.Options, site siteReconciler) error {
	m, err := ctrl.NewManager(config, o)
	if err != nil {
		return err
	}
	site.Client, site.events = m.GetClient(), m.GetEventRecorder("site")
	if err := site.SetupWithManager(m); err != nil {
		return err
	}
	if err := (&replicaReconciler{m.GetClient()}).SetupWithManager(m); err != nil {
		return err
	}
	return m.Start(ctx)
}

// siteReconciler runs a Deployment for each ConfigMap that describes a site.
type siteReconciler struct {
	client.Client
	events events.EventRecorder
	// slow is how long it takes for a site, whatever its context says.
	slow time.Duration
}

func (r *siteReconciler) SetupWithManager(m ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(m).Named("site").For(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{EnableWarmup: ptr.To(true)}).Complete(r)
}

func (r *siteReconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	defer electiontest.Guard(ctx)()
	var site corev1.ConfigMap
	if err := r.Get(ctx, q.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: q.Namespace, Name: q.Name}}
	done, err := controllerutil.CreateOrUpdate(ctx, r.Client, d, func() error {
		labels := map[string]string{"site": q.Name}
		d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		d.Spec.Template.Labels = labels
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: site.Data["image"]}}
		return controllerutil.SetControllerReference(&site, d, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if done != controllerutil.OperationResultNone {
		r.events.Eventf(&site, d, corev1.EventTypeNormal, "Deployed", "Deploy", "%s", done)
	}
	time.Sleep(r.slow)
	return ctrl.Result{RequeueAfter: time.Second}, nil
}

// replicaReconciler gives each Deployment a second replica, and watches the Pods that it owns.
type replicaReconciler struct{ client.Client }

func (r *replicaReconciler) SetupWithManager(m ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(m).Named("replica").For(&appsv1.Deployment{}).Owns(&corev1.Pod{}).Complete(r)
}

func (r *replicaReconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	defer electiontest.Guard(ctx)()
	var d appsv1.Deployment
	if err := r.Get(ctx, q.NamespacedName, &d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ptr.Deref(d.Spec.Replicas, 0) == 2 {
		return ctrl.Result{}, nil
	}
	patch := client.MergeFrom(d.DeepCopy())
	d.Spec.Replicas = ptr.To(int32(2))
	return ctrl.Result{}, r.Patch(ctx, &d, patch)
}

// operators runs a scenario on the operator, in a cluster with one site, and returns what became of the site.
func operators(
	t *testing.T, s *scenarios.Scenario, slow time.Duration, exit bool,
) (*scenarios.Result, *appsv1.Deployment) {
	var server fakekube.Server
	_, err := server.Clientset().CoreV1().ConfigMaps("shop").Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "site"}, Data: map[string]string{"image": "web:1"}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	r := electiontest.Options{Server: &server}.Run(t, s, func(ctx context.Context, c *electiontest.Candidate) {
		o := ctrl.Options{LeaderElection: true, LeaderElectionID: "80807133.example.com", HealthProbeBindAddress: ":8081"}
		config := c.Manager(ctx, &o)
		if err := operate(ctx, config, o, siteReconciler{slow: slow}); err != nil && exit {
			c.Exit() // the program's os.Exit(1)
		}
	})
	d, err := server.Clientset().AppsV1().Deployments("shop").Get(t.Context(), "site", metav1.GetOptions{})
	require.NoError(t, err)
	return r, d
}

// TestOperator: the leader reconciles, the next one goes on when it is cut off, and at no time do both.
func TestOperator(t *testing.T) {
	r, d := operators(t, scenario(t, nil), 0, true)
	assert.EqualValues(t, 2, *d.Spec.Replicas)
	leaders := map[string]bool{}
	for _, term := range r.Terms {
		leaders[term.Candidate] = true
	}
	assert.Len(t, leaders, 2)
}

// TestOperatorOutlives: a reconciler that does not look at its context works beside the next leader's, where the program does
// not exit.
func TestOperatorOutlives(t *testing.T) {
	s := scenario(t, map[string]scenarios.Expectation{
		"single-work": scenarios.ExpectViolated, "safety-window": scenarios.ExpectViolated,
	})
	operators(t, s, 40*time.Second, false)
	operators(t, scenario(t, nil), 40*time.Second, true)
}

// TestOperatorSame: a seed decides what becomes of the lock, whatever order an operator's goroutines run in. How many
// reconciliations begin at the very instant at which the manager gives up is theirs to race for.
func TestOperatorSame(t *testing.T) {
	var first []scenarios.Write
	for range 6 {
		s := scenario(t, nil)
		s.Network.Request.Max = 5 * time.Millisecond
		r, _ := operators(t, s, 0, true)
		require.NotEmpty(t, r.Writes)
		if first == nil {
			first = r.Writes
		}
		assert.Equal(t, first, r.Writes)
	}
}

// TestOperatorEndsAsItStarts: a manager whose context ends before its caches are there computes until they are, without a pause. The kit has
// it wait for them, or leaves it where it is: the run goes on.
func TestOperatorEndsAsItStarts(t *testing.T) {
	cut := func(until time.Duration) scenarios.Fault {
		return scenarios.Fault{Kind: "partition", On: []string{"c1"}, Until: &until}
	}
	at := func(kind scenarios.FaultKind) scenarios.Fault {
		return scenarios.Fault{Kind: kind, At: 3 * time.Second, On: []string{"c1"}}
	}
	for name, faults := range map[string][]scenarios.Fault{
		"crash": {cut(5 * time.Second), at("crash")}, "cancel": {cut(5 * time.Second), at("cancel")}, "horizon": {cut(time.Hour)},
	} {
		t.Run(name, func(t *testing.T) { operators(t, electiontest.Scenario(2, time.Minute, faults...), 0, true) })
	}
}
