package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a file to read, and the folder that was asked for; "" where the file itself was.
type Place struct{ Path, Folder string }

// endings are those of the files in a folder that are read.
var endings = []string{".yaml", ".yml", ".json"}

// Expand returns the paths with each folder replaced by its YAML and JSON files, in the order of their names. It leaves
// out hidden files and folders (.git), and files that were named before. A folder that cannot be read is a problem.
func Expand(paths []string) (places []Place, problems []Problem) {
	seen := map[string]bool{}
	add := func(p Place) {
		if clean := filepath.Clean(p.Path); p.Path == "-" || !seen[clean] {
			seen[clean] = true
			places = append(places, p)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.IsDir() {
			add(Place{Path: path})
			continue
		}
		_ = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error { // its own error is nil
			hidden := at != path && strings.HasPrefix(d.Name(), ".")
			switch {
			case err != nil:
				problems = append(problems, unreadable(at, err).Problems...)
				return nil
			case hidden && d.IsDir():
				return filepath.SkipDir
			case !hidden && !d.IsDir() && slices.Contains(endings, strings.ToLower(filepath.Ext(at))):
				add(Place{Path: at, Folder: path})
			}
			return nil
		})
	}
	return places, problems
}
