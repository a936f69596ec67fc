package read

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// containers matches the paths in which a kubelet keeps the logs of containers: two groups are the pod's name and the container's, for each of
// three forms.
var containers = regexp.MustCompile(`(?:^|/)(?:pods/[^/_]+_([^/_]+)_[^/]+/([^/]+)/[^/]+|[^/_]+_([^/_]+)_[0-9a-f-]+/([^/]+)/\d+|` +
	`containers/([^/_]+)_[^/_]+_([^/]+?)(?:-[0-9a-f]{64})?)\.log`)

// podOf returns the pod and the container whose log a file is, by its path; "" if that does not say it.
func podOf(file string) (name, container string) {
	if m := containers.FindStringSubmatch(file); m != nil {
		return m[1] + m[3] + m[5], m[2] + m[4] + m[6]
	}
	return "", ""
}

// Evidence returns all that was read. It must be called once, after the last file.
func (r *Reader) Evidence() *evidence.Evidence {
	r.setYears()
	r.setOrders()
	r.nameProcesses()
	r.dropCopies()
	r.nameLocks()
	e := r.e // without what only reading needs
	return &e
}

// setYears gives a year to stamps that still have none, and adds a note on that to each such source. It is the year of Options;
// or the one that brings the log's end nearest to the other sources', or to when the file was written.
func (r *Reader) setYears() {
	var reference time.Time
	for i := range r.e.Sources {
		if _, lacks := r.yearless[i]; !lacks && r.e.Sources[i].Last.After(reference) {
			reference = r.e.Sources[i].Last
		}
	}
	for i := range r.e.Sources {
		modified, lacks := r.yearless[i]
		if !lacks {
			continue
		}
		s := &r.e.Sources[i]
		first, why := r.firstYear(s, reference, modified)
		s.Notes = append(s.Notes, fmt.Sprintf("its stamps have no year: %d is taken for the first one, %s", first, why))
		years := first - s.First.Year()
		r.shift(i, func(t time.Time) time.Time { return t.AddDate(years, 0, 0) })
	}
}

// shift replaces all times of a source by what to returns for them.
func (r *Reader) shift(source int, to func(time.Time) time.Time) {
	x := &r.e.Sources[source]
	if !x.First.IsZero() {
		x.First, x.Last = to(x.First), to(x.Last)
	}
	for i := range r.e.Sayings {
		if s := &r.e.Sayings[i]; s.Source == source {
			s.At = to(s.At)
		}
	}
	for i := range r.e.Notices {
		if s := &r.e.Notices[i]; s.Source == source {
			s.First, s.At = to(s.First), to(s.At)
		}
	}
	for i := range r.e.Silences {
		if s := &r.e.Silences[i]; s.Source == source {
			s.From, s.Until = to(s.From), to(s.Until)
		}
	}
}

// firstYear returns the year of a source's first stamp, and a text that says why. reference is the last time in sources with
// years, modified when the file was written; each is zero if it is not known.
func (r *Reader) firstYear(s *evidence.Source, reference, modified time.Time) (year int, why string) {
	if r.o.Year != 0 {
		return r.o.Year, "as was asked"
	}
	why = "as in the other files"
	written := reference.IsZero()
	if written {
		reference, why = modified, "the last before the file was written"
	}
	if reference.IsZero() {
		return s.First.Year(), "since nothing says it"
	}
	best := reference.Year()
	off := func(y int) time.Duration { return s.Last.AddDate(y-s.Last.Year(), 0, 0).Sub(reference) }
	if written { // a line is written before its file is, but for zones and clocks
		if off(best) > 24*time.Hour {
			best--
		}
	} else {
		for _, year := range []int{best - 1, best + 1} {
			if off(year).Abs() < off(best).Abs() {
				best = year
			}
		}
	}
	return best - (s.Last.Year() - s.First.Year()), why
}

// earlier matches what people put into the name of a file that they have from kubectl logs --previous.
var earlier = regexp.MustCompile(`(?i)[-_.]previous(\.|\z)`)

