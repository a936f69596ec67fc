package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"interregnum/internal/electorproc"
)

// mainVariable makes this test program elector itself.
const mainVariable = "INTERREGNUM_TEST_MAIN"

func TestMain(m *testing.M) {
	electorproc.Main()
	switch {
	case len(os.Args) > 1 && os.Args[1] == guardName, os.Getenv(mainVariable) != "":
		main()
	default:
		os.Exit(m.Run())
	}
}

// spawn starts this test program as elector, a process of its own.
func spawn(t *testing.T, env []string, args ...string) *electorproc.Process {
	t.Helper()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	return electorproc.Start(t, os.Args[0], append([]string{mainVariable + "=1"}, env...), args...)
}

// quick is timings for tests, on a lock in dir.
func quick(dir string, more ...string) []string {
	return append([]string{
		"--lock=sqlite://" + filepath.Join(dir, "lock.db"), "--lease-duration=4s", "--renew-deadline=2s",
		"--retry-period=200ms", "--grace=500ms",
	}, more...)
}

// tell is a run inside of this process.
func tell(args ...string) (code int, stdout, stderr string) {
	var out, err electorproc.Buffer
	p := program{stdout: &out, stderr: &err, env: func(string) string { return "" }, kube: kubeConfig}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code = p.run(ctx, args)
	return code, out.String(), err.String()
}
