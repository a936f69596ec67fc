package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// TestFileMoved: whose file was removed or replaced does not lead for as long as its command may last, beside others who
// use the next file. Who has stood by gives the command the time to be stopped.
func TestFileMoved(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(t *testing.T, file string){
		"removed": func(t *testing.T, file string) { require.NoError(t, os.Remove(file)) },
		"renamed": func(t *testing.T, file string) { require.NoError(t, os.Rename(file, file+".old")) },
		"replaced": func(t *testing.T, file string) {
			require.NoError(t, os.WriteFile(file+".new", nil, 0o600))
			require.NoError(t, os.Rename(file+".new", file))
		},
		"all removed": func(t *testing.T, file string) {
			for _, suffix := range append([]string{""}, beside...) {
				_ = os.Remove(file + suffix)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "lock.db")
			first := spawn(t, nil, quick(dir, append([]string{"--id=first"}, electorproc.Work(dir)...)...)...)
			electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
			spare := spawn(t, nil, quick(dir, append([]string{"--log-level=debug"}, electorproc.Work(dir)...)...)...)
			electorproc.Eventually(t, "has seen the holder", func() bool {
				return strings.Contains(spare.Err.String(), `"holder":"first"`)
			})
			move(t, file)
			electorproc.Eventually(t, "the command is stopped", func() bool {
				return strings.Contains(electorproc.LogOf(dir), "term")
			})
			electorproc.Eventually(t, "it says why", func() bool {
				return strings.Contains(first.Err.String(), errMoved.Error())
			})
			electorproc.Eventually(t, "somebody leads again", func() bool { return len(electorproc.Tokens(t, dir)) > 1 })
			require.FileExists(t, file)
			require.NotContains(t, electorproc.LogOf(dir), "OVERLAP")
		})
	}
}

// TestNothingBeside: between two requests there is nothing but the file, also where an older version has made it with a
// write-ahead log: what is not there can be neither removed nor another user's.
func TestNothingBeside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := openSQLite("file:" + dir + "/lock.db?_pragma=journal_mode(WAL)")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE some (x)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	spawn(t, nil, quick(dir, electorproc.Work(dir)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	for _, suffix := range []string{"-wal", "-shm"} {
		require.NoFileExists(t, filepath.Join(dir, "lock.db"+suffix))
	}
}

// TestOtherUser: who may not use a file leaves nothing beside it that keeps its owner out, and is told why.
func TestOtherUser(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can start electors as two users")
	}
	const owner, other = 65531, 65532
	for name, c := range map[string]struct {
		mode os.FileMode
		want string
	}{
		"read only":             {0o644, "expected one that can be written: permission denied; the file is "},
		"writable by the group": {0o664, "expected one that can be written: permission denied; the file is "},
		"nobody's":              {0o600, "expected one that can be written: permission denied; the file is "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := openFolder(t)
			settle(filepath.Join(dir, "lock.db"))
			require.NoError(t, os.Chown(filepath.Join(dir, "lock.db"), owner, owner))
			run := func(user uint32, more ...string) *electorproc.Process {
				return as(t, user, quick(dir, append(more, "--exec=exit 6")...)...)
			}
			require.Equal(t, 6, run(owner).End(t))
			require.NoError(t, os.Chmod(filepath.Join(dir, "lock.db"), c.mode))
			p := run(other, "--wait=0s")
			require.Equal(t, exitFailed, p.End(t))
			require.Contains(t, p.Err.String(), c.want)
			for _, suffix := range beside {
				require.NoFileExists(t, filepath.Join(dir, "lock.db"+suffix))
			}
			require.Equal(t, 6, run(owner, "--wait=0s").End(t))

			// What another program has left there is named.
			left := filepath.Join(dir, "lock.db-shm")
			require.NoError(t, os.WriteFile(left, nil, 0o644))
			p = run(owner, "--wait=0s")
			require.Equal(t, exitFailed, p.End(t))
			require.Contains(t, p.Err.String(), "another user has left a file beside it, lock.db-shm")
		})
	}
}

// TestUnreadableFolder: who may write to a folder and not read it cannot see who leads there, and is refused.
func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can start electors as another user")
	}
	dir := openFolder(t)
	require.NoError(t, os.Chmod(dir, 0o333))
	p := as(t, 65531, fresh(dir, "--exec=exit 6")...)
	require.Equal(t, exitFailed, p.End(t))
	require.Contains(t, p.Err.String(), "expected a folder that can be read, where electors tell each other")
}

