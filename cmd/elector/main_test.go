package main

import (
	"context"
	"errors"
	"io/fs"
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
	case len(os.Args) > 1 && os.Args[1] == suspendedName:
		suspended()
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

// quick is timings for tests, on a lock in dir whose file is old enough to lead on at once.
func quick(dir string, more ...string) []string {
	settle(filepath.Join(dir, "lock.db"))
	return fresh(dir, more...)
}

// settle makes a file that elector has known for an hour, where there is none.
func settle(file string) {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return // A test of a folder that is not there.
	}
	db, err := openSQLite("file:" + file)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	known, err := identify(file)
	if err == nil {
		_, err = db.Exec(markTable+"; INSERT INTO interregnum_file VALUES (1, ?, 1000 * unixepoch() - 3600000)", known)
	}
	if err != nil {
		panic(err)
	}
}

// fresh is quick on a file that need not be there.
func fresh(dir string, more ...string) []string {
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
