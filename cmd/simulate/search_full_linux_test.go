package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// onFullDisk runs a command line of simulate with a disk of so many KiB mounted on a folder.
func onFullDisk(t *testing.T, dir string, kib int, line string) (code int, stdout, stderr string) {
	script := fmt.Sprintf("mount -t tmpfs -o size=%dk,mode=777 tmpfs '%s' || exit 77; '%s' %s; echo $? >&2; cp '%[2]s'/* '%[2]s.left'",
		kib, dir, os.Args[0], line)
	c := exec.Command("sh", "-c", script)
	c.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	var out, talk strings.Builder
	c.Stdout, c.Stderr = &out, &talk
	err := c.Run()
	if err != nil && (c.ProcessState == nil || c.ProcessState.ExitCode() == 77) {
		t.Skipf("cannot mount a small disk here: %v %s", err, talk.String())
	}
	text := strings.TrimRight(talk.String(), "\n")
	for line := range strings.Lines(text) {
		if _, err := fmt.Sscanf(line, "%d\n", &code); err == nil {
			break
		}
	}
	return code, out.String(), text
}

// TestSearchOnFullDisk: a search whose results find no room ends with what it knows, and goes on once there is room.
func TestSearchOnFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, os.Mkdir(dir+".left", 0o777))
	line := "search --profile strict --runs 6400 --resume "
	code, stdout, stderr := onFullDisk(t, dir, 8, line+"'"+dir+"/r.jsonl'")
	assert.Equal(t, exit.HarnessFailed, code, stderr)
	assert.Regexp(t, `^\d+ runs, `, stdout)
	assert.Regexp(t, `no space left on device; \d+ runs are in the file: make room, and the same command goes on`, stderr)
	whole, results := filepath.Join(t.TempDir(), "whole"), filepath.Join(dir+".left", "r.jsonl")
	begun, err := os.ReadFile(results)
	require.NoError(t, err)
	simulate("", append(strings.Fields(line), whole)...)
	simulate("", append(strings.Fields(line), results)...)
	want, err := os.ReadFile(whole)
	require.NoError(t, err)
	got, err := os.ReadFile(results)
	require.NoError(t, err)
	assert.Greater(t, len(begun), 4000)
	assert.Equal(t, string(want), string(got))
}

// TestKeepOnFullDisk: what cannot be kept is told in full.
func TestKeepOnFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, os.Mkdir(dir+".left", 0o777))
	code, stdout, stderr := onFullDisk(t, dir, 4, "search --runs 640 "+searchDefault+" --keep '"+dir+"'")
	assert.Equal(t, exit.HarnessFailed, code, stderr)
	assert.Regexp(t, `^640 runs, `, stdout)
	assert.Contains(t, stderr, "is not kept: ")
	assert.Contains(t, stderr, "no space left on device; its scenario is\n")
	assert.Contains(t, stderr, "simulate: candidates:\n")
	for name, text := range filesOf(t, dir+".left") {
		assert.Contains(t, text, "expect:", "%s is whole", name)
	}
}