// TestLinkedFile: of a symbolic link the folder counts to which it leads, where SQLite makes its files, and not the link's own.
func TestLinkedFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can start electors as another user")
	}
	dir, links := openFolder(t), openFolder(t)
	file, link := filepath.Join(dir, "lock.db"), filepath.Join(links, "lock.db")
	require.Equal(t, 6, spawn(t, nil, quick(dir, "--exec=exit 6")...).End(t))
	require.NoError(t, os.Chmod(file, 0o666))
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, os.Symlink(file, link))
	p := as(t, 65531, fresh(links, "--wait=3s", "--exec=exit 6")...)
	require.Equal(t, exitFailed, p.End(t))
	require.Contains(t, p.Err.String(), "one that can be written, "+dir+": permission denied; the file is "+file)
}

// TestShared: the owner of a file must be able to write what another user makes beside it.
func TestShared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	var of syscall.Stat_t
	require.NoError(t, syscall.Stat(file, &of))
	for _, c := range []struct {
		mode, folder os.FileMode
		user, group  int
		want         bool
	}{
		{0o600, 0o755, int(of.Uid), int(of.Gid), true},
		{0o600, 0o777, 0, 0, true}, // root gives it to the owner
		{0o644, 0o777, 4711, int(of.Gid), false},
		{0o664, 0o777, 4711, int(of.Gid), true},
		{0o664, 0o777, 4711, 4711, false},
		{0o664, 0o777 | os.ModeSetgid, 4711, 4711, true},
		{0o666, 0o777, 4711, 4711, true},
	} {
		require.NoError(t, os.Chmod(file, c.mode))
		require.NoError(t, os.Chmod(dir, c.folder))
		info, err := os.Stat(file)
		require.NoError(t, err)
		folder, err := os.Stat(dir)
		require.NoError(t, err)
		require.Equal(t, c.want || handsOn(folder) && c.mode == 0o664, shared(info, folder, c.user, c.group), c)
	}
}

// openFolder is a folder that every user may write to.
func openFolder(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(dir, 0o777))
	return dir
}

// as starts elector as another user, who can run this program only from elsewhere.
func as(t *testing.T, user uint32, args ...string) *electorproc.Process {
	t.Helper()
	program := filepath.Join(openFolder(t), "elector")
	copyOf(t, program, 0o755)
	return electorproc.StartAs(t, &syscall.Credential{Uid: user, Gid: user}, program, []string{mainVariable + "=1"}, args...)
}

// copyOf copies this program to a path.
func copyOf(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	from, err := os.Open(os.Args[0])
	require.NoError(t, err)
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, mode)
	require.NoError(t, err)
	_, err = io.Copy(to, from)
	require.NoError(t, err)
	require.NoError(t, to.Close())
}

// TestBusyFile: a file that somebody keeps busy is waited for as long as --wait says, and no longer.
func TestBusyFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "lock.db")
	db, err := openSQLite("file:" + file)
	require.NoError(t, err)
	defer db.Close()
	busy, err := db.Conn(t.Context())
	require.NoError(t, err)
	_, err = busy.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	require.NoError(t, err)
	p := spawn(t, nil, quick(dir, "--wait=8s", "--exec=exit 6")...)
	require.Equal(t, exitNotLed, p.End(t))
	require.Contains(t, p.Err.String(), "not leading within --wait 8s: sqllock: cannot create the table")
	p = spawn(t, nil, quick(dir, "--lease-duration=1s", "--renew-deadline=600ms", "--grace=100ms", "--wait=1m",
		"--exec=exit 6")...)
	time.Sleep(2 * time.Second) // longer than a lease
	_, err = busy.ExecContext(t.Context(), "COMMIT")
	require.NoError(t, err)
	require.NoError(t, busy.Close())
	require.Equal(t, 6, p.End(t))
}

// TestNotReadyWithoutWrites: a candidate whose writes are refused reads the lock all the same. It cannot take over, and so it is not
// ready, from when that has lasted for a lease. Once a write succeeds it is.
func TestNotReadyWithoutWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "lock.db")
	require.Zero(t, spawn(t, nil, quick(dir, "--name=reports", "--exec=true")...).End(t))
	statement(t, file, "CREATE TRIGGER no BEFORE UPDATE ON elector_locks BEGIN SELECT raise(FAIL, 'none today'); END")
	p := startOn(t, nil, "a", "--lock=sqlite://"+file)
	electorproc.Eventually(t, "ready", func() bool { code, _ := p.get("/readyz"); return code == http.StatusOK })
	electorproc.Eventually(t, "not ready", func() bool {
		code, text := p.get("/readyz")
		return code == http.StatusServiceUnavailable && strings.Contains(text, "none today")
	})
	statement(t, file, "DROP TRIGGER no")
	electorproc.Eventually(t, "leads", p.leads)
	code, _ := p.get("/readyz")
	require.Equal(t, http.StatusOK, code)
}
