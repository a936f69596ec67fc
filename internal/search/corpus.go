package search

import (
	"encoding/json"
	"path/filepath"

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

// Path returns the path of a file of the corpus.
func (c *Corpus) Path(file string) string {
	if filepath.Base(c.Dir) == file {
		return c.Dir
	}
	return filepath.Join(c.Dir, file)
}
