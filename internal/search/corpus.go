package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/scenarios"
)

// Corpus is the scenarios that a campaign starts from. Each is run, and is the parent of mutations.
type Corpus struct {
	// Dir is the folder or file that they come from, as it was named, and Digest covers the names and the contents of all of
	// its files.
	Dir, Digest string
	// Blocks is how many blocks a campaign has for the scenarios themselves.
	Blocks uint64
	// Parents are the scenarios as the target has them, in the order of the names of their files. Notes say what was done
	// with those that did not fit.
	Parents []Parent
	Notes   []string
}

// Parent is a scenario of a corpus, and the name of its file.
type Parent struct {
	File     string
	Scenario *scenarios.Scenario
}

// Origin is where a run comes from that was not drawn from its seed alone.
type Origin struct {
	// File is the name of the file of its parent. Unchanged tells that it is the parent itself.
	File      string `json:"file"`
	Unchanged bool   `json:"unchanged,omitempty"`
	// Scenario is the run of a failure: whoever reads results may not have the corpus.
	Scenario json.RawMessage `json:"scenario,omitempty"`
}

// of returns the origin together with the scenario that was run, as a failure keeps it; nil for a run without origin.
func (o *Origin) of(s *scenarios.Scenario) *Origin {
	if o == nil {
		return nil
	}
	// A plan that has run has a form in a file.
	text, _ := json.Marshal(s)
	return &Origin{File: o.File, Unchanged: o.Unchanged, Scenario: text}
}

// The runs of a corpus itself have seeds from CorpusSeed on, which no campaign with a corpus draws.
const (
	corpusBlock = CorpusSeed / BlockRuns
	CorpusSeed  = 1 << 63
)

// OpenCorpus reads the scenarios of a folder, or of one file, and fits them to the target. A file that is no scenario is an
// error that names it; a folder with none is no error.
func (t *Target) OpenCorpus(name string) (*Corpus, error) {
	files, err := ScenarioFiles(name)
	if err != nil {
		return nil, err
	}
	c, digest := &Corpus{Dir: name}, sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(file)
		fmt.Fprintf(digest, "%d %s %d\n%s", len(base), base, len(text), text)
		s, err := scenarios.Read(bytes.NewReader(text), file)
		if err != nil {
			return nil, err
		}
		fitted, done := t.fit(s)
		if len(done) > 0 {
			c.Notes = append(c.Notes, file+": "+strings.Join(done, ", "))
		}
		if fitted != nil {
			c.Parents = append(c.Parents, Parent{base, fitted})
		}
	}
	c.Digest = fmt.Sprintf("%x", digest.Sum(nil))
	c.Blocks = (uint64(len(c.Parents)) + BlockRuns - 1) / BlockRuns
	return c, nil
}

// Path returns the path of a file of the corpus.
func (c *Corpus) Path(file string) string {
	if filepath.Base(c.Dir) == file {
		return c.Dir
	}
	return filepath.Join(c.Dir, file)
}

// ScenarioFiles are the scenario files of a folder, by name, or the one file that is named.
func ScenarioFiles(name string) ([]string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such folder; want one with scenario files", name)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	return files, nil
}

// parents returns the scenarios of the target's corpus, none where it has no corpus.
func (t *Target) parents() []Parent {
	if t.Corpus == nil {
		return nil
	}
	return t.Corpus.Parents
}

// inherit is the run of a seed that the corpus has a part in, and where it comes from; nil for any other. It depends on its
// parent alone: a corpus of just that file has the same run for the seed.
func (t *Target) inherit(seed uint64) (*scenarios.Scenario, *Origin) {
	all := t.parents()
	n := uint64(len(all))
	block, i := seed/BlockRuns, seed%BlockRuns
	switch {
	case n == 0:
		return nil, nil
	case block >= corpusBlock:
		at := seed - CorpusSeed
		p := &all[at%n]
		if at < n {
			return p.Scenario, &Origin{File: p.File, Unchanged: true}
		}
		return t.descendant(p, seed), &Origin{File: p.File}
	case i >= freshRuns && i%2 == 1:
		p := &all[(block%n*(BlockRuns-freshRuns)/2+(i-freshRuns)/2)%n]
		return t.descendant(p, seed), &Origin{File: p.File}
	}
	return nil, nil
}

// descendant returns a mutant of a corpus scenario, or a copy of that where the mutant could not be run.
func (t *Target) descendant(p *Parent, seed uint64) *scenarios.Scenario {
	s := t.mutant(p.Scenario, seed)
	s.About, s.Expect = "A mutation of "+p.File+".", nil
	if s.Validate() != nil {
		s.Plan = clone(p.Scenario).Plan
	}
	return s
}

// surprises returns the properties that a run violates unexpectedly: an unchanged corpus scenario may violate those that it says it does.
func (t *Target) surprises(r *scenarios.Result, s *scenarios.Scenario, o *Origin) []string {
	broken := t.broken(r)
	if o == nil || !o.Unchanged {
		return broken
	}
	return slices.DeleteFunc(broken, func(property string) bool {
		e := s.Expect[property]
		return e == scenarios.ExpectViolated || e == scenarios.ExpectAny
	})
}
