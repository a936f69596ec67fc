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

// span is the number of bytes of a folder that stand for one name of a file and one lock in it. Such a byte is a place for a
// lock of fcntl(2); nothing is written there.
const span = 1 << 32

// bytesOf returns two offsets in a folder for a lock in the file at path. name is the first of the span bytes that stand for the
// file's name and the lock. own is the one among them that stands for this very file, which file identifies as identify does; it
// is never the first nor the last of them. All versions of elector must agree on both.
func bytesOf(path, lock, file string) (name, own int64) {
	name = int64(hash(filepath.Base(path)+lock)>>34) * span
	return name, name + 1 + int64(hash(file)%(span-2))
}

// lockIn returns a text that tells this candidate's lock from others in the same file. It is "" for the default name in the
// default table: older versions of elector know no other lock.
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

// refusal is an error that says why nobody may take a lock, although by the file nobody holds it. The elector treats it as a
// lock that another holds.
type refusal string

const (
	errElsewhere refusal = "an elector leads on another file that was in this one's place: nobody leads on this one until " +
		"that elector has noticed, and its command has ended"
	errStill refusal = "an elector works under this lock, although the file says that it is free: nobody takes it until " +
		"that elector has noticed, and its command has ended"
)

// Error returns the text of the refusal.
func (r refusal) Error() string { return string(r) }

// Is makes the error equal to ttl.ErrTaken for errors.Is, so that it counts as a refusal and not as a failure.
func (refusal) Is(target error) bool { return target == ttl.ErrTaken }

// announce tells all electors on this host that this one leads, or is about to, on that file, until withdraw is called. If
// this candidate has announced that file already, it returns nil at once; an announcement of another file ends in any case. If
// somebody leads on another file of the same name, it announces nothing and returns errElsewhere. If taking is true, for an
// elector that is about to take the lock, and somebody has announced the same file, it announces nothing and returns errStill.
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

// handOn returns the open files that a guard has to inherit so that what announce has told lasts until the guard has ended too;
// nil if there are none.
func (c *candidate) handOn() []*os.File {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.announced.handOn()
}

// withdraw ends what announce has told, as far as this process is concerned. If a guard that has inherited it still lives, it
// goes on until the guard ends.
func (c *candidate) withdraw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.announced.withdraw()
	c.announced = nil
}
