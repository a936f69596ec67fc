package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/elector/ttl"
	"interregnum/internal/electorproc"
)

// seldom is timings with which a leader looks at its file after 5 s only.
var seldom = []string{"--lease-duration=9s", "--renew-deadline=7s", "--retry-period=5s", "--grace=1s"}

// hasty is timings with which a candidate leads on a new file after a second.
var hasty = []string{"--lease-duration=1s", "--renew-deadline=700ms", "--retry-period=200ms", "--grace=100ms"}

// TestShorterOnNewFile: the file of a leader is gone, and a candidate with a much shorter --lease-duration makes another.
// It waits for the leader's command, and says so.
func TestShorterOnNewFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "lock.db")
	spawn(t, nil, quick(dir, append(seldom, electorproc.Work(dir)...)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	require.NoError(t, os.Remove(file))
	p := spawn(t, nil, fresh(dir, append(hasty, "--wait=0s", "--exec=exit 6")...)...)
	require.Equal(t, exitNotLed, p.End(t))
	require.Contains(t, p.Err.String(), "not leading within --wait 0s: an elector leads on another file")
	spare := spawn(t, nil, fresh(dir, append(hasty, electorproc.Work(dir)...)...)...)
	awaitNextAlone(t, dir)
	require.Equal(t, 1, strings.Count(spare.Err.String(), `"level":"WARN","msg":"somebody leads on another file"`))
}

// TestMovedBack: a file that elector has known for long is moved away, somebody leads on another one in its place, and
// the first is moved back. Who starts then, or stood by before all that, waits for that somebody's command.
func TestMovedBack(t *testing.T) {
	t.Parallel()
	for name, standby := range map[string]bool{"who starts": false, "who stood by": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "lock.db")
			if standby { // It looks after 5 s again, when the first has given the lock up.
				first := spawn(t, nil, quick(dir, "--id=first", "--log-level=info", "--exec=sleep 60")...)
				electorproc.Eventually(t, "leads", func() bool {
					return strings.Contains(first.Err.String(), `"msg":"Leading"`)
				})
				spare := spawn(t, nil, fresh(dir, append(seldom, append([]string{"--log-level=debug"},
					electorproc.Work(dir)...)...)...)...)
				electorproc.Eventually(t, "has seen the holder", func() bool {
					return strings.Contains(spare.Err.String(), `"holder":"first"`)
				})
				require.NoError(t, first.Process.Signal(syscall.SIGTERM))
				require.Zero(t, first.End(t))
			}
			settle(file)
			require.NoError(t, os.Rename(file, file+".old"))
			spawn(t, nil, quick(dir, append(seldom, electorproc.Work(dir)...)...)...)
			electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
			require.NoError(t, os.Rename(file, file+".new"))
			require.NoError(t, os.Rename(file+".old", file))
			spawn(t, nil, fresh(dir, electorproc.Work(dir)...)...)
			awaitNextAlone(t, dir)
		})
	}
}

// TestGuardAnnounces: an elector is dead, and its guard still lets the command end. Who finds another file waits for that.
func TestGuardAnnounces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "lock.db")
	p := spawn(t, nil, quick(dir, append([]string{"--lease-duration=12s", "--renew-deadline=4s", "--grace=6s"},
		electorproc.Work(dir, electorproc.Stubborn)...)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	require.NoError(t, p.Process.Kill())
	require.NoError(t, os.Rename(file, file+".old"))
	spawn(t, nil, quick(dir, electorproc.Work(dir)...)...)
	awaitNextAlone(t, dir)
}

// awaitNextAlone waits until a second command has started, and requires that the first one was dead by then.
func awaitNextAlone(t *testing.T, dir string) {
	t.Helper()
	electorproc.Eventually(t, "somebody else leads", func() bool { return len(electorproc.Tokens(t, dir)) > 1 })
	require.NotContains(t, electorproc.LogOf(dir), "OVERLAP")
}

// TestOverwritten: what a leader has written is gone, and the file is the same. Who starts then, or stood by before, waits for
// the leader's command, whatever its own --lease-duration is.
func TestOverwritten(t *testing.T) {
	t.Parallel()
	for name, overwrite := range map[string]func(t *testing.T, file string, before []byte){
		"emptied":  func(t *testing.T, file string, _ []byte) { require.NoError(t, os.Truncate(file, 0)) },
		"restored": func(t *testing.T, file string, before []byte) { require.NoError(t, os.WriteFile(file, before, 0o600)) },
		"deleted":  func(t *testing.T, file string, _ []byte) { statement(t, file, "DELETE FROM elector_locks") },
		"clock": func(t *testing.T, file string, _ []byte) {
			statement(t, file, "UPDATE elector_locks SET updated_time = 1")
		},
	} {
		for _, standby := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " standby ", standby), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				file := filepath.Join(dir, "lock.db")
				settle(file)
				before, err := os.ReadFile(file)
				require.NoError(t, err)
				spawn(t, nil, quick(dir, append(append([]string{"--id=first"}, seldom...), electorproc.Work(dir)...)...)...)
				electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
				next := func() *electorproc.Process {
					return spawn(t, nil, fresh(dir, append(append([]string{"--log-level=debug"}, hasty...), electorproc.Work(dir)...)...)...)
				}
				var spare *electorproc.Process
				if standby {
					spare = next()
					electorproc.Eventually(t, "has seen the holder", func() bool {
						return strings.Contains(spare.Err.String(), `"holder":"first"`)
					})
				}
				overwrite(t, file, before)
				if !standby {
					spare = next()
				}
				awaitNextAlone(t, dir)
			})
		}
	}
}

