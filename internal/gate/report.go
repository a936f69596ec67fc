package gate

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
)

// Report has the judgements, notes, problems and failures of all that the gate was given, in the order in which it was given.
type Report struct {
	Environment Environment
	Targets     []*Judgement
	Notes       []files.Note
	Problems    []files.Problem
	// Skipped is how many files of the folders say nothing about leader election.
	Skipped int
	// Tolerated is the longest overlap that does not count; 0 where every overlap counts.
	Tolerated time.Duration
	// places are the files that were read, with the folders in which they were found; full are the same with whole paths. asked
	// are the paths as they were given.
	places, full []files.Place
	asked        []string
	// Failures are errors of the gate itself, and not of its input.
	Failures []error
}

// Verdict returns the worst verdict of all targets; a target that is accepted counts as Accepted. If there are problems or
// failures, the verdict is at least Unknown. If there is nothing at all, it is Nothing.
func (r *Report) Verdict() Verdict {
	v := Nothing
	if len(r.Problems)+len(r.Failures) > 0 {
		v = Unknown
	}
	for _, j := range r.Targets {
		if j.Accepted != "" {
			v = v.Worst(Accepted)
		} else {
			v = v.Worst(j.Verdict)
		}
	}
	return v
}

// JudgeTargets returns a report on targets that are in no file, judged in environment e. Problems and failures are in the report.
func JudgeTargets(targets []Target, e Environment) *Report {
	r := &Report{Environment: e}
	for _, t := range targets {
		r.judge(Judge, t)
	}
	r.nameApart()
	return r
}

// JudgeFiles returns a report on all targets in files and folders, judged in parallel in environment e. A path "-" is stdin.
// unsaid has what counts where a file leaves something open. All errors are in the report, as problems or failures.
func JudgeFiles(paths []string, stdin io.Reader, unsaid *Unsaid, e Environment) *Report {
	return judgeFiles(Judge, paths, stdin, unsaid, e)
}

// judging is the type of Judge and unchanged.
type judging func(Target, *bound.Environment) (*Judgement, error)

// judgeFiles does what JudgeFiles does, and judges each target by judge.
func judgeFiles(judge judging, paths []string, stdin io.Reader, unsaid *Unsaid, e Environment) *Report {
	places, problems := files.Expand(paths)
	all := &Report{Environment: e, Problems: problems, places: places, asked: paths}
	for _, p := range places {
		all.full = append(all.full, files.Place{Path: fullName(p.Path), Folder: fullName(p.Folder)})
	}
	inputs := make([]*files.Input, len(places))
	for i := range inputs {
		inputs[i] = new(files.Input) // stays where loading panics
	}
	all.each(func(i int) { inputs[i] = files.Load(places[i], stdin) })
	language := ""
	if unsaid.ProfileSaid {
		language = unsaid.Profile.Language()
	}
	read := files.ReadAll(inputs, language, all.each)
	parts := make([]*Report, len(places))
	all.each(func(i int) {
		parts[i] = &Report{Environment: e}
		defer parts[i].recovered(places[i].Path)
		for t := range read[i].Targets {
			judged := target(&read[i].Targets[t], unsaid)
			if err := unsaid.Overrides.apply(&judged, &e); err != nil {
				parts[i].Problems = append(parts[i].Problems, err.(files.Problem))
				continue
			}
			if err := judged.clientOf(&read[i].Targets[t], unsaid, &e); err != nil {
				parts[i].Problems = append(parts[i].Problems, err.(files.Problem))
				continue
			}
			parts[i].judge(judge, judged)
		}
	})
	for i, part := range parts {
		all.take(&read[i], part, places[i])
	}
	unsaid.Overrides.unused(all)
	all.nameApart()
	return all
}

// each calls do with the index of every place in r.places, in parallel, and waits for all calls. If a call panics, each adds a
// failure to the report, and the others go on.
func (r *Report) each(do func(i int)) {
	next := make(chan int, len(r.places))
	for i := range r.places {
		next <- i
	}
	close(next)
	failed := make([]Report, len(r.places))
	var all sync.WaitGroup
	for range min(len(r.places), runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := range next {
				func() {
					defer failed[i].recovered(r.places[i].Path)
					do(i)
				}()
			}
		})
	}
	all.Wait()
	for i := range failed {
		r.Failures = append(r.Failures, failed[i].Failures...)
	}
}

// take adds to the report the notes and problems of file f, and the judgements, problems and failures of part. If f was skipped
// and was found in a folder, its note is left out, and counted in r.Skipped.
func (r *Report) take(f *files.File, part *Report, place files.Place) {
	for _, n := range f.Notes {
		if n.Kind == files.Skipped && place.Folder != "" {
			r.Skipped++
		} else {
			r.Notes = append(r.Notes, n)
		}
	}
	r.Targets = append(r.Targets, part.Targets...)
	r.Problems = append(append(r.Problems, f.Problems...), part.Problems...)
	r.Failures = append(r.Failures, part.Failures...)
}