// nameProcesses sets Process of the process logs before whose lines no pod is named: to the host of the name that its own lines say it has in
// records; to the host of a holder that the file's name contains, the longest one, or to the name of a static pod of that host, if the file's
// name has it; to the host that a journal names; or else to the file's name
// up to its first dot. What the file's name says is marked as Assumed. Sources without a stamp it leaves out.
func (r *Reader) nameProcesses() {
	hosts := r.hosts()
	for _, i := range r.named {
		s := &r.e.Sources[i]
		if s.First.IsZero() {
			continue
		}
		base := earlier.ReplaceAllString(path.Base(strings.ReplaceAll(s.File, `\`, "/")), "$1")
		named := processIn(base, hosts)
		switch own, host := hostOf(r.called[i]), r.hosted[i]; {
		case own != "":
			s.Process = own
		case host != "" && (named == "" || slices.Contains(hosts, host)):
			s.Process = host
		case named != "":
			s.Process, s.Assumed = named, true
		default:
			s.Process, _, _ = strings.Cut(base, ".")
			s.Assumed = true
		}
	}
}

// hostOf returns the host of a holder: its name up to the first underscore.
func hostOf(holder string) string {
	host, _, _ := strings.Cut(holder, "_")
	return host
}

// call keeps the name that a process says it has in records. If it says several of several hosts, none is kept.
func (s *stream) call(id string) {
	if before, known := s.called[s.source]; known && hostOf(before) != hostOf(id) {
		id = ""
	}
	s.called[s.source] = id
}

// hosts returns the hosts of all holders that records and lines name, the longest name first.
func (r *Reader) hosts() (all []string) {
	seen := map[string]bool{}
	add := func(holder string) {
		if host := hostOf(holder); host != "" && !seen[host] {
			seen[host] = true
			all = append(all, host)
		}
	}
	for i := range r.e.Requests {
		for _, record := range []*evidence.Record{r.e.Requests[i].Wrote, r.e.Requests[i].Saw} {
			if record != nil {
				add(record.Holder)
			}
		}
	}
	for i := range r.e.Snapshots {
		add(r.e.Snapshots[i].Record.Holder)
	}
	for i := range r.e.Sayings {
		add(r.e.Sayings[i].Identity)
	}
	for i := range r.e.Notices {
		add(r.e.Notices[i].Identity)
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return all
}

// contains tells whether a file's name contains the host's name as a whole word, since the name of one pod can be the beginning
// of another's.
func contains(base, host string) bool {
	for from := 0; ; {
		i := strings.Index(base[from:], host)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(host)
		if (i == 0 || !inName(base[i-1])) && (end == len(base) || !inName(base[end])) {
			return true
		}
		from = i + 1
	}
}

// inName tells whether c is a letter, a digit or a hyphen, of which the names of pods consist.
func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
}

// WithoutNamespace is why lines are skipped that name a lock without its namespace, where nothing else names that.
const WithoutNamespace = "lines about a lock whose namespace nothing names"

// nameLocks sets the lock of lines that name none to the only lock that their process names, after nameStrangers. It drops
// lines that name a lock without its namespace, unless that is the process's lock, and counts them as skipped. A source whose
// lines are another client's, and still have no lock, gets a note that says what would tell it.
func (r *Reader) nameLocks() {
	r.nameStrangers()
	only := map[int]evidence.Lock{}
	several := map[int]bool{}
	for i := range r.e.Sayings {
		s := &r.e.Sayings[i]
		if s.Lock.Namespace == "" {
			continue
		}
		if l, has := only[s.Source]; has && l != s.Lock {
			several[s.Source] = true
		}
		only[s.Source] = s.Lock
	}
	for i := range r.e.Sayings {
		s := &r.e.Sayings[i]
		if l, has := only[s.Source]; has && !several[s.Source] && (s.Lock.Name == "" || s.Lock.Name == l.Name) && s.Lock.Namespace == "" {
			s.Lock = l
		}
	}
	for i := range r.e.Sayings {
		if s := &r.e.Sayings[i]; s.Client != "" && s.Lock.Name == "" {
			r.e.Sources[s.Source].Note("its lines name no lock: what kubectl get lease -o yaml prints, beside them, tells which one it is")
		}
	}
	r.e.Sayings = slices.DeleteFunc(r.e.Sayings, func(s evidence.Saying) bool {
		without := s.Lock.Namespace == "" && s.Lock.Name != ""
		if without {
			countSkipped(&r.e.Sources[s.Source], WithoutNamespace)
		}
		return without
	})
}

// processIn returns the process that a file's name has: the first of the hosts, or the static pod NAME-HOST of it; "" if it has none.
func processIn(base string, hosts []string) string {
	for _, host := range hosts {
		if contains(base, host) {
			return host
		}
		if from := strings.Index(base, "-"+host); from > 0 && contains(base[from+1:], host) {
			return base[:from+1+len(host)]
		}
	}
	return ""
}