// statement runs a statement of SQL on the file.
func statement(t *testing.T, file, text string) {
	t.Helper()
	db, err := openSQLite("file:" + file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), text)
	require.NoError(t, err)
}

// freezeBetweenRequests stops an elector while it has none of the paths open. In the middle of a request it would keep SQLite's
// file, and without a command also the byte, until it goes on.
func freezeBetweenRequests(t *testing.T, p *electorproc.Process, paths ...string) {
	t.Helper()
	electorproc.Eventually(t, "frozen between two requests", func() bool {
		require.NoError(t, p.Process.Signal(syscall.SIGSTOP))
		electorproc.Eventually(t, "frozen", func() bool { return frozen(t, p.Process.Pid) })
		if !slices.ContainsFunc(opened(t, p.Process.Pid), func(path string) bool { return slices.Contains(paths, path) }) {
			return true
		}
		require.NoError(t, p.Process.Signal(syscall.SIGCONT))
		return false
	})
}

// frozen says whether all threads of a process are stopped: see proc_pid_stat(5).
func frozen(t *testing.T, pid int) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	require.NoError(t, err)
	require.NotEmpty(t, threads)
	for _, thread := range threads {
		stat, err := os.ReadFile(thread)
		require.NoError(t, err)
		if _, state, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(state, "T") {
			return false
		}
	}
	return true
}

// opened returns the paths of all files that a process has open.
func opened(t *testing.T, pid int) (paths []string) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	require.NoError(t, err)
	for _, file := range files {
		path, err := os.Readlink(file)
		require.NoError(t, err)
		paths = append(paths, path)
	}
	return paths
}

// TestFrozenLeaderFreesTheByte: a leader that is frozen between two requests keeps nobody from the lock once its command is dead,
// and neither does one without a command.
func TestFrozenLeaderFreesTheByte(t *testing.T) {
	t.Parallel()
	for name, work := range map[string]func(dir string) []string{
		"command": func(dir string) []string { return electorproc.Work(dir) },
		"none":    func(string) []string { return []string{"--log-level=info"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			requests := []string{filepath.Join(dir, "lock.db")}
			if name == "none" { // It announces itself for no longer than a request takes.
				requests = append(requests, dir)
			}
			// The guard does not free the file before an hour.
			p := spawn(t, nil, quick(dir, append([]string{
				"--lease-duration=1h", "--renew-deadline=2s", "--grace=100ms",
			}, work(dir)...)...)...)
			electorproc.Eventually(t, "start", func() bool {
				return len(electorproc.Tokens(t, dir)) == 1 || strings.Contains(p.Err.String(), `"msg":"Leading"`)
			})
			freezeBetweenRequests(t, p, requests...)
			if name == "command" {
				electorproc.Eventually(t, "the command is dead", func() bool {
					return strings.Contains(electorproc.LogOf(dir), "term")
				})
			}
			statement(t, requests[0], "DELETE FROM elector_locks")
			require.Equal(t, 6, spawn(t, nil, fresh(dir, "--exec=exit 6")...).End(t))
		})
	}
}

