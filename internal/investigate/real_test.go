package investigate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
)

// realLog is an excerpt of a log that somebody has published.
type realLog struct {
	// from is where it was published.
	from string
	// files are the files by name, each a few lines.
	files map[string]string
	lock  string
	// says are the steps that the lines say, with the years of their stamps.
	says string
	// why says why no more follows.
	why string
}

const requestURL = `Get "https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/n/leases/l": context deadline exceeded`

// realLogs: of none of them it is known who held the lock, since nothing but processes' logs was published. A line that a process has acquired the lock, or
// given up, is by its own clock, and says nothing of another's work.
var realLogs = []realLog{
	{
		from: "https://github.com/kubernetes/kubernetes/issues/89466 (two controller managers lead; Docker's JSON around klog's lines)",
		files: map[string]string{"master1.log": `{"log":"I0324 03:40:10.801139       1 leaderelection.go:235] attempting to acquire leader lease  kube-system/kube-controller-manager...\n","stream":"stderr","time":"2020-03-24T03:40:10.801173872Z"}
{"log":"I0324 03:40:42.273548       1 leaderelection.go:245] successfully acquired lease kube-system/kube-controller-manager\n","stream":"stderr","time":"2020-03-24T03:40:42.274833354Z"}
`, "master3.log": `{"log":"I0324 03:40:10.963945       1 leaderelection.go:235] attempting to acquire leader lease  kube-system/kube-controller-manager...\n","stream":"stderr","time":"2020-03-24T03:40:10.964040404Z"}
`},
		lock: "kube-system/kube-controller-manager", says: "master1 tries 2020, master1 acquired 2020, master3 tries 2020",
		why: "the lines that were at hand end before the next one of master3, which has acquired the lock too by what the issue says: of these alone one has acquired it, and the other stands for election",
	},
	{
		from: "https://github.com/koordinator-sh/koordinator/issues/2095 (files of a container runtime; klogr)",
		files: map[string]string{"koord-manager.log": `2024-06-10T19:09:25.669286185+00:00 stderr F E0610 19:09:25.668766       1 leaderelection.go:332] error retrieving resource lock koordinator-system/koordinator-manager: ` + requestURL + `
2024-06-10T19:09:25.669286185+00:00 stderr F I0610 19:09:25.669278       1 leaderelection.go:285] failed to renew lease koordinator-system/koordinator-manager: timed out waiting for the condition
2024-06-10T19:09:25.669483039+00:00 stderr F E0610 19:09:25.669356       1 main.go:196] setup "msg"="problem running manager" "error"="leader election lost"
`},
		lock: "koordinator-system/koordinator-manager", says: "koord-manager failed 2024, koord-manager lost 2024, koord-manager ends 2024",
		why: "the year is the runtime's, whatever year it is today",
	},
	{
		from: "https://github.com/datainfrahq/druid-operator/issues/201 (klog, then zap, whose tabs have become spaces; a stack trace)",
		files: map[string]string{"druid-operator.log": `E0123 03:15:25.290493       1 leaderelection.go:364] Failed to update lock: Put "https://10.233.0.1:443/apis/coordination.k8s.io/v1/namespaces/druid/leases/e6946145.apache.org": context deadline exceeded
I0123 03:15:25.290546       1 leaderelection.go:280] failed to renew lease druid/e6946145.apache.org: timed out waiting for the condition
2025-01-23T03:15:25Z    ERROR   setup   problem running manager {"error": "leader election lost"}
main.main
        /workspace/main.go:121
`},
		lock: "druid/e6946145.apache.org", says: "druid-operator failed 2025, druid-operator lost 2025, druid-operator ends 2025",
		why: "the year of klog's lines is that of zap's",
	},
	{
		from: "https://github.com/intelligent-machine-learning/dlrover/issues/1310 (zap with seconds since 1970)",
		files: map[string]string{"manager.log": `E1025 06:38:52.463386       1 leaderelection.go:330] error retrieving resource lock dlrover/9b6611a4.iml.github.io: ` + requestURL + `
I1025 06:38:52.463492       1 leaderelection.go:283] failed to renew lease dlrover/9b6611a4.iml.github.io: timed out waiting for the condition
1.729838332463565e+09   ERROR   setup   problem running manager {"error": "leader election lost"}
`},
		lock: "dlrover/9b6611a4.iml.github.io", says: "manager failed 2024, manager lost 2024, manager ends 2024",
		why: "1729838332 is October 2024",
	},
	{
		from: "https://github.com/rabbitmq/cluster-operator/issues/69 (two excerpts in one file, the later one first)",
		files: map[string]string{"operator.log": `2020-03-30T09:56:59.320Z        DEBUG   controller-runtime.controller   Successfully Reconciled {"controller": "rabbitmqcluster", "request": "pivotal-rabbitmq-system/rabbitmq"}
I0330 09:59:53.294085       1 leaderelection.go:288] failed to renew lease pivotal-rabbitmq-system/pivotal-rabbitmq-operator-leader-election: failed to tryAcquireOrRenew context deadline exceeded
2020-03-30T09:59:53.310Z        ERROR   setup   problem running manager {"error": "leader election lost"}
I0330 09:56:40.443087       1 leaderelection.go:242] attempting to acquire leader lease  pivotal-rabbitmq-system/pivotal-rabbitmq-operator-leader-election...
I0330 09:56:58.357420       1 leaderelection.go:252] successfully acquired lease pivotal-rabbitmq-system/pivotal-rabbitmq-operator-leader-election
`},
		lock: "pivotal-rabbitmq-system/pivotal-rabbitmq-operator-leader-election",
		says: "operator lost 2020, operator ends 2020, operator tries 2020, operator acquired 2020",
		why:  "stamps that contradict the order of the lines prove nothing",
	},
	{
		from: "https://github.com/kubernetes/kubernetes/issues/108380 (klog; it acquires 27 s after its request timed out)",
		files: map[string]string{"kube-controller-manager.log": `I0227 22:49:25.006393       1 leaderelection.go:248] attempting to acquire leader lease kube-system/kube-controller-manager...
E0227 22:49:30.007315       1 leaderelection.go:330] error retrieving resource lock kube-system/kube-controller-manager: Get "https://127.0.0.1:6443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager?timeout=5s": net/http: request canceled (Client.Timeout exceeded while awaiting headers)
I0227 22:49:57.219037       1 leaderelection.go:258] successfully acquired lease kube-system/kube-controller-manager
`},
		lock: "kube-system/kube-controller-manager",
		says: "kube-controller-manager tries 2022, kube-controller-manager failed 2022, kube-controller-manager acquired 2022",
		why:  "the year is what --year says; a request that fails does not keep a later one from succeeding",
	},
	{
		from: "https://github.com/ovn-kubernetes/ovn-kubernetes/issues/3070 (klog; no leader for seven minutes)",
		files: map[string]string{"ovnkube-master.log": `I0715 09:16:20.412219       1 leaderelection.go:278] failed to renew lease openshift-ovn-kubernetes/ovn-kubernetes-master: timed out waiting for the condition
E0715 09:16:20.412275       1 leaderelection.go:301] Failed to release lock: resource name may not be empty
I0715 09:17:33.714123       1 leaderelection.go:346] lock is held by node-123.example.com and has not yet expired
`},
		lock: "openshift-ovn-kubernetes/ovn-kubernetes-master", says: "ovnkube-master lost 2022, ovnkube-master failed 2022, ovnkube-master held 2022",
		why: "a line that names no lock is about the only one that its process names",
	},
}

