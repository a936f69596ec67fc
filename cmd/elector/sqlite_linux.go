package main

import (
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// handsOn tells whether a file that is made in a folder gets the folder's group: that is so if the folder has the setgid bit.
func handsOn(folder fs.FileInfo) bool { return folder.Mode()&fs.ModeSetgid != 0 }

// identify returns a text that tells the file at a path from all others: its inode number and, since these are used again, the
// time at which it was made, if the file system keeps that.
func identify(path string) (string, error) {
	var of unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_INO|unix.STATX_BTIME, &of); err != nil {
		return "", err
	}
	if of.Mask&unix.STATX_BTIME == 0 {
		return fmt.Sprint(of.Ino), nil
	}
	return fmt.Sprintf("%d %d.%09d", of.Ino, of.Btime.Sec, of.Btime.Nsec), nil
}
