package search

import (
	"fmt"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/internal/search"
)

// openCorpus reads the scenarios in the folder of --corpus, and sets the corpus of t and of p, so that the search begins with
// them. It prints notes on scenarios that do not fit. It returns an error if none fits, or if there are none and --keep does not
// write into that folder.
func (f *searchFlags) openCorpus(c *cobra.Command, t *search.Target, p *search.Plan) error {
	corpus, err := t.OpenCorpus(f.corpus)
	if err != nil {
		return &exit.Error{Code: exit.BadInput, Text: "--corpus " + err.Error()}
	}
	for _, note := range corpus.Notes {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", note)
	}
	switch {
	case len(corpus.Parents) > 0:
	case len(corpus.Notes) > 0:
		return &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("--corpus %s: none of its scenarios fits; "+
			"search for what they are about, or leave --corpus out", f.corpus)}
	case !f.growsCorpus():
		return &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("--corpus %s: no scenario in it (*.yaml, *.yml, *.json); "+
			"--keep %[1]s begins one", f.corpus)}
	}
	t.Corpus, p.Corpus = corpus, corpus.Blocks
	return nil
}

// growsCorpus tells whether --keep writes into the folder of --corpus.
func (f *searchFlags) growsCorpus() bool {
	return f.corpus != "" && f.keep != "" && (f.corpus == f.keep || input.Same(f.corpus, f.keep))
}

// postpones tells whether failures must not be kept yet: the search has not ended, and --keep would change the corpus with which
// its kept results go on.
func (f *searchFlags) postpones(ended bool) bool { return !ended && f.resume != "" && f.growsCorpus() }
