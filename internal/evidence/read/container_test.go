package read_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// TestContainers: what is before a line, or the path of the file, names the container, which is a process of its own: a line of another container is not about its lock.
func TestContainers(t *testing.T) {
	const acquired, lost = "I0124 04:20:01.123456       1 leaderelection.go:253] successfully acquired lease a/b", `E0124 04:20:05.000000       1 main.go:10] "problem running manager" err="leader election lost"`
	for name, text := range map[string]string{
		"kubectl --prefix": "[pod/p-1/main] " + acquired + "\n[pod/p-1/sidecar] " + lost + "\n", "stern": "p-1 main " + acquired + "\np-1 sidecar " + lost + "\n",
		"stern of all namespaces": "shop p-1 main " + acquired + "\nshop p-1 sidecar " + lost + "\n",
	} {
		e := readAll(t, read.Options{Year: 2026}, "f.log", text)
		require.Len(t, e.Sayings, 2, name)
		for i, container := range []string{"main", "sidecar"} {
			x := e.Sources[e.Sayings[i].Source]
			assert.Equal(t, []string{"p-1", container}, []string{x.Process, x.Container}, name)
		}
		assert.Equal(t, evidence.Lock{Namespace: "a", Name: "b"}, e.Sayings[0].Lock, name)
		assert.Zero(t, e.Sayings[1].Lock, name)
	}
	for file, container := range map[string]string{
		"var/log/pods/shop_p-1_0c5f/main/0.log": "main", "p-1.log": "",
		"containers/p-1_shop_main-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.log": "main",
	} {
		e := readAll(t, read.Options{Year: 2026}, file, acquired+"\n")
		x := e.Sources[e.Sayings[0].Source]
		assert.Equal(t, []string{"p-1", container}, []string{x.Process, x.Container}, file)
	}
}

// TestNamesOfFiles: the log of a container that ran before, and of a static pod, which is named after its host.
func TestNamesOfFiles(t *testing.T) {
	const acquired = "I0124 04:20:01.123456       1 leaderelection.go:253] successfully acquired lease a/b\n"
	const lease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"b","namespace":"a"},"spec":{"holderIdentity":"HOLDER","leaseDurationSeconds":15}}` + "\n"
	for file, test := range map[string][2]string{
		"manager-a-previous.log": {"manager-a_1", "manager-a"}, "manager-a.previous.log.gz": {"manager-a_1", "manager-a"}, "previous.log": {"manager-a_1", "previous"},
		"kube-scheduler-cp1.log": {"cp1_1", "kube-scheduler-cp1"}, "kube-scheduler-cp1.example.com.log": {"cp1.example.com_1", "kube-scheduler-cp1.example.com"},
		"kube-scheduler-cp12.log": {"cp1_1", "kube-scheduler-cp12"},
	} {
		e := readAll(t, read.Options{Year: 2026}, "lease.json", strings.Replace(lease, "HOLDER", test[0], 1), file, acquired)
		assert.Equal(t, test[1], e.Sources[e.Sayings[0].Source].Process, file)
	}
}
