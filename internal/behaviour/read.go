package behaviour

import (
	"fmt"
	"io"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/yamldoc"
)

const (
	// maxFileBytes is the largest size of a file with a behaviour. An environment file has the same limit.
	maxFileBytes = 64 << 10
	maxEpisodes  = 100
)

// environmentFields are the fields of an environment file, which can stand beside the behaviour in one file.
var environmentFields = []string{
	"maxRoundTrip", "maxDriftPPM", "maxPause", "drain", "maxClockOffset", "reruns", "hiddenConflicts", "otherQPS", "otherBurst",
	"maxRetryAfter", "maxStall",
}

// ReadFile reads the behaviour in the file at path, or in stdin if path is "-". It returns what Read returns, or a *FileError if
// the file cannot be opened.
func ReadFile(path string, stdin io.Reader) (*Behaviour, []string, error) {
	if path == "-" {
		return Read(path, stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, unreadable(path, err)
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads the behaviour in a YAML file, which can also have the fields of an environment. name is the file's name in messages;
// data files are relative to its folder. It returns the behaviour and warnings. Each warning is one line, and says what is
// assumed, or what contradicts the environment's bounds in the same file. The error is a *FileError; the behaviour is then nil.
func Read(name string, in io.Reader) (*Behaviour, []string, error) {
	return read(&reader{file: name, open: openData}, in)
}

// read reads and decodes the YAML file in, with the reader r, which has the file's name and opens data files in its own way. It
// returns the behaviour and the warnings; after a problem it returns neither, and a *FileError.
func read(r *reader, in io.Reader) (*Behaviour, []string, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err != nil {
		return nil, nil, unreadable(r.file, err)
	}
	if len(data) > maxFileBytes {
		return nil, nil, &FileError{File: r.file, Problem: fmt.Sprintf(
			"is larger than %d KiB, or endless; want samples and histograms in files of their own", maxFileBytes>>10)}
	}
	root, problem := yamldoc.Parse(data)
	switch {
	case problem != nil && problem.Cause != nil:
		return nil, nil, &FileError{File: r.file, Line: problem.Line, Problem: problem.Error() + "; want one"}
	case problem != nil:
		return nil, nil, &FileError{File: r.file, Line: problem.Line, Problem: problem.Error()}
	case root == nil:
		return nil, nil, &FileError{File: r.file, Problem: "there is nothing in the file; want " + wantBehaviour}
	}
	b := r.document(value{node: resolved(root), line: root.Line})
	if r.err != nil {
		return nil, nil, r.err
	}
	return b, r.warnings, nil
}

// wantBehaviour says in messages what a file should have.
const wantBehaviour = "behaviour: with roundTrip, errors, recorded or episodes"

// document decodes a whole file. It records a problem for an unknown field, and if the file has no behaviour; in the last case it
// returns nil.
func (r *reader) document(root value) *Behaviour {
	all := r.fields(root, wantBehaviour)
	for _, f := range all {
		if f.name != "behaviour" && !slices.Contains(environmentFields, f.name) {
			r.fail(f.value, "unknown field; want behaviour, beside the fields of an environment if you like")
		}
	}
	own, given := find(all, "behaviour")
	if !given {
		r.fail(root, "there is no behaviour in the file; want %s", wantBehaviour)
		return nil
	}
	b := r.behaviour(own)
	r.compare(b, all)
	return b
}

// behaviour decodes the field behaviour and, if it has a field startup, sets r.startup. It records a problem if v is empty or has
// an unknown field, and adds a warning if neither roundTrip nor a recording is there.
func (r *reader) behaviour(v value) *Behaviour {
	all := r.only(v, "roundTrip", "errors", "recorded", "startup", "episodes")
	if len(all) == 0 {
		r.fail(v, "is empty; want roundTrip, errors, recorded, startup or episodes")
	}
	b := &Behaviour{}
	recorded, replayed := find(all, "recorded")
	if f, ok := find(all, "roundTrip"); ok {
		b.RoundTrip = r.distribution(f, LongestTrip)
	} else if !replayed {
		r.warn(v, "there is no roundTrip: outside of episodes every request is answered at once")
	}
	if f, ok := find(all, "errors"); ok {
		b.Errors = r.errors(f)
	}
	if replayed {
		r.replay(b, recorded, all)
	}
	if f, ok := find(all, "startup"); ok {
		startup := r.distribution(f, year)
		b.Startup, r.startup = &startup, &startup
	}
	if f, ok := find(all, "episodes"); ok {
		b.Episodes = r.episodes(f)
	}
	return b
}

// replay decodes the recording v into b, and sums it up in b's RoundTrip and Errors. all are the fields beside the recording; it
// is a problem if roundTrip or errors is among them.
func (r *reader) replay(b *Behaviour, v value, all []field) {
	for _, name := range []string{"roundTrip", "errors"} {
		if _, both := find(all, name); both {
			r.fail(v, "stands beside %s; want one of them: the recording says what requests meet", name)
		}
	}
	if b.Recorded = r.recorded(v); r.err == nil {
		b.marginal(b.Recorded)
	}
}

// errors decodes the errors of single requests. It is a problem if there are more than 1000, if a status is there twice, or if
// the probabilities are more than 1 together.
func (r *reader) errors(v value) (all []Error) {
	sum := 0.0
	for _, item := range r.list(v, "a list such as [{status: 503, probability: 0.1%}, {lost: 0.01%}]", 1000) {
		e := r.oneError(item)
		if r.err == nil && slices.ContainsFunc(all, func(other Error) bool { return other.Status == e.Status }) {
			r.fail(item, "the same status is given twice; want one probability for it")
		}
		if sum += e.Probability; sum > 1+1e-9 {
			r.fail(item, "the probabilities up to here are %s in all; want 100%% at most", percent(sum))
		}
		all = append(all, e)
	}
	return all
}

// oneError decodes one entry of errors: a status with its probability, or the probability of a lost request. Any other
// combination of these fields is a problem.
func (r *reader) oneError(v value) Error {
	all := r.only(v, "status", "probability", "lost")
	status, hasStatus := find(all, "status")
	probability, hasProbability := find(all, "probability")
	lost, isLost := find(all, "lost")
	switch {
	case isLost && !hasStatus && !hasProbability:
		return Error{Probability: r.probability(lost)}
	case hasStatus && hasProbability && !isLost:
		return Error{Status: r.whole(status, "a status from 400 to 599", 400, 599), Probability: r.probability(probability)}
	}
	r.fail(v, "want status and probability, such as {status: 503, probability: 0.1%%}, or lost alone, such as {lost: 0.01%%}")
	return Error{}
}

// reader reads one file. It keeps the first problem in err; what its methods return after that has no meaning.
type reader struct {
	file     string
	open     func(path string) (io.ReadCloser, error)
	warnings []string
	// startup is how long a process takes to start, as said beside the episodes; nil if nothing is said.
	startup *Distribution
	err     *FileError
}

// value is a value in the file, with the line of its name and the path to it.
type value struct {
	node *yaml.Node
	line int
	path string
}

// resolved returns the node for which an alias stands. It returns any other node as it is.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
