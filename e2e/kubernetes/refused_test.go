package kubernetes_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/electorproc"
	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// TestRefusedAsLogged: of a write that the server refuses, since it is not allowed (403) or there are too many requests (429), the audit log
// has who asked, the object and the status, but no record: docs/method/investigate.md relies on that. Of the first it has the authorizer's decision,
// and of the second none, since requests are counted before it is asked.
func TestRefusedAsLogged(t *testing.T) {
	c := theServer(t)
	namespace(t, c)
	admin := kubernetes.NewForConfigOrDie(c.Config("admin"))
	lease, err := admin.CoordinationV1().Leases(cluster.Recorded).Create(t.Context(),
		&coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "refused"}, Spec: resourcelock.LeaderElectionRecordToLeaseSpec(
			&resourcelock.LeaderElectionRecord{HolderIdentity: "one", LeaseDurationSeconds: 15})}, metav1.CreateOptions{})
	require.NoError(t, err)

	err = write(t, c, "nobody", current(t, admin, lease))
	require.True(t, apierrors.IsForbidden(err), "%v", err)
	mayUpdate(t, admin, "cand")
	require.NoError(t, write(t, c, "cand", current(t, admin, lease)))
	jail(t, admin, "cand")
	electorproc.Eventually(t, "the server refuses requests of the user", func() bool {
		return crowd(t, c, "cand", current(t, admin, lease))
	})

	audit, err := os.ReadFile(c.AuditLog())
	require.NoError(t, err)
	requests := map[int]*evidence.Request{}
	r := read.New(read.Options{})
	require.NoError(t, r.Read(read.File{Name: "audit.log", Reader: strings.NewReader(string(audit)), Modified: time.Now()}))
	all := r.Evidence().Requests
	for i := range all {
		if q := &all[i]; q.Lock.Name == lease.Name && q.Verb == "update" {
			requests[q.Status] = q
		}
	}
	for status, want := range map[int]struct{ user, decision string }{
		http.StatusForbidden: {"nobody", "forbid"}, http.StatusTooManyRequests: {"cand", ""}, http.StatusOK: {"cand", "allow"},
	} {
		q := requests[status]
		if !assert.NotNil(t, q, "no update with %d is logged:\n%s", status, audit) {
			continue
		}
		assert.Equal(t, want.user, q.User, status)
		assert.Equal(t, want.decision, q.Decision, status)
		assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: cluster.Recorded, Name: lease.Name}, q.Lock, status)
		assert.NotEmpty(t, q.From, status)
		assert.NotEmpty(t, q.Agent, status)
		if status == http.StatusOK {
			assert.NotNil(t, q.Wrote)
			assert.NotNil(t, q.Saw)
		} else {
			assert.Nil(t, q.Wrote, "the record of a write with %d is logged", status)
			assert.Nil(t, q.Saw, status)
		}
	}
}

// write has a user write the Lease once: client-go would repeat what is refused with 429.
func write(t *testing.T, c *cluster.Cluster, user string, lease *coordinationv1.Lease) error {
	config := c.Config(user)
	config.UserAgent = "candidate-of-" + user
	client, err := rest.RESTClientFor(setUp(config))
	if !assert.NoError(t, err) {
		return err
	}
	body, err := json.Marshal(renewed(lease))
	if !assert.NoError(t, err) {
		return err
	}
	return client.Put().MaxRetries(0).Namespace(lease.Namespace).Resource("leases").Name(lease.Name).Body(body).Do(t.Context()).Error()
}

// crowd has a user write the Lease many times at once, and says whether the server refused one since there are too many requests: a priority level
// without a seat still lets one request pass while it carries out none (canAccommodateSeatsLocked of apiserver's queueset.go).
func crowd(t *testing.T, c *cluster.Cluster, user string, lease *coordinationv1.Lease) bool {
	var refused atomic.Bool
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if apierrors.IsTooManyRequests(write(t, c, user, lease)) {
				refused.Store(true)
			}
		})
	}
	all.Wait()
	return refused.Load()
}

// setUp has a configuration know the group of Leases.
func setUp(config *rest.Config) *rest.Config {
	version := coordinationv1.SchemeGroupVersion
	config.GroupVersion, config.APIPath, config.NegotiatedSerializer = &version, "/apis", scheme.Codecs.WithoutConversion()
	return config
}

// current is the Lease as it stands: the server takes no update of a Lease that names no version.
func current(t *testing.T, admin kubernetes.Interface, lease *coordinationv1.Lease) *coordinationv1.Lease {
	now, err := admin.CoordinationV1().Leases(lease.Namespace).Get(t.Context(), lease.Name, metav1.GetOptions{})
	require.NoError(t, err)
	return now
}

// renewed is the Lease with another renewTime.
func renewed(lease *coordinationv1.Lease) *coordinationv1.Lease {
	next := lease.DeepCopy()
	next.TypeMeta = metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}
	next.ManagedFields = nil
	next.Spec.RenewTime = ptr.To(metav1.NowMicro())
	return next
}

// mayUpdate lets a user update Leases.
func mayUpdate(t *testing.T, admin kubernetes.Interface, user string) {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "refused"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{coordinationv1.GroupName}, Resources: []string{"leases"}, Verbs: []string{"update"}},
	}}
	_, err := admin.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{})
	require.NoError(t, err)
	binding := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "refused"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: user}}}
	_, err = admin.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, admin.RbacV1().ClusterRoleBindings().Delete(context.Background(), binding.Name, metav1.DeleteOptions{}))
		require.NoError(t, admin.RbacV1().ClusterRoles().Delete(context.Background(), role.Name, metav1.DeleteOptions{}))
	})
}

// jail has API priority and fairness refuse requests of a user about Leases at once, while it carries out another one: their
// priority level has no seat, and borrows none.
func jail(t *testing.T, admin kubernetes.Interface, user string) {
	api := admin.FlowcontrolV1()
	level := &flowcontrolv1.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "refused"},
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: ptr.To(int32(0)), BorrowingLimitPercent: ptr.To(int32(0)),
				LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject},
			}}}
	_, err := api.PriorityLevelConfigurations().Create(t.Context(), level, metav1.CreateOptions{})
	require.NoError(t, err)
	schema := &flowcontrolv1.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: "refused"}, Spec: flowcontrolv1.FlowSchemaSpec{
		MatchingPrecedence: 2, PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: level.Name},
		Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
			Subjects: []flowcontrolv1.Subject{{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: user}}},
			ResourceRules: []flowcontrolv1.ResourcePolicyRule{{Verbs: []string{"update"}, APIGroups: []string{coordinationv1.GroupName},
				Resources: []string{"leases"}, Namespaces: []string{flowcontrolv1.NamespaceEvery}}},
		}}}}
	_, err = api.FlowSchemas().Create(t.Context(), schema, metav1.CreateOptions{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, api.FlowSchemas().Delete(context.Background(), schema.Name, metav1.DeleteOptions{}))
		require.NoError(t, api.PriorityLevelConfigurations().Delete(context.Background(), level.Name, metav1.DeleteOptions{}))
	})
}
