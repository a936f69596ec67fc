package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"interregnum/elector/ttl"
)

// A file of SQLite cannot say whether somebody leads on another file that has been in its place, nor for how long. The
// folder can. An elector locks one byte of its file's folder before it takes the lock in the file, and its guard keeps
// that lock with it until the command is dead. Which byte that is depends on the file's name, on which file it is, and on the lock's name and table. So
// an elector sees whether somebody leads on another file of that name, and then takes nothing. The system gives the byte
// free when the processes are dead, and it stays where it is when files are moved, removed or restored.
//
// Of two electors on two files at least one sees the other, since each locks its byte before it looks at the others.
//
// Nor can a file say that what was in it is gone: somebody has emptied it, copied a backup into it, deleted the row, or set the
// clock forward. So nobody takes a lock while an elector works under it on the same file either, whatever the row says. An
// elector without a command has no guard, and might be frozen for ever: it locks its byte for the time of a request alone.

// span is how many bytes of a folder stand for one name of a file.
const span = 1 << 32

// bytesOf returns two bytes of a folder for a lock in the file at path. name is the first of the span bytes that stand for the
// file's name and the lock. own is the one among them for this very file, which identify calls file; it is neither the first nor
// the last of them. All versions of elector must agree on both.
func bytesOf(path, lock, file string) (name, own int64) {
	name = int64(hash(filepath.Base(path)+lock)>>34) * span
	return name, name + 1 + int64(hash(file)%(span-2))
}

// lockIn returns the text that tells the lock from others in its file: "" for the one that has the default name in the default table, as before
// there was any other.
func (o *options) lockIn() string {
	if o.name == defaultName && o.table == defaultTable {
		return ""
	}
	return fmt.Sprintf("\x00%q %q", o.table, o.name)
}

// hash returns the first 64 bits of a text's SHA-256.
func hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:])
}

// refusal is why nobody may take a lock that nobody holds by what the file says: for the elector it is a lock that
// another holds.
type refusal string

const (
	errElsewhere refusal = "an elector leads on another file that was in this one's place: nobody leads on this one until " +
		"that elector has noticed, and its command has ended"
	errStill refusal = "an elector works under this lock, although the file says that it is free: nobody takes it until " +
		"that elector has noticed, and its command has ended"
)

func (r refusal) Error() string { return string(r) }

// Is makes the error equal to ttl.ErrTaken for errors.Is, so that it counts as a refusal and not as a failure.
func (refusal) Is(target error) bool { return target == ttl.ErrTaken }

// announce tells all electors on this host that this one leads, or is about to, on that file, until withdraw is called.
// It returns errElsewhere, and tells nobody, where somebody leads on another file of the same name. For an elector that
// is about to take the lock it returns errStill where somebody has announced the same file.
func (c *candidate) announce(file string, taking bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.announced != nil && c.announced.file == file {
		return nil
	}
	c.announced.withdraw()
	c.announced = nil
	a, err := newAnnouncement(c.o.at.path, c.o.lockIn(), file)
	if err == nil && taking {
		err = a.unclaimed()
	}
	if err == nil {
		err = a.claim()
	}
	if err == nil {
		err = a.alone()
	}
	if err != nil {
		a.withdraw()
		return err
	}
	c.announced = a
	return nil
}

// handOn returns what a guard has to inherit so that what announce has told lasts until the guard has ended too.
func (c *candidate) handOn() []*os.File {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.announced.handOn()
}

// withdraw tells the others that this elector leads on no file. A guard that still lives goes on telling them the
// opposite.
func (c *candidate) withdraw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.announced.withdraw()
	c.announced = nil
}
