package read

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/evidence"
)

// stranger is a client in another language.
type stranger struct {
	name string
	// marks are texts of which each line of the client has one, in its message or in the name of its logger: to look for them takes less time than for words.
	marks []string
	// logger matches the name of its logger, in a field or in a line of text, with what stands between that and the message.
	logger *regexp.Regexp
	// alike: some of its words are client-go's, too, so that no line of its logger is read as one of client-go.
	alike bool
	words []strangeWord
}

// strangeWord is a message of such a client, and what it means. Its groups may be lock (namespace and name as the client writes them), name (of a lock, without a
// namespace), who (the holder that it names) and own (the name that the process has in records, which is the holder too).
type strangeWord struct {
	step evidence.Step
	*regexp.Regexp
	// anyLogger: no other program says that of something else, so that the logger need not be named.
	anyLogger bool
}

// javaLogger returns an expression for a class as loggers name it: whole, or with its packages cut short.
func javaLogger(first, class string) *regexp.Regexp {
	return regexp.MustCompile(`(?:\A|[\s\[])` + first + `\.[\w.]*\.?` + class + `\b(?:\] *\([^)]*\) +| +[-:] +|\z)`)
}

// fabric8Lock matches how fabric8 describes a lock, in quotes or not.
const fabric8Lock = `'?\w+Lock: (?P<lock>\S+ - \S+) \((?P<own>[^)]+)\)`

// strangers are the clients whose words are known. Their sources are in docs/clients.md. What fabric8 says of an attempt that did not acquire the lock it says
// of others, too (fabric8io/kubernetes-client#5184), so that it is not here.
var strangers = []stranger{
	{"fabric8", []string{"LeaderElector", "LeaderElectionManager"}, javaLogger(`(?:io?\.f\w*|io\.javaoperatorsdk|i\.j\w*|io\.jav)`, `(?:LeaderElector|LeaderElectionManager)`), true, []strangeWord{
		{step: evidence.Tries, Regexp: regexp.MustCompile(`\AAttempting to acquire leader lease ` + fabric8Lock)},
		{step: evidence.Acquired, Regexp: regexp.MustCompile(`\ASuccessfully Acquired leader lease ` + fabric8Lock)},
		{step: evidence.Lost, Regexp: regexp.MustCompile(`\ARenew deadline reached after \S+ seconds while renewing lock ` + fabric8Lock)},
		{step: evidence.Failed, Regexp: regexp.MustCompile(`\AException occurred while (?:acquiring|releasing) lock ` + fabric8Lock)},
		{step: evidence.Failed, Regexp: regexp.MustCompile(`\AException occurred while renewing lock: `)},
		{step: evidence.Held, Regexp: regexp.MustCompile(`\ALock is held by (?P<who>\S+) and has not yet expired`)},
		{step: evidence.Observed, Regexp: regexp.MustCompile(`\ALeader changed from \S* ?to (?P<who>\S+)\z`)},
		{step: evidence.Observed, Regexp: regexp.MustCompile(`\ANew leader with identity: (?P<who>\S+)\z`)}, // the Java Operator SDK
		{step: evidence.Ends, Regexp: regexp.MustCompile(`\AStopped leading for identity: `)},
	}},
	{"Java", []string{"LeaderElector"}, javaLogger(`(?:io\.kub\w*|i\.k)`, `LeaderElector`), true, []strangeWord{
		{step: evidence.Tries, Regexp: regexp.MustCompile(`\AStart leader election with lock (?P<lock>\S+/\S+)\z`)},
		{step: evidence.Acquired, Regexp: regexp.MustCompile(`\ASuccessfully acquired lease, became leader`)},
		{step: evidence.Lost, Regexp: regexp.MustCompile(`\AFailed to renew lease, lose leadership`)},
		{step: evidence.Failed, Regexp: regexp.MustCompile(`\AError retrieving resource lock (?P<lock>[^\s/]+/[^\s/]+)`)},
		{step: evidence.Held, Regexp: regexp.MustCompile(`\ALock is held by (?P<who>\S+) and has not yet expired`)},
		{step: evidence.Observed, Regexp: regexp.MustCompile(`\ALeaderElection lock is currently held by (?P<who>\S+)\z`)},
	}},
	{"Python", []string{"leaderelection", "successfully acquired lease", "lease_duration"}, regexp.MustCompile(`(?:\A|[\s:\[])leaderelection(?:\z|[\s:\]]+(?:- +)?(?:(?:DEBUG|INFO|WARNING|ERROR)[\s:]+(?:- +)?)?)`), false, []strangeWord{
		{step: evidence.Held, Regexp: regexp.MustCompile(`(?:\A|[\s:])leader (?P<own>\S+) has successfully acquired lease\z`), anyLogger: true},
		{step: evidence.Acquired, Regexp: regexp.MustCompile(`(?:\A|[\s:])(?P<own>[^\s:]+) successfully acquired lease\z`), anyLogger: true},
		{step: evidence.Held, Regexp: regexp.MustCompile(`yet to finish lease_duration, lease held by (?P<who>\S+) and has not expired\z`), anyLogger: true},
		{step: evidence.Observed, Regexp: regexp.MustCompile(`\ALeader has switched to (?P<who>\S+)\z`)},
		{step: evidence.Tries, Regexp: regexp.MustCompile(`\A\S+ is a follower\z`)},
		{step: evidence.Failed, Regexp: regexp.MustCompile(`\A\S+ failed to acquire lease\z`)},
		{step: evidence.Failed, Regexp: regexp.MustCompile(`\AError retrieving resource lock (?P<name>[^\s/]+) as `)},
	}},
	{"kube-leader-election", []string{"kube_leader_election"}, regexp.MustCompile(`(?:\A|\s)kube_leader_election::\w+(?:\z|[\]:] +)`), false, []strangeWord{
		{step: evidence.Acquired, Regexp: regexp.MustCompile(`\Asuccessfully acquired lease (?P<name>\S+)\z`)},
		{step: evidence.Held, Regexp: regexp.MustCompile(`\Alease is held by (?P<who>\S+) and has not yet expired\z`)},
		{step: evidence.Released, Regexp: regexp.MustCompile(`\Asuccessfully released lease (?P<name>\S+)\z`)},
	}},
	{"kubert", []string{"kubert::lease"}, regexp.MustCompile(`(?:\A|\s)kubert::lease(?:\z|: +)`), false, []strangeWord{
		{step: evidence.Failed, Regexp: regexp.MustCompile(`\AError claiming lease, retrying`)},
	}},
}

