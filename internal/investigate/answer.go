package investigate

import (
	"sort"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// heard raises the course's until to when its process certainly had the answer to its last read in which it tried to renew, by the
// server's clock alone.
func (t *teller) heard(c *course) {
	if q := t.lastRead(c); q != nil {
		c.later(q.Answered, q.Place, "it had the answer to this read, which was to renew, and not to release the lock")
	}
}

// lastRead returns the last read of the course's process of which it certainly had the answer while it tried to renew; nil if
// none is known. A release reads the record before each attempt to write, and all else that a process reads after it has
// acquired the lock is to renew it. So each read counts that is followed by another read, without an attempt to release
// between them, or by the line that the process gave up. A failed read, which the log tells, does not count, nor does what
// comes after it: requests that were given up may arrive late. It is also nil if the first read is not explained (see
// explained), if two reads overlap or, without the line that the process gave up, if the audit log may lack an attempt to
// release (see lossy).
func (t *teller) lastRead(c *course) (last *evidence.Request) {
	reads, failed := t.reads(c)
	if len(reads) == 0 || !t.explained(c, reads[0]) {
		return nil
	}
	for i, q := range reads {
		if i > 0 && q.Received.Before(reads[i-1].Answered) {
			return nil // a process asks one thing after the other: several ask from there
		}
	}
	n := len(reads)
	if c.ends != nil && c.ends.Step == evidence.Lost && saysClientGo(c.ends) && !failed {
		return reads[n-1]
	}
	if n > 1 && !t.lossy() {
		return reads[n-2]
	}
	return nil
}

// lossy tells whether the audit log perhaps lacks requests: a write does not follow the one before it, and did not create the
// object. Then the attempt to release may be missing that was refused between two reads: a release that meets a conflict
// reads again.
func (t *teller) lossy() bool {
	for i := range t.by {
		if i > 0 && !t.s.Writes[i].Follows && !t.made[i] {
			return true
		}
	}
	return false
}

// reads returns the reads of the record that the course's process certainly sent in the course, in their order, up to its
// first release. If a read failed in the course, by its log, failed is true: then all are before that, and the last one is
// perhaps the one that failed. There are none if the times of the course are not known, if it is not known whose reads these
// are, since other holders wrote from there, too, or if the process says of a failed read while it stood for election.
func (t *teller) reads(c *course) (all []*evidence.Request, failed bool) {
	client := t.owners[t.s.Terms[c.term].Holder]
	until := c.pod.instant(c.limit, 0).Low
	if client == nobody || t.hosts[client] == "" || until.IsZero() || c.begun.High.IsZero() {
		return nil, false
	}
	for k := c.pod.after(c.acquired); k < len(c.pod.sayings) && c.pod.sayings[k] != c.ends; k++ {
		if s := c.pod.sayings[k]; unread(s) {
			until, failed = earliest(until, c.pod.instant(s.At, 0).Low), true
		}
	}
	k := c.pod.after(c.acquired) - 1
	for ; k >= 0 && c.pod.sayings[k] != c.before; k-- {
		if unread(c.pod.sayings[k]) {
			return nil, false
		}
	}
	if c.pod.perhapsFailed(time.Time{}, c.limit) {
		return nil, false
	}
	for _, q := range t.clients[client] {
		if q.Wrote != nil && q.Wrote.Holder == "" && q.Received.After(c.begun.High) {
			break // it releases the lock, and may do so again if it met a conflict
		}
		if q.Verb == "get" && (q.Status == 200 || q.Status == 404) && q.Received.After(c.begun.High) && !q.Received.After(until) {
			all = append(all, q)
		}
	}
	return all, failed
}

// readFailed are the words of a failed read, in lower case.
const readFailed = "error retrieving"

// unread tells whether a line says that reading the record failed.
func unread(s *evidence.Saying) bool {
	return s.Step == evidence.Failed && strings.Contains(strings.ToLower(s.Text), readFailed)
}

// explained tells why the course's process itself can have read the record: something had failed before, by its log, or it had not
// renewed for as long as the lease lasts. Otherwise client-go renews without reading, so that somebody else reads from there, or it is
// an old version.
func (t *teller) explained(c *course, read *evidence.Request) bool {
	p := c.pod
	for k := p.after(c.acquired); k < len(p.sayings) && p.sayings[k] != c.ends; k++ {
		if s := p.sayings[k]; s.Step == evidence.Failed && !p.instant(s.At, 0).Low.After(read.Received) {
			return true
		}
	}
	all := t.sent[t.s.Terms[c.term].Holder]
	k := sort.Search(len(all), func(k int) bool { return all[k].Received.After(read.Received) })
	if k == 0 {
		return false
	}
	q := all[k-1]
	lease := q.Wrote.Duration - slope(q.Wrote.Duration)
	return lease > 0 && read.Received.Sub(q.Received) >= lease
}

// earliest returns the earlier of two times.
func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