// judge judges one target by the function that is given, and adds the judgement, the problem or the failure to the report. Of the environment it leaves out
// the numbers that do not count for the target's client (see heeded); if they are about a client of which nothing is known, a
// condition of the target says so.
func (r *Report) judge(judge judging, t Target) {
	defer r.recovered(t.Position.String())
	e := &r.Environment
	if t.Own != nil {
		own := *t.Own
		e = &own
	}
	if t.clientUnsaid(e) {
		t.Provided = append(slices.Clone(t.Provided), "its client, of which nothing is known, has no limiter and repeats no request")
	}
	heeded := t.heeded(e)
	if t.Own != nil {
		e.Environment, t.Own = *heeded, e
	}
	j, err := judge(t, heeded)
	var problem files.Problem
	switch {
	case errors.As(err, &problem):
		r.Problems = append(r.Problems, problem)
	case err != nil:
		r.Failures = append(r.Failures, err)
	default:
		r.Targets = append(r.Targets, j)
	}
}

// recovered turns a panic into a failure in the report, so that it does not hide the other results. It must be
// deferred. where names what was being judged.
func (r *Report) recovered(where string) {
	if v := recover(); v != nil {
		r.Failures = append(r.Failures, fmt.Errorf("%s: panic: %v\n%s", where, v, debug.Stack()))
	}
}

// nameApart makes the names of the witnesses unique: it appends a number, from 2 on, to a name that an earlier witness has.
func (r *Report) nameApart() {
	taken, last := map[string]bool{}, map[string]int{}
	for _, j := range r.Targets {
		if j.Witness == nil {
			continue
		}
		name := j.Witness.Name
		for taken[j.Witness.Name] {
			last[name]++
			j.Witness.Name = fmt.Sprintf("%s-%d", name, last[name]+1)
		}
		taken[j.Witness.Name] = true
	}
}

// Require turns all notes of a file that has neither a target nor a problem into problems, and of every file the notes about
// unread documents and stale entries. Notes that are Ignored or Let stay as they are. It also adds a problem for each folder
// that was asked for if no file in it has a target or a problem.
func (r *Report) Require() {
	judged := map[string]bool{}
	for _, j := range r.Targets {
		judged[j.File] = true
	}
	for _, p := range r.Problems {
		judged[p.File] = true
	}
	r.Notes = slices.DeleteFunc(r.Notes, func(n files.Note) bool {
		nothing := n.Kind == files.Unread || n.Kind == files.Stale || !judged[n.File] && n.Kind != files.Ignored && n.Kind != files.Let
		if nothing {
			r.Problems = append(r.Problems, files.Problem{Position: n.Position, Text: n.Text + "; want something to judge"})
		}
		return nothing
	})
	for i, path := range r.asked {
		judges := judged[path] || slices.ContainsFunc(r.places, func(p files.Place) bool { return judged[p.Path] && within(p.Path, path) })
		if !judges && !slices.Contains(r.asked[:i], path) && files.IsFolder(path) {
			r.Problems = append(r.Problems, files.Problem{
				Position: files.Position{File: path}, Text: "no file in it has settings of leader election; want something to judge",
			})
		}
	}
}

// within tells whether a path is in a folder, or in a folder below it. It compares texts, and reads no disk: the folder "." has
// every path in it.
func within(path, folder string) bool {
	folder = filepath.Clean(folder)
	return folder == "." || strings.HasPrefix(filepath.Clean(path), strings.TrimSuffix(folder, "/")+"/")
}

// covers tells whether this run has read what name stands for: a file, a folder, or a target by its name in reports. An empty
// name is covered if anything was read.
func (r *Report) covers(name string) bool {
	full := fullName(name)
	return slices.ContainsFunc(r.full, func(p files.Place) bool {
		return full == p.Path || strings.HasPrefix(full, p.Path+": ") || name == "" || p.Folder != "" && (full == p.Folder || within(full, p.Folder))
	})
}

// unused adds a note to r for each entry that meets neither a target nor a problem. The note is of kind Stale if this run has
// read the file or folder of the entry, or if the entry names none. It is of kind Ignored if that file or folder does not exist.
// If it exists and was not read, there is no note.
func (o *Overrides) unused(r *Report) {
	if o == nil {
		return
	}
	var all []named
	for _, j := range r.Targets {
		all = append(all, nameOf(j.Position))
	}
	for _, p := range r.Problems {
		all = append(all, nameOf(p.Position))
	}
	for _, one := range o.all {
		used := slices.ContainsFunc(all, one.meets)
		literal, _, _ := strings.Cut(one.name, "*")
		path, _, _ := strings.Cut(literal, ": ")
		n := files.Note{Position: one.Position, Kind: files.Stale, Text: phrase.Quote(one.name) + " is the name of no target"}
		switch {
		case used:
		case literal == "" || r.covers(literal):
			r.Notes = append(r.Notes, n)
		case !files.Exists(path): // a name of another run's standard input, perhaps
			n.Kind = files.Ignored
			r.Notes = append(r.Notes, n)
		}
	}
}

// Files returns the paths of the files that were read, without standard input.
func (r *Report) Files() (paths []string) {
	for _, p := range r.places {
		if p.Path != "-" {
			paths = append(paths, p.Path)
		}
	}
	return paths
}
