package kubernetes_test

import (
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/e2e/kubernetes/cluster"
)

// one is the server that all tests of this package share, started by the first that asks for it.
var one struct {
	sync.Once
	*cluster.Cluster
	err error
}

func TestMain(m *testing.M) {
	if text := os.Getenv(standingVariable); text != "" {
		stand(text)
		return
	}
	code := m.Run()
	if one.Cluster != nil {
		one.Stop()
	}
	os.Exit(code)
}

// theServer is what the tests share. Each takes names of its own for its objects, and leaves the server running.
func theServer(t testing.TB) *cluster.Cluster {
	t.Helper()
	one.Do(func() { one.Cluster, one.err = cluster.New() })
	require.NoError(t, one.err)
	one.ShowLogs(t)
	return one.Cluster
}
