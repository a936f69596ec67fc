package search

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/scenarios"
)

// OpenCorpus reads the scenarios of a folder, or of one file, and fits them to the target. What was changed in them, and which
// were left out because they cannot be used, is in Notes. A file that cannot be read or is no scenario is an error that names it;
// a folder with none is no error.
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

// ScenarioFiles returns the files of a folder whose names end in .yaml, .yml or .json, sorted by name. If name is a file, it
// returns just that, whatever it is called. It is an error if there is nothing of that name, or if it cannot be read.
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
