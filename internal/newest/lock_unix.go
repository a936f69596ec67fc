//go:build unix

package newest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// lockBuilds waits until no other process has called it and is not done. The lock is a file in the build cache, which those that
// build share; it ends with the process at the latest.
func lockBuilds() (unlock func(), err error) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(strings.TrimSpace(string(cache)), "interregnum-newest.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		if err = unix.Flock(int(file.Fd()), unix.LOCK_EX); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}
