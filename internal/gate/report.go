package gate

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"

	"interregnum/internal/gate/files"
)

// Report is what the gate says of everything that it was given, in the order in which it was.
type Report struct {
	Environment Environment
	Targets     []*Judgement
	Notes       []files.Note
	Problems    []files.Problem
	// Failures are the gate's own.
	Failures []error
}

// Verdict is the worst of all. Where something could not be judged, nothing is safe.
func (r *Report) Verdict() Verdict {
	v := Safe
	if len(r.Problems)+len(r.Failures) > 0 {
		v = Unknown
	}
	for _, j := range r.Targets {
		v = v.Worst(j.Verdict)
	}
	return v
}

// JudgeTargets judges what is not in a file.
func JudgeTargets(targets []Target, e Environment) *Report {
	r := &Report{Environment: e}
	for _, t := range targets {
		r.judge(t)
	}
	r.nameApart()
	return r
}

// JudgeFiles judges what is in files, on every core. A path "-" is stdin.
func JudgeFiles(paths []string, stdin io.Reader, unsaid *Unsaid, e Environment) *Report {
	parts := make([]chan *Report, len(paths))
	for i := range parts {
		parts[i] = make(chan *Report, 1)
	}
	next := make(chan int, len(paths))
	for i := range paths {
		next <- i
	}
	close(next)
	for range min(len(paths), runtime.GOMAXPROCS(0)) {
		go func() {
			for i := range next {
				parts[i] <- judgeFile(paths[i], stdin, unsaid, e)
			}
		}()
	}
	all := &Report{Environment: e}
	for i := range parts {
		part := <-parts[i]
		all.Targets = append(all.Targets, part.Targets...)
		all.Notes = append(all.Notes, part.Notes...)
		all.Problems = append(all.Problems, part.Problems...)
		all.Failures = append(all.Failures, part.Failures...)
	}
	all.nameApart()
	return all
}

func judgeFile(path string, stdin io.Reader, unsaid *Unsaid, e Environment) (r *Report) {
	r = &Report{Environment: e}
	defer r.recovered(path)
	f := files.ReadFile(path, stdin)
	r.Notes, r.Problems = f.Notes, f.Problems
	for i := range f.Targets {
		r.judge(target(&f.Targets[i], unsaid))
	}
	return r
}

func (r *Report) judge(t Target) {
	defer r.recovered(t.Position.String())
	j, err := Judge(t, &r.Environment.Environment)
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

// recovered keeps a panic from hiding what else there is to say.
func (r *Report) recovered(where string) {
	if v := recover(); v != nil {
		r.Failures = append(r.Failures, fmt.Errorf("%s: panic: %v\n%s", where, v, debug.Stack()))
	}
}

// nameApart numbers witnesses of the same name.
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

// Require makes a problem of each file in which there is nothing to judge.
func (r *Report) Require() {
	judged := map[string]bool{}
	for _, j := range r.Targets {
		judged[j.File] = true
	}
	for _, p := range r.Problems {
		judged[p.File] = true
	}
	r.Notes = slices.DeleteFunc(r.Notes, func(n files.Note) bool {
		nothing := !judged[n.File] && n.Kind != files.Ignored
		if nothing {
			r.Problems = append(r.Problems, files.Problem{Position: n.Position, Text: n.Text + "; want something to judge"})
		}
		return nothing
	})
}
