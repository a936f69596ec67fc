package fakekube

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// unsendable are the requests that no typed client makes, with the reason.
var unsendable = map[string]string{
	"update name mismatch url/body":              "the name of the path is the object's",
	"create leaseDurationSeconds int32 overflow": "no int32",
	"create leaseDurationSeconds 1.5":            "no int32",
	"create leaseDurationSeconds string":         "no int32",
	"create unknown field":                       "the type has no such field",
	"create unknown field strict":                "the type has no such field",
	"microtime 9 digits":                         "a MicroTime has six",
	"microtime 3 digits":                         "a MicroTime has six",
	"microtime 0 digits":                         "a MicroTime has six",
	"microtime empty string":                     "no MicroTime",
	"microtime garbage":                          "no MicroTime",
	"malformed json":                             "the client writes the JSON",
	"empty body":                                 "the client writes the JSON",
	"wrong kind":                                 "the method takes Leases only",
	"no kind":                                    "the client writes the kind",
	"wrong media type":                           "the client writes the type",
	"method not allowed":                         "there is no such method",
	"unknown api version":                        "there is no such client",
	"body over 3 MiB":                            "the clientset has no bodies",
	"watch from rv":                              "a stream; see TestWatch",
	"watch no rv":                                "a stream; see TestWatch",
	// These are sent and refused or answered otherwise, as on HTTP.
	"version":                     notReplayed["version"],
	"create in missing namespace": notReplayed["create in missing namespace"],
}

// TestRecordedClientset replays what a clientset can send: 87 of the 110.
func TestRecordedClientset(t *testing.T) {
	sent := 0
	clients := map[string]*fake.Clientset{}
	byHTTP := sendHTTP(t)
	replay(t, func(s *Server, o *recorded) (int, http.Header, []byte) {
		if unsendable[o.Name] != "" {
			return byHTTP(s, o) // to have the same objects there
		}
		sent++
		if clients[o.User] == nil {
			clients[o.User] = s.ClientsetFor(o.User)
		}
		obj, err := sendTyped(t, clients[o.User], o)
		if err != nil {
			var status apierrors.APIStatus
			require.ErrorAs(t, err, &status, o.Name)
			answer := status.Status()
			answer.Kind, answer.APIVersion = "Status", "v1"
			obj = &answer
		}
		if obj == nil {
			return 0, nil, nil // a delete, of whose answer a client shows nothing
		}
		text, err := json.Marshal(obj)
		require.NoError(t, err)
		return 0, nil, text
	})
	assert.Equal(t, 110-len(unsendable), sent)
	assert.Equal(t, 87, sent)
}

func sendTyped(t *testing.T, c *fake.Clientset, o *recorded) (obj runtime.Object, err error) {
	ctx := t.Context()
	where, err := url.Parse(o.Path)
	require.NoError(t, err)
	r := &request{}
	require.True(t, route(where.Path, r))
	q := where.Query()
	var dry []string
	if q.Has("dryRun") {
		dry = []string{q.Get("dryRun")}
	}
	switch r.resource.Resource {
	case "roles":
		role := strict[rbacv1.Role](t, o)
		obj, err = c.RbacV1().Roles(r.namespace).Create(ctx, role, metav1.CreateOptions{})
		return withKind(obj, "Role", "rbac.authorization.k8s.io/v1"), err
	case "rolebindings":
		binding := strict[rbacv1.RoleBinding](t, o)
		obj, err = c.RbacV1().RoleBindings(r.namespace).Create(ctx, binding, metav1.CreateOptions{})
		return withKind(obj, "RoleBinding", "rbac.authorization.k8s.io/v1"), err
	}
	leases := c.CoordinationV1().Leases(r.namespace)
	obj, err = sendLease(t, leases, o, r, q, dry)
	if o.Method == "DELETE" {
		return nil, err
	}
	return withKind(obj, "Lease", "coordination.k8s.io/v1"), err
}

func sendLease(
	t *testing.T, leases typed.LeaseInterface, o *recorded, r *request, q url.Values, dry []string,
) (runtime.Object, error) {
	ctx := t.Context()
	switch {
	case o.Method == "GET" && r.name == "":
		list, err := leases.List(ctx, metav1.ListOptions{Limit: 1})
		return list, err
	case o.Method == "GET":
		return leases.Get(ctx, r.name, metav1.GetOptions{ResourceVersion: q.Get("resourceVersion")})
	case o.Method == "POST":
		return leases.Create(ctx, strict[coordinationv1.Lease](t, o), metav1.CreateOptions{DryRun: dry})
	case o.Method == "PUT":
		l := strict[coordinationv1.Lease](t, o)
		assert.Equal(t, r.name, l.Name)
		return leases.Update(ctx, l, metav1.UpdateOptions{DryRun: dry})
	case o.Method == "PATCH":
		return leases.Patch(ctx, r.name, types.PatchType(o.ContentType), o.Request,
			metav1.PatchOptions{FieldManager: q.Get("fieldManager")})
	}
	options := &metav1.DeleteOptions{}
	if len(o.Request) > 0 {
		options = strict[metav1.DeleteOptions](t, o)
	}
	return nil, leases.Delete(ctx, r.name, *options)
}

// strict is what a program has that sends such a request.
func strict[T any](t *testing.T, o *recorded) *T {
	var v T
	d := json.NewDecoder(bytes.NewReader(o.Request))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&v), o.Name)
	return &v
}

// withKind puts in the kind, which typed clients drop.
func withKind(obj runtime.Object, kind, version string) runtime.Object {
	switch x := obj.(type) {
	case *coordinationv1.Lease:
		x.Kind, x.APIVersion = kind, version
	case *coordinationv1.LeaseList:
		x.Kind, x.APIVersion = kind+"List", version
	case *rbacv1.Role:
		x.Kind, x.APIVersion = kind, version
	case *rbacv1.RoleBinding:
		x.Kind, x.APIVersion = kind, version
	}
	return obj
}
