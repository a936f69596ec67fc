package kubernetes_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/electorproc"
)

// watchRole is the role that docs/investigate.md says a watch needs.
func watchRole(t *testing.T) *rbacv1.ClusterRole {
	page, err := os.ReadFile("../../docs/investigate.md")
	require.NoError(t, err)
	m := regexp.MustCompile("(?s)```yaml\n(apiVersion: rbac.*?)```").FindSubmatch(page)
	require.NotNil(t, m)
	role := &rbacv1.ClusterRole{}
	require.NoError(t, yaml.UnmarshalStrict(m[1], role))
	return role
}

// TestWatch: simulate investigate --watch, with no more rights than its page asks for, sees each write of a Lease, through a restart of the server
// and while its rights are gone, and tells of it in the end.
func TestWatch(t *testing.T) {
	c := cluster.Start(t)
	admin := kubernetes.NewForConfigOrDie(c.Config("admin"))
	simulate := buildSimulate(t)
	kubeconfig := c.Kubeconfig(t, "nobody", "")
	refused := exec.Command(simulate, "investigate", "--kubeconfig", kubeconfig, "--watch", "10s")
	out, err := refused.CombinedOutput()
	assert.Equal(t, 2, refused.ProcessState.ExitCode(), "%v", err)
	assert.Contains(t, string(out), "forbidden")

	role := watchRole(t)
	_, err = admin.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{})
	require.NoError(t, err)
	binding := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "watcher"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: "nobody"}}}
	_, err = admin.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{})
	require.NoError(t, err)

	w := startWatch(t, simulate, "--kubeconfig", kubeconfig)
	l := &written{t: t, client: admin}
	for _, holder := range []string{"a", "a", "b"} {
		l.write(holder)
		w.await(t, fmt.Sprintf("interregnum_lease_writes_total%s %d\n", l.labels(), l.n))
	}
	assert.Contains(t, w.metrics(t), `interregnum_lease_transitions_total`+l.labels()+" 1\n")

	c.Restart(t, time.Second)
	l.write("b")
	w.await(t, fmt.Sprintf("interregnum_lease_writes_total%s %d\n", l.labels(), l.n))
	w.await(t, "interregnum_watch_up 1\n")
	require.NoError(t, admin.RbacV1().ClusterRoleBindings().Delete(t.Context(), "watcher", metav1.DeleteOptions{}))
	c.Restart(t, 0) // a stream that is open stays open without rights
	w.await(t, "interregnum_watch_up 0\n")
	unseen := l.n
	l.write("c")

	story, talk := w.end(t)
	require.Len(t, story.Locks, 1)
	assert.Len(t, story.Locks[0].Writes, unseen, "%s", talk)
	assert.Equal(t, "possible", story.Locks[0].Verdict)
	assert.Contains(t, talk, "leases were not watched from ")
	assert.Contains(t, talk, "forbidden")
	assert.NotContains(t, talk, "token-of-")
}

// TestWatchToldAsLogged: of a real election a watch tells the same holders and the same changes as the server's audit log, and as many writes.
func TestWatchToldAsLogged(t *testing.T) {
	c := theServer(t)
	simulate := buildSimulate(t)
	w := startWatch(t, simulate, "--kubeconfig", c.Kubeconfig(t, "admin", ""), "--namespace", cluster.Recorded)
	one := prepare(t, c, &incident{what: "killed", kind: "library", level: "RequestResponse"})
	namespace(t, c)
	require.NoError(t, one.run(t.Context()))
	labels := fmt.Sprintf(`{namespace=%q,lease=%q,holder="`, cluster.Recorded, one.name)
	w.await(t, "interregnum_lease_held"+labels)
	seen, talk := w.end(t)
	s, _ := one.story(t, collect(t, c))
	k := -1
	for i := range seen.Locks { // other tests' Leases are there, too
		if seen.Locks[i].Name == one.name {
			k = i
		}
	}
	require.GreaterOrEqual(t, k, 0, "%s", talk)
	got := seen.Locks[k]
	require.Len(t, got.Writes, len(s.Writes), "%s", talk)
	for i := range s.Writes {
		assert.Equal(t, s.Writes[i].Record.Holder, got.Writes[i].Holder)
		assert.GreaterOrEqual(t, got.Writes[i].ReceivedAt.Sub(s.Writes[i].Received), time.Duration(0), "it is seen once it is there")
	}
	assert.Len(t, got.Terms, len(s.Terms))
}

