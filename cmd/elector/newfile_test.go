package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// TestStartedOnAnotherFile: the file of a leader that looks at it seldom is gone, and who has never seen it starts on
// another. That one leads only once the leader's command must have ended.
func TestStartedOnAnotherFile(t *testing.T) {
	t.Parallel()
	seldom := []string{"--lease-duration=6s", "--renew-deadline=4s", "--retry-period=3s"}
	for name, move := range map[string]func(t *testing.T, file string, before []byte){
		"removed": func(t *testing.T, file string, _ []byte) { require.NoError(t, os.Remove(file)) },
		"replaced by an empty one": func(t *testing.T, file string, _ []byte) {
			require.NoError(t, os.WriteFile(file+".new", nil, 0o600))
			require.NoError(t, os.Rename(file+".new", file))
		},
		"restored": func(t *testing.T, file string, before []byte) {
			require.NoError(t, os.WriteFile(file+".new", before, 0o600))
			require.NoError(t, os.Rename(file+".new", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "lock.db")
			args := quick(dir, append(seldom, electorproc.Work(dir)...)...)
			before, err := os.ReadFile(file)
			require.NoError(t, err)
			spawn(t, nil, args...)
			electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
			move(t, file, before)
			spawn(t, nil, args...)
			spawn(t, nil, args...)
			electorproc.Eventually(t, "the command is stopped", func() bool {
				return strings.Contains(electorproc.LogOf(dir), "term")
			})
			electorproc.Eventually(t, "somebody leads again", func() bool { return len(electorproc.Tokens(t, dir)) > 1 })
			require.NotContains(t, electorproc.LogOf(dir), "OVERLAP")
		})
	}
}

// TestFirstStart: who makes the file waits for a --lease-duration, with --wait 0s too, and says why. Later starts do not.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := func(wait string) []string { return fresh(dir, "--wait", wait, "--exec=exit 6") }
	p := spawn(t, nil, args("2s")...)
	require.Equal(t, exitNotLed, p.End(t))
	require.Contains(t, p.Err.String(), "not leading within --wait 2s: the file is new here: nobody leads on it for ")
	p = spawn(t, nil, args("0s")...)
	require.Equal(t, 6, p.End(t))
	require.Equal(t, 1, strings.Count(p.Err.String(), `"level":"WARN","msg":"the file is new"`))
	require.Equal(t, 1, strings.Count(p.Err.String(), "\n"), "nothing else")
	p = spawn(t, nil, args("0s")...)
	require.Equal(t, 6, p.End(t))
	require.Empty(t, p.Err.String())
}

// TestAge: the age of a file counts from when this very file was first seen, and anew where it has moved before one's
// eyes, or where the mark is of a time to come.
func TestAge(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "lock.db")
	settle(file)
	known, err := identify(file)
	require.NoError(t, err)
	c := &candidate{o: &options{lease: 15 * time.Second, renew: 10 * time.Second, retry: 2 * time.Second}}
	c.o.at.path = file
	age := func(file string, other int64) time.Duration {
		t.Helper()
		age, _, err := c.age(t.Context(), file, other)
		require.NoError(t, err)
		return age
	}
	mark := func(hours int) {
		t.Helper()
		db, err := openSQLite("file:" + file)
		require.NoError(t, err)
		defer db.Close()
		_, err = db.ExecContext(t.Context(), "UPDATE interregnum_file SET since = "+markNow+" + ?", hours*3600000)
		require.NoError(t, err)
	}
	now := time.Now().UnixMilli()
	require.GreaterOrEqual(t, age(known, 0), time.Hour)
	require.GreaterOrEqual(t, age(known, now-2*3600000), time.Hour, "marked since another was seen")
	require.Less(t, age(known, now), time.Minute, "another was seen since")
	mark(-1)
	require.GreaterOrEqual(t, age(known, 0), time.Hour)
	require.Less(t, age("another", 0), time.Minute)
	mark(1)
	require.Less(t, age("another", 0), time.Minute)
	mark(-1)
	require.GreaterOrEqual(t, age("another", 0), time.Hour, "the mark was set to now, not left where it was")
}

// TestIdentify: a file that is written to stays the same; one in its place does not, even if the system gives it the same
// number, as it may where the first was removed.
func TestIdentify(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	write := func(text string) string {
		t.Helper()
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		identity, err := identify(file)
		require.NoError(t, err)
		return identity
	}
	one := write("")
	require.Equal(t, one, write("more"))
	require.Eventually(t, func() bool { // Times of files go in steps, of some milliseconds.
		require.NoError(t, os.Remove(file))
		_, err := identify(file)
		require.ErrorIs(t, err, fs.ErrNotExist)
		return write("") != one
	}, time.Minute, time.Millisecond)
}