// loggers are the fields in which lines in JSON have the name of a logger.
var loggers = []string{"logger_name", "loggerName", "logger", "log.target", "target"}

// strange returns what a message of a client in another language says of an election, without its place, and the name that the process says it has in
// records, "" if it says none. known tells whether the message is of such a client: then it is not client-go's, even if ok is false.
func (m *message) strange() (s evidence.Saying, own string, known, ok bool) {
	logger := ""
	for _, field := range loggers {
		logger = cmp.Or(logger, m.fields[field])
	}
	for i := range strangers {
		c := &strangers[i]
		if !slices.ContainsFunc(c.marks, func(mark string) bool { return strings.Contains(m.text, mark) || strings.Contains(logger, mark) }) {
			continue
		}
		text := strings.TrimSpace(m.text)
		named := logger != "" && c.logger.MatchString(logger)
		if at := c.logger.FindStringIndex(text); !named && at != nil {
			named, text = true, strings.TrimSpace(text[at[1]:])
		}
		known = known || named && c.alike
		for k := range c.words {
			w := &c.words[k]
			if !named && !w.anyLogger {
				continue
			}
			if at := w.FindStringSubmatch(text); at != nil {
				s, own = w.says(at)
				s.At, s.Unit, s.Client, s.Text = m.at, m.unit, c.name, text
				return s, own, true, true
			}
		}
	}
	return s, "", known, false
}

// says returns the step, the lock and the holder that a message says which matches w, and the name that its process has in
// records, "" if it says none; the rest of the saying is not set. at has the groups of the match.
func (w *strangeWord) says(at []string) (s evidence.Saying, own string) {
	s.Step = w.step
	for i, name := range w.SubexpNames() {
		switch name {
		case "lock":
			namespace, lock, ok := strings.Cut(at[i], " - ")
			if !ok {
				namespace, lock, _ = strings.Cut(at[i], "/")
			}
			s.Lock = evidence.Lock{Namespace: namespace, Name: lock}
		case "name":
			s.Lock.Name = at[i]
		case "who":
			s.Identity = at[i]
		case "own":
			own = at[i]
		}
	}
	if own != "" && s.Lock.Name == "" {
		s.Identity = own
	}
	return s, own
}

// nameStrangers sets the lock of lines of other clients that name none with its namespace: to the only one that has the name they name, or whose records name
// the holder that they name.
func (r *Reader) nameStrangers() {
	byName, byHolder := map[string]map[evidence.Lock]bool{}, map[string]map[evidence.Lock]bool{}
	add := func(index map[string]map[evidence.Lock]bool, key string, l evidence.Lock) {
		l.Resource = ""
		if index[key] == nil {
			index[key] = map[evidence.Lock]bool{}
		}
		index[key][l] = true
	}
	for l := range r.locks {
		add(byName, l.Name, l)
	}
	for i := range r.e.Requests {
		if q := &r.e.Requests[i]; q.Wrote != nil {
			add(byHolder, q.Wrote.Holder, q.Lock)
		}
	}
	for i := range r.e.Snapshots {
		add(byHolder, r.e.Snapshots[i].Record.Holder, r.e.Snapshots[i].Lock)
	}
	for i := range r.e.Sayings {
		s := &r.e.Sayings[i]
		if s.Client == "" || s.Lock.Namespace != "" {
			continue
		}
		found := byName[s.Lock.Name]
		if s.Lock.Name == "" && s.Identity != "" {
			found = byHolder[s.Identity]
		}
		if len(found) != 1 {
			continue
		}
		for l := range found {
			s.Lock = l
		}
	}
}
