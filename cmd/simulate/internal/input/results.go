package input

import (
	"fmt"
	"os"
	"path/filepath"

	"interregnum/internal/phrase"
)

// ResultsFiles returns the files that arguments name and, for arguments that name folders, the files *.jsonl in them. It returns
// an error for what does not exist, and for a folder without such files.
func ResultsFiles(args []string) ([]string, error) {
	var names []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", arg, phrase.WithoutPath(err))
		case !info.IsDir():
			names = append(names, arg)
			continue
		}
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, err
		}
		before := len(names)
		for _, e := range entries {
			if filepath.Ext(e.Name()) == ".jsonl" {
				names = append(names, filepath.Join(arg, e.Name()))
			}
		}
		if len(names) == before {
			return nil, fmt.Errorf("%s: no file in it is called *.jsonl", arg)
		}
	}
	return names, nil
}
