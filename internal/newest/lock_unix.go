//go:build unix

package newest

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockBuilds waits until no other process has the lock of this folder, which must be there. The lock ends with the process at the latest.
func lockBuilds(folder string) (unlock func(), err error) {
	file, err := os.Open(folder)
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