func buildSimulate(t *testing.T) string {
	simulate := filepath.Join(t.TempDir(), "simulate")
	text, err := exec.Command("go", "build", "-C", "../..", "-o", simulate, "./cmd/simulate").CombinedOutput()
	require.NoError(t, err, "%s", text)
	return simulate
}

// told is what the tests read of simulate investigate's JSON.
type told struct {
	Locks []struct {
		Name, Verdict string
		Terms         []struct{ Holder string }
		Writes        []struct {
			Holder     string
			ReceivedAt time.Time
		}
	}
}

// watching is a simulate investigate --watch that runs.
type watching struct {
	cmd       *exec.Cmd
	out, talk electorproc.Buffer
	at        string
}

var metricsAt = regexp.MustCompile(`metrics are at (http://\S+)`)

// startWatch returns once it watches.
func startWatch(t *testing.T, simulate string, args ...string) *watching {
	w := &watching{}
	w.cmd = exec.Command(simulate, append([]string{"investigate", "--watch", "1h", "-o", "json", "--metrics", "127.0.0.1:0"}, args...)...)
	w.cmd.Stdout, w.cmd.Stderr = &w.out, &w.talk
	endWithParent(w.cmd)
	require.NoError(t, w.cmd.Start())
	t.Cleanup(func() { _ = w.cmd.Process.Kill() })
	require.NoError(t, until(t.Context(), func() bool {
		return w.cmd.ProcessState != nil || strings.Contains(w.talk.String(), "simulate: watching ")
	}))
	w.at = metricsAt.FindStringSubmatch(w.talk.String())[1]
	return w
}

func (w *watching) metrics(t *testing.T) string {
	a, err := http.Get(w.at)
	require.NoError(t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	return string(text)
}

// await returns once the metrics say that.
func (w *watching) await(t *testing.T, what string) {
	t.Helper()
	end := time.Now().Add(3 * time.Minute)
	for !strings.Contains(w.metrics(t), what) {
		require.True(t, time.Now().Before(end), "expected %s, got %s\n%s", what, w.metrics(t), w.talk.String())
		time.Sleep(50 * time.Millisecond)
	}
}

// end has it tell what it saw.
func (w *watching) end(t *testing.T) (s told, talk string) {
	require.NoError(t, w.cmd.Process.Signal(syscall.SIGINT))
	_ = w.cmd.Wait()
	require.NoError(t, json.Unmarshal([]byte(w.out.String()), &s), "%s", w.talk.String())
	return s, w.talk.String()
}

// written is a Lease that the test writes.
type written struct {
	t      *testing.T
	client kubernetes.Interface
	lease  *coordinationv1.Lease
	n      int
}

func (l *written) labels() string { return `{namespace="default",lease="watched"}` }

func (l *written) write(holder string) {
	leases := l.client.CoordinationV1().Leases("default")
	lease, now, lasts := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "watched"}}, metav1.NowMicro(), int32(15)
	if l.lease != nil {
		lease = l.lease.DeepCopy()
	}
	lease.Spec.HolderIdentity, lease.Spec.LeaseDurationSeconds, lease.Spec.RenewTime = &holder, &lasts, &now
	var err error
	if l.lease == nil {
		l.lease, err = leases.Create(l.t.Context(), lease, metav1.CreateOptions{})
	} else {
		l.lease, err = leases.Update(l.t.Context(), lease, metav1.UpdateOptions{})
	}
	require.NoError(l.t, err)
	l.n++
}
