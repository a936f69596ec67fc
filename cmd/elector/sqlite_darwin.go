package main

import (
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// handsOn tells whether a file that is made in a folder gets the folder's group. On this system it always does.
func handsOn(fs.FileInfo) bool { return true }

// identify returns a text that tells the file at a path from all others: its inode number and, since these are used again, the
// time at which it was made.
func identify(path string) (string, error) {
	var of unix.Stat_t
	if err := unix.Stat(path, &of); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %d.%09d", of.Ino, of.Btim.Sec, of.Btim.Nsec), nil
}
