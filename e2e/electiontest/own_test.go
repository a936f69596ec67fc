package electiontest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"interregnum/electiontest"
	"interregnum/simlock/fakekube"
)

// Backup is a resource of the operator's own, as controller-gen has it.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BackupSpec   `json:"spec,omitempty"`
	Status            BackupStatus `json:"status,omitempty"`
}

// BackupSpec says what to back up.
type BackupSpec struct {
	Volume string `json:"volume,omitempty"`
}

// BackupStatus says what has been done.
type BackupStatus struct {
	Times int `json:"times,omitempty"`
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

// ourScheme is that of the operator's api package.
func ourScheme() *runtime.Scheme {
	scheme, group := runtime.NewScheme(), schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypes(group, &Backup{}, &BackupList{})
	metav1.AddToGroupVersion(scheme, group)
	return scheme
}

// backups is main: it takes a backup of each volume every five seconds, and counts in the status.
func backups(ctx context.Context, config *rest.Config, o ctrl.Options) error {
	m, err := ctrl.NewManager(config, o)
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(m).For(&Backup{}).Complete(&backupReconciler{m.GetClient()})
	if err != nil {
		return err
	}
	return m.Start(ctx)
}

type backupReconciler struct{ client.Client }

func (r *backupReconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	defer electiontest.Guard(ctx)()
	var b Backup
	if err := r.Get(ctx, q.NamespacedName, &b); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	time.Sleep(2 * time.Second)
	b.Status.Times++
	return ctrl.Result{RequeueAfter: 3 * time.Second}, r.Status().Update(ctx, &b)
}

func TestOwnResources(t *testing.T) {
	scheme := ourScheme()
	var server fakekube.Server
	require.NoError(t, server.Serve(scheme, fakekube.Resource{Object: &Backup{}}))
	require.NoError(t, server.Add(&Backup{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "daily"}, Spec: BackupSpec{Volume: "data"},
	}))
	kit := electiontest.Options{Server: &server}
	kit.RunFile(t, "testdata/cut-off.yaml", func(ctx context.Context, c *electiontest.Candidate) {
		o := ctrl.Options{Scheme: scheme, LeaderElection: true}
		config := c.Manager(ctx, &o)
		if err := backups(ctx, config, o); err != nil {
			c.Exit()
		}
	})
	cl, err := client.New(server.ConfigFor("test"), client.Options{Scheme: scheme})
	require.NoError(t, err)
	var b Backup
	require.NoError(t, cl.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "daily"}, &b))
	assert.Greater(t, b.Status.Times, 5)
}
