package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"interregnum/internal/phrase"
)

// announcement is a lock on one byte of a folder. It ends when all processes that have the folder open through it have
// closed it.
type announcement struct {
	folder *os.File
	// file says which file it is for, as identify does.
	file      string
	name, own int64
}

// newAnnouncement returns the announcement of a lock in the file at a path, which nobody can see before claim is called. It is
// in the folder of the file itself, if the path is a symbolic link. If there is no file at the path it returns errMoved. file is
// what identify returns for the file.
func newAnnouncement(path, lock, file string) (*announcement, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, errMoved
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("expected a folder that can be read, to tell other electors in it: %v; it is %s",
			phrase.WithoutPath(err), filepath.Dir(path))
	}
	a := &announcement{folder: folder, file: file}
	a.name, a.own = bytesOf(path, lock, file)
	return a, nil
}

// claim locks the byte that stands for the file. Others can hold the same lock at the same time.
func (a *announcement) claim() error {
	return a.ask(unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_RDLCK, Start: a.own, Len: 1})
}

// unclaimed returns errStill if somebody else has locked the byte that stands for the file, nil if nobody has, and another
// error if the folder cannot be asked.
func (a *announcement) unclaimed() error { return a.free(a.own, a.own+1, errStill) }

// alone returns errElsewhere if somebody has locked the byte of another file with the same name, nil if nobody has, and another
// error if the folder cannot be asked.
func (a *announcement) alone() error {
	if err := a.free(a.name, a.own, errElsewhere); err != nil {
		return err
	}
	return a.free(a.own+1, a.name+span, errElsewhere)
}

// free returns the error taken if somebody else has locked one of the bytes from first up to end, which is excluded; nil if
// nobody has.
func (a *announcement) free(first, end int64, taken error) error {
	others := unix.Flock_t{Type: unix.F_WRLCK, Start: first, Len: end - first}
	if err := a.ask(unix.F_OFD_GETLK, &others); err != nil {
		return err
	}
	if others.Type != unix.F_UNLCK {
		return taken
	}
	return nil
}

// ask calls fcntl(2) on the folder with the command what and a lock of an open file description. The answer is in lock.
func (a *announcement) ask(what int, lock *unix.Flock_t) error {
	if err := unix.FcntlFlock(a.folder.Fd(), what, lock); err != nil {
		return fmt.Errorf("expected a folder that can be locked, to tell other electors in it: %w; it is %s",
			err, a.folder.Name())
	}
	return nil
}

// handOn returns the open files that another process has to inherit so that the announcement lasts until that process has ended
// too; nil without an announcement.
func (a *announcement) handOn() []*os.File {
	if a == nil {
		return nil
	}
	return []*os.File{a.folder}
}

// withdraw closes this process's folder, and with it the announcement, unless another process has inherited it. Without an
// announcement it does nothing.
func (a *announcement) withdraw() {
	if a != nil {
		a.folder.Close()
	}
}

// unclaim unlocks the bytes of the announcement that a guard has inherited as the file descriptor folder, in all processes that
// have it. The guard calls it when the command is dead; the elector is perhaps frozen.
func unclaim(folder int) {
	_ = unix.FcntlFlock(uintptr(folder), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_UNLCK})
}
