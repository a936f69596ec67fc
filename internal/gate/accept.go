package gate

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
)

// The values of Judgement.Accepted: the reasons for which a verdict that is not safe does not count.
const (
	// AcceptedOverlap: the overlap is no longer than Report.Tolerated.
	AcceptedOverlap = "max-overlap"
	// AcceptedBefore: an entry of a Baseline lists it.
	AcceptedBefore = "baseline"
)

// Tolerate accepts every unsafe target whose longest possible overlap is known and is at most the duration given as most: it sets
// Accepted of that judgement to AcceptedOverlap. It also stores that duration in r.Tolerated.
func (r *Report) Tolerate(most time.Duration) {
	r.Tolerated = most
	for _, j := range r.Targets {
		if j.Verdict != Unsafe {
			continue
		}
		if longest, known := j.Result.AtMost(); known && longest <= most {
			j.Accepted = AcceptedOverlap
		}
	}
}

// Baseline has findings of an earlier run, which a later run accepts; see Report.Accept.
type Baseline struct {
	path string
	all  []finding
}

// finding is a target that is not safe or, with the verdict Unknown, a problem of the input.
type finding struct {
	name    string
	verdict Verdict
	// problem is the text of a problem; "" for a target. In a baseline it can be "" for a problem too: the entry then stands for
	// any problem of that name.
	problem string
	// overlap is set only for an unsafe target; endless tells that its overlap has no end.
	overlap time.Duration
	endless bool
	line    int
}

// ReadBaseline reads a file that WriteBaseline wrote, or stdin if path is "-". It returns an error if the file cannot be read or
// has another form, if an entry has an unknown field or a bad value, and if an entry has no name or no verdict. Every error is a
// files.Problem.
func ReadBaseline(path string, stdin io.Reader) (*Baseline, error) {
	entries, err := readEntries(path, "findings", stdin)
	if err != nil {
		return nil, err
	}
	b := &Baseline{path: path}
	for _, e := range entries {
		f := finding{line: e.line}
		if err := e.each(path, f.set); err != nil {
			return nil, err
		}
		if f.name == "" || f.verdict == "" {
			return nil, environmentProblem(path, e.line, "want name and verdict in each entry")
		}
		b.all = append(b.all, f)
	}
	return b, nil
}

// set parses one field of a baseline's entry into f: name, verdict, overlap or problem. Any other name, or a bad value, is an
// error.
func (f *finding) set(name string, value *yaml.Node) (err error) {
	if value.Kind != yaml.ScalarNode {
		return fmt.Errorf("want a single value")
	}
	switch name {
	case "name":
		f.name = value.Value
	case "verdict":
		f.verdict = Verdict(value.Value)
		if f.verdict != Unsafe && f.verdict != Refused && f.verdict != Unknown {
			return fmt.Errorf("want unsafe, refused or unknown, got %s", phrase.Quote(value.Value))
		}
	case "problem":
		f.problem = value.Value
	case "overlap":
		if f.endless = value.Value == "endless"; !f.endless {
			f.overlap, err = ParseDuration(value.Value, 0)
		}
	default:
		return fmt.Errorf("unknown field; an entry has name, verdict, overlap and problem")
	}
	return err
}

// Accept compares the report with a baseline. It sets Accepted to AcceptedBefore for each target that an entry lists with the
// same verdict and an overlap as long or longer; a target that was accepted before keeps its Accepted. It removes each problem
// that an entry lists, and adds a note of kind files.Let in its place. One entry stands for one target or problem, so that
// several targets of one name need an entry each. For an entry that stands for none, and to which no target that is worse than
// listed belongs either, it adds a note of kind files.Stale, if this run has read the entry's file or folder.
func (r *Report) Accept(b *Baseline) {
	u := uses{b, make([]use, len(b.all))}
	ascending := slices.Clone(r.Targets) // so that a small overlap leaves the large entries to others
	slices.SortStableFunc(ascending, func(x, y *Judgement) int { return x.finding().compare(y.finding()) })
	for _, j := range ascending {
		if j.Verdict != Safe && u.take(j.finding()) && j.Accepted == "" {
			j.Accepted = AcceptedBefore
		}
	}
	r.Problems = slices.DeleteFunc(r.Problems, func(p files.Problem) bool {
		accepted := u.take(problemFound(p.Position, p.Text)) ||
			p.Unfit && u.take(finding{name: p.Name(), verdict: Refused}) // which it was called in baselines of before
		if accepted {
			r.Notes = append(r.Notes, files.Note{Position: p.Position, Kind: files.Let, Text: p.Text + acceptedBy + b.path})
		}
		return accepted
	})
	for i, f := range b.all {
		if u.of[i] == unused && r.covers(f.name) {
			r.Notes = append(r.Notes, files.Note{
				Position: files.Position{File: b.path, Line: f.line}, Kind: files.Stale,
				Text: fmt.Sprintf("%s is no longer %s; take the entry out", f.name, f.verdict),
			})
		}
	}
}

