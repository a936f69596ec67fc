package runtime_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"interregnum/electiontest"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// Backup is a resource of the operator's own.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Volume            string       `json:"volume,omitempty"`
	Status            BackupStatus `json:"status,omitempty"`
}

// BackupStatus has who counted, and how often.
type BackupStatus struct {
	Times int            `json:"times,omitempty"`
	By    map[string]int `json:"by,omitempty"`
}

// BackupList is some of them.
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Backup `json:"items"`
}

// DeepCopyObject is what controller-gen writes.
func (b *Backup) DeepCopyObject() runtime.Object {
	c := *b
	b.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.Status.By = map[string]int{}
	for who, times := range b.Status.By {
		c.Status.By[who] = times
	}
	return &c
}

// DeepCopyObject is what controller-gen writes.
func (l *BackupList) DeepCopyObject() runtime.Object {
	c := *l
	l.ListMeta.DeepCopyInto(&c.ListMeta)
	c.Items = nil
	for i := range l.Items {
		c.Items = append(c.Items, *l.Items[i].DeepCopyObject().(*Backup))
	}
	return &c
}

func ownScheme(t *testing.T) *runtime.Scheme {
	scheme, group := runtime.NewScheme(), schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypes(group, &Backup{}, &BackupList{})
	metav1.AddToGroupVersion(scheme, group)
	require.NoError(t, corev1.AddToScheme(scheme))
	return scheme
}

// operate is main: a webhook for each Backup, and a controller that owns a Secret for each.
func operate(ctx context.Context, config *rest.Config, o ctrl.Options, who string) error {
	m, err := ctrl.NewManager(config, o)
	if err != nil {
		return err
	}
	if err := withWebhook(m); err != nil {
		return err
	}
	if err := m.AddReadyzCheck("webhook", m.GetWebhookServer().StartedChecker()); err != nil {
		return err
	}
	of := func(o client.Object) []string { return []string{o.(*Backup).Volume} }
	if err := m.GetFieldIndexer().IndexField(ctx, &Backup{}, "volume", of); err != nil {
		return err
	}
	r := &backups{m.GetClient(), who}
	if err := ctrl.NewControllerManagedBy(m).For(&Backup{}).Owns(&corev1.Secret{}).Complete(r); err != nil {
		return err
	}
	return m.Start(ctx)
}

// defaulter is a webhook, as kubebuilder has one.
type defaulter struct{}

type backups struct {
	client.Client
	who string
}

func (r *backups) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	defer electiontest.Guard(ctx)()
	var b Backup
	if err := r.Get(ctx, q.NamespacedName, &b); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: b.Namespace, Name: b.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = map[string]string{"volume": b.Volume}
		return controllerutil.SetControllerReference(&b, secret, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if controllerutil.AddFinalizer(&b, "example.com/backup") {
		if err := r.Update(ctx, &b); err != nil {
			return ctrl.Result{}, err
		}
	}
	var same BackupList
	if err := r.List(ctx, &same, client.MatchingFields{"volume": b.Volume}); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Patch(ctx, note(&b, len(same.Items)), client.Apply, client.FieldOwner("backups"), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	if b.Status.By == nil {
		b.Status.By = map[string]int{}
	}
	b.Status.Times++
	b.Status.By[r.who]++
	return ctrl.Result{RequeueAfter: 3 * time.Second}, r.Status().Update(ctx, &b)
}

// note is a ConfigMap that says how many Backups there are of one volume.
func note(b *Backup, n int) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Namespace: b.Namespace, Name: b.Name},
		Data:       map[string]string{"ofThisVolume": strconv.Itoa(n)},
	}
}

// noWebhooks listens to nobody.
type noWebhooks struct{}

func (noWebhooks) NeedLeaderElection() bool        { return false }
func (noWebhooks) Register(string, http.Handler)   {}
func (noWebhooks) Start(ctx context.Context) error { <-ctx.Done(); return nil }
func (noWebhooks) StartedChecker() healthz.Checker { return healthz.Ping }
func (noWebhooks) WebhookMux() *http.ServeMux      { return http.NewServeMux() }

// TestOwn: an operator with a webhook, a resource of its own and its status runs; where the leader is cut off, the other goes on.
func TestOwn(t *testing.T) {
	log.SetLogger(logr.Discard())
	s, err := scenarios.Read(strings.NewReader(cutOff), "cut-off.yaml")
	require.NoError(t, err)
	scheme := ownScheme(t)
	var server fakekube.Server
	require.NoError(t, server.Serve(scheme, fakekube.Resource{Object: &Backup{}}))
	require.NoError(t, server.Add(&Backup{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "daily"}, Volume: "data"}))
	electiontest.Options{Server: &server}.Run(t, s, func(ctx context.Context, c *electiontest.Candidate) {
		o := ctrl.Options{Scheme: scheme, LeaderElection: true}
		config := c.Manager(ctx, &o)
		o.WebhookServer = noWebhooks{}
		if err := operate(ctx, config, o, c.ID); err != nil {
			c.Exit()
		}
	})
	cl, err := client.New(server.ConfigFor("test"), client.Options{Scheme: scheme})
	require.NoError(t, err)
	var b Backup
	require.NoError(t, cl.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "daily"}, &b))
	assert.Len(t, b.Status.By, 2)
	assert.Greater(t, b.Status.Times, 5)
	assert.Equal(t, []string{"example.com/backup"}, b.Finalizers)
	var applied corev1.ConfigMap
	require.NoError(t, cl.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "daily"}, &applied))
	assert.Equal(t, map[string]string{"ofThisVolume": "1"}, applied.Data)
	var secret corev1.Secret
	require.NoError(t, cl.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "daily"}, &secret))
	assert.Equal(t, "Backup", secret.OwnerReferences[0].Kind)
}
