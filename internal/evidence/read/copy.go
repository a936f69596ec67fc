package read

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"sync"
	"time"

	"interregnum/internal/evidence"
)

// leastCopied is how many lines with the same stamps, finer than a second, two logs have at least of which one is taken for a copy: two
// processes hardly write two lines in the same milliseconds, and perhaps many in the same seconds.
const leastCopied = 2

// copied is why lines of a log are skipped that has the same lines about elections as another one.
const copied = "lines that another file has, too"

// dropCopies drops what a process log says that has the same lines about elections as another one, and counts these lines as skipped:
// a log that stands in two files is that of one process. It keeps the log whose process is known best (see owner), or else the first one.
func (r *Reader) dropCopies() {
	kept, copies := map[string]int{}, map[int]bool{}
	hosts := sync.OnceValue(r.hosts) // all records are read for that, where there is a copy
	for source, said := range r.saidBy() {
		if said == "" {
			continue
		}
		other, known := kept[said]
		if !known {
			kept[said] = source
			continue
		}
		if r.owner(source, hosts()) > r.owner(other, hosts()) {
			kept[said], source = source, other
		}
		copies[source] = true
		r.drop(source)
	}
	if len(copies) == 0 {
		return
	}
	r.e.Sayings = slices.DeleteFunc(r.e.Sayings, func(s evidence.Saying) bool { return copies[s.Source] })
	r.e.Notices = slices.DeleteFunc(r.e.Notices, func(n evidence.Notice) bool { return copies[n.Source] })
	r.e.Silences = slices.DeleteFunc(r.e.Silences, func(s evidence.Silence) bool { return copies[s.Source] })
}

// saidBy returns for each source a digest of all that it says about elections; "" if it has fewer than leastCopied lines of that whose
// stamps are finer than a second.
func (r *Reader) saidBy() []string {
	digests, fine := make([]hash.Hash, len(r.e.Sources)), make([]int, len(r.e.Sources))
	for i := range r.e.Sayings {
		s := &r.e.Sayings[i]
		if digests[s.Source] == nil {
			digests[s.Source] = sha256.New()
		}
		if s.Unit > 0 && s.Unit < time.Second {
			fine[s.Source]++
		}
		fmt.Fprintf(digests[s.Source], "%d %q %q %q %v\n", s.At.UnixNano(), s.Step, s.Identity, s.Text, s.Lock)
	}
	said := make([]string, len(digests))
	for i, d := range digests {
		if fine[i] >= leastCopied {
			said[i] = string(d.Sum(nil))
		}
	}
	return said
}

// owner tells how well the process of a log is known: 2 if its lines name it, 1 if the file's name has one of the hosts of holders, and
// otherwise 0.
func (r *Reader) owner(source int, hosts []string) int {
	switch s := &r.e.Sources[source]; {
	case s.Process != "" && !s.Assumed:
		return 2
	case slices.Contains(hosts, s.Process):
		return 1
	}
	return 0
}

// drop counts all lines of a source as skipped, and takes the name of its process away.
func (r *Reader) drop(source int) {
	s := &r.e.Sources[source]
	s.Process, s.Container, s.Assumed = "", "", false
	s.Skipped = append(s.Skipped, evidence.Skipped{Why: copied, Count: s.Kept()})
}