// TestOneTableByManyNames: SQLite takes a table's name in capital letters, or with main before it, for the same table. So do those who
// tell each other that they lead, and the row that has gone frees the lock for none of them.
func TestOneTableByManyNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spawn(t, nil, quick(dir, append(seldom, append([]string{"--table=Locks"}, electorproc.Work(dir)...)...)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	statement(t, filepath.Join(dir, "lock.db"), "DELETE FROM locks")
	for _, table := range []string{"locks", "MAIN.LOCKS"} {
		p := spawn(t, nil, fresh(dir, append(hasty, "--table", table, "--wait=0s", "--exec=exit 6")...)...)
		require.Equal(t, exitNotLed, p.End(t))
		require.Contains(t, p.Err.String(), errStill.Error())
	}
	require.Equal(t, 6, spawn(t, nil, fresh(dir, "--table=Löcks", "--exec=exit 6")...).End(t), "another table")
}

// TestAnnouncedEndsTheWait: of electors that start at once, one has announced that it is about to lead and has not written its row. Who
// does not want to wait ends then as it does where it finds the row, and says one thing.
func TestAnnouncedEndsTheWait(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := &candidate{o: &options{name: defaultName, table: defaultTable}}
	one.o.at.path = filepath.Join(dir, "lock.db")
	settle(one.o.at.path)
	file, err := identify(one.o.at.path)
	require.NoError(t, err)
	require.NoError(t, one.announce(file, true))
	defer one.withdraw()
	p := spawn(t, nil, fresh(dir, "--lease-duration=3m", "--renew-deadline=2m", "--wait=0s", "--exec=exit 6")...)
	require.Equal(t, exitNotLed, p.End(t))
	require.Equal(t, "elector: not leading within --wait 0s: "+errStill.Error()+"\n", p.Err.String())
}

// TestAnnounce: candidates on one file do not disturb each other before one takes the lock, nor those on files of other names.
// Of candidates on two files of one name, by whatever link, the second takes nothing until the first and its guard have ended.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, link := filepath.Join(dir, "lock.db"), filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.WriteFile(path+"2", nil, 0o600))
	require.NoError(t, os.Symlink(path, link))
	at := func(path string) *candidate {
		c := &candidate{o: &options{}}
		c.o.at.path = path
		t.Cleanup(c.withdraw)
		return c
	}
	one, same, linked := at(path), at(path), at(link)
	require.NoError(t, one.announce("1 1.0", true))
	require.NoError(t, one.announce("1 1.0", true), "again")
	err := same.announce("1 1.0", true)
	require.ErrorIs(t, err, ttl.ErrTaken)
	require.Equal(t, errStill, err)
	require.NoError(t, same.announce("1 1.0", false), "who refreshes may")
	require.NoError(t, at(path+"2").announce("2 1.0", true), "a file of another name")
	named := at(path)
	named.o.name, named.o.table = "other", defaultTable
	require.NoError(t, named.announce("1 1.0", true), "another lock in the same file")
	rows := at(path)
	rows.o.name, rows.o.table = "other", "more"
	require.NoError(t, rows.announce("1 1.0", true), "one in another table")
	for _, other := range []string{"2 1.0", "3 1.0", "4", "5"} { // On either side of the first one's byte.
		err := linked.announce(other, true)
		require.ErrorIs(t, err, ttl.ErrTaken)
		require.Equal(t, errElsewhere, err)
	}
	require.NoError(t, same.announce("1 1.0", false), "who is refused announces nothing")
	same.withdraw()
	fd, err := syscall.Dup(int(one.handOn()[0].Fd())) // As the guard has it.
	require.NoError(t, err)
	one.withdraw()
	require.Equal(t, errElsewhere, linked.announce("2 1.0", true))
	unclaim(fd)
	require.NoError(t, linked.announce("2 1.0", true))
	require.NoError(t, syscall.Close(fd))
	require.Equal(t, errElsewhere, one.announce("1 1.0", true))

	require.NoError(t, os.Remove(path))
	require.Equal(t, errMoved, at(path).announce("1 1.0", true))
}

// TestBytes: the bytes of a folder are those that other versions of elector use.
func TestBytes(t *testing.T) {
	t.Parallel()
	name, own := bytesOf("/var/lib/app/lock.db", "", "4711 1700000000.000000001")
	require.Equal(t, [2]int64{73301588365541376, 73301591456578241}, [2]int64{name, own})
	for _, file := range []string{"", "1", "4711 1700000000.000000001"} {
		_, own := bytesOf("lock.db", "", file)
		require.Greater(t, own, name)
		require.Less(t, own, name+span-1)
	}
}
