package search

import (
	"encoding/json"
	"path/filepath"

	"interregnum/scenarios"
)

// Corpus has the scenarios from which a campaign starts. Each of them is run, and mutations of it.
type Corpus struct {
	// Dir is the folder or file from which they were read, as it was named. Digest covers the names and the contents of
	// all its files.
	Dir, Digest string
	// Blocks is how many blocks a campaign runs for the scenarios themselves.
	Blocks uint64
	// Parents are the scenarios, fitted to the target, in the order of the names of their files. Notes say what was
	// changed in those that did not fit.
	Parents []Parent
	Notes   []string
}

// Parent is a scenario of a corpus, with the name of its file.
type Parent struct {
	File     string
	Scenario *scenarios.Scenario
}

// Origin is where a run comes from that is not drawn from its seed alone.
type Origin struct {
	// File is the name of the file of its parent. Unchanged: the run is the parent itself.
	File      string `json:"file"`
	Unchanged bool   `json:"unchanged,omitempty"`
	// Scenario is the scenario of a run that failed, for readers of results who do not have the corpus.
	Scenario json.RawMessage `json:"scenario,omitempty"`
}

// withScenario returns a copy of the origin that also has the scenario s, for a failure; nil for a nil origin.
func (o *Origin) withScenario(s *scenarios.Scenario) *Origin {
	if o == nil {
		return nil
	}
	// A plan that has run has a form in a file.
	text, _ := json.Marshal(s)
	return &Origin{File: o.File, Unchanged: o.Unchanged, Scenario: text}
}

// Path returns the path of a file of the corpus. That is Dir itself if the corpus was read from one file.
func (c *Corpus) Path(file string) string {
	if filepath.Base(c.Dir) == file {
		return c.Dir
	}
	return filepath.Join(c.Dir, file)
}