// TestRealLogs: what people have published is read whole, and nothing is concluded that its lines do not show.
func TestRealLogs(t *testing.T) {
	for _, x := range realLogs {
		t.Run(x.from, func(t *testing.T) {
			r := read.New(read.Options{Year: 2022})
			for _, name := range []string{"master1.log", "master3.log"} {
				if text := x.files[name]; text != "" {
					require.NoError(t, r.Read(read.File{Name: name, Reader: strings.NewReader(text)}))
				}
			}
			for name, text := range x.files {
				if len(x.files) == 1 {
					require.NoError(t, r.Read(read.File{Name: name, Reader: strings.NewReader(text)}))
				}
			}
			e := r.Evidence()
			parts := investigate.Parts(e)
			require.Len(t, parts, 1)
			assert.Equal(t, x.lock, parts[0].Lock.Namespace+"/"+parts[0].Lock.Name)
			var says []string
			for _, s := range parts[0].Evidence.Sayings {
				assert.False(t, s.Relayed, "the stamp is the process's own")
				says = append(says, fmt.Sprintf("%s %s %d", e.Sources[s.Source].Process, s.Step, s.At.Year()))
			}
			assert.Equal(t, x.says, strings.Join(says, ", "))
			s, err := investigate.Tell(parts[0].Evidence, parts[0].Lock, nil)
			require.NoError(t, err)
			assert.Empty(t, s.Pairs, x.why)
			assert.Empty(t, s.Terms, x.why)
			assert.NotEmpty(t, s.Notes)
		})
	}
}