// uses has a baseline, and what each of its entries was used for so far, by the same index.
type uses struct {
	*Baseline
	of []use
}

// use says what an entry was used for so far: for nothing; only to compare it with a finding that is worse; or it was taken by a
// finding.
type use int

const (
	unused use = iota
	compared
	taken
)

// take tells whether an entry of the baseline accepts the finding. Such an entry has the same name and verdict, the same problem
// if it has one, and an overlap as long or longer, and no other finding has taken it. take marks the smallest such entry as
// taken. It marks entries whose overlap is too short as compared.
func (u *uses) take(found finding) bool {
	best := -1
	for i, f := range u.all {
		switch {
		case f.name != found.name || f.verdict != found.verdict || u.of[i] == taken, f.problem != "" && f.problem != found.problem:
		case !f.endless && (found.endless || found.overlap > f.overlap):
			u.of[i] = compared
		case best < 0 || f.compare(u.all[best]) < 0:
			best = i
		}
	}
	if best < 0 {
		return false
	}
	u.of[best] = taken
	return true
}

// compare compares the overlaps of two findings: the result is negative if f has the shorter one, positive if it has the longer
// one, and 0 if they are equal. An overlap without end is the longest.
func (f finding) compare(other finding) int {
	if f.endless != other.endless {
		if f.endless {
			return 1
		}
		return -1
	}
	return cmp.Compare(f.overlap, other.overlap)
}

// acceptedBy stands between the text of a problem that is accepted and the baseline's name.
const acceptedBy = "; accepted by "

// problemFound returns a problem as a finding: with the name of its position, its text and the verdict Unknown.
func problemFound(at files.Position, text string) finding {
	return finding{name: at.Name(), verdict: Unknown, problem: text}
}

// finding returns the judgement as a finding. For an unsafe target, overlap is the computed overlap plus its Slack, which is the
// longest possible one where that is known; endless is set if it has no end. For any other verdict the finding has no overlap.
func (j *Judgement) finding() finding {
	f := finding{name: j.Position.Name(), verdict: j.Verdict}
	if j.Verdict == Unsafe {
		f.overlap, f.endless = j.Result.Overlap+j.Result.Slack, j.Result.Unbounded
	}
	return f
}

// Baseline returns an entry for each target that is not safe and for each problem, sorted by name, then verdict, overlap and
// problem. Problems that Accept turned into notes have an entry too, and so have accepted targets. path is the file name that
// messages about the baseline give.
func (r *Report) Baseline(path string) *Baseline {
	var all []finding
	for _, j := range r.Targets {
		if j.Verdict != Safe {
			all = append(all, j.finding())
		}
	}
	for _, p := range r.Problems {
		all = append(all, problemFound(p.Position, p.Text))
	}
	for _, n := range r.Notes {
		if text, _, let := strings.Cut(n.Text, acceptedBy); let && n.Kind == files.Let {
			all = append(all, problemFound(n.Position, text))
		}
	}
	slices.SortFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.verdict, b.verdict), a.compare(b), cmp.Compare(a.problem, b.problem))
	})
	return &Baseline{path, all}
}

// WriteBaseline writes the report's Baseline to w, as YAML that ReadBaseline can read. The error is that of w.
func (r *Report) WriteBaseline(w io.Writer) error {
	all := r.Baseline("").all
	text := "# What simulate gate --baseline accepts. An overlap that has grown, and what is not here, counts.\nfindings:"
	if len(all) == 0 {
		text += " []"
	}
	text += "\n"
	for _, f := range all {
		text += "- name: " + strconv.Quote(f.name) + "\n  verdict: " + string(f.verdict) + "\n"
		switch {
		case f.problem != "":
			text += "  problem: " + strconv.Quote(f.problem) + "\n"
		case f.endless:
			text += "  overlap: endless\n"
		case f.verdict == Unsafe:
			text += "  overlap: " + f.overlap.String() + "\n"
		}
	}
	_, err := io.WriteString(w, text)
	return err
}
