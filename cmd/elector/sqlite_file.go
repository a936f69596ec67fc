package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"interregnum/internal/phrase"
)

// fileError says why a file cannot be the place of a lock.
type fileError struct{ text string }

// Error returns the reason, with the path of the file.
func (e *fileError) Error() string { return e.text }

// beside are the suffixes of the files that SQLite puts beside a file, while somebody writes to it or for as long as it is open.
var beside = []string{"-journal", "-wal", "-shm"}

// usable returns nil if this user can make or write the file at a path and read its folder, and if the file's owner can still
// write the file afterwards; otherwise a *fileError. It also refuses a directory or a device, and a file that SQLite has left beside
// and that this user cannot write. What SQLite puts there belongs to the user that SQLite runs for, and sometimes stays. SQLite
// itself does not check any of this before it begins. If the path is a symbolic link, all this is about the file to which it leads.
func usable(path string) error {
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		if file, err := filepath.EvalSymlinks(path); err == nil {
			path = file
		}
	}
	refuse := func(what string, values ...any) error {
		return &fileError{fmt.Sprintf(what+"; the file is %s", append(values, path)...)}
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err == nil {
		err = writable(filepath.Dir(path))
	}
	if err != nil {
		return refuse("expected its folder to be there and to be one that can be written, %s: %v", filepath.Dir(path), phrase.WithoutPath(err))
	}
	if err := accessible(filepath.Dir(path), unix.R_OK); err != nil {
		return refuse("expected a folder that can be read, where electors tell each other that they lead: %v",
			phrase.WithoutPath(err))
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = writable(path)
	}
	switch {
	case err != nil:
		return refuse("expected one that can be written: %v", phrase.WithoutPath(err))
	case !info.Mode().IsRegular():
		return refuse("expected a file, which it is not: it is a directory or a device, %v", info.Mode())
	}
	for _, suffix := range beside {
		if err := writable(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return refuse("another user has left a file beside it, %s: expected none, or one that can be written: %v; "+
				"remove it while nobody uses the lock", filepath.Base(path)+suffix, err)
		}
	}
	if !shared(info, folder, os.Geteuid(), os.Getegid()) {
		return refuse("it belongs to another user, %s, who could not write what this one leaves beside it: expected the "+
			"file's owner, or a file that both may write by their group (chmod g+w), in a folder with the same group "+
			"that hands it on (chmod g+s)", ownerOf(info))
	}
	return nil
}

// writable returns nil if this process may write to a file, or make files in a folder; otherwise an error.
func writable(path string) error { return accessible(path, unix.W_OK) }

// accessible returns nil if this process has that access to a file or folder, unix.R_OK or unix.W_OK; otherwise an error.
func accessible(path string, access uint32) error {
	return unix.Faccessat(unix.AT_FDCWD, path, access, unix.AT_EACCESS)
}

// shared tells whether the owner of a file could write a file that SQLite makes beside it, in the same folder, for the user uid
// of group gid. SQLite gives the new file the mode of the first one and, if the user is root, its owner too. So shared is true for
// root and for the owner, if others may write the file, and if its group may and is also the new file's. It is true too if the
// owners cannot be told.
func shared(file, folder fs.FileInfo, uid, gid int) bool {
	of, ok := file.Sys().(*syscall.Stat_t)
	in, ok2 := folder.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || uid == 0 || int(of.Uid) == uid {
		return true
	}
	if handsOn(folder) {
		gid = int(in.Gid)
	}
	const group, others = 0o020, 0o002
	return file.Mode()&others != 0 || file.Mode()&group != 0 && int(of.Gid) == gid
}

// ownerOf returns the number of a file's owner as text for a message, "unknown" if the system does not tell.
func ownerOf(info fs.FileInfo) string {
	if of, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("number %d", of.Uid)
	}
	return "unknown"
}
