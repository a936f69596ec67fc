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

// isManifest tells whether a file is read if it is in a folder.
func isManifest(name string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name))) || filepath.Base(name) == "Kustomization"
}

// Expand returns the paths with each folder replaced by its YAML and JSON files, in the order of their names, each kustomization
// with the files after it of which it makes ConfigMaps. It leaves out hidden files and folders (.git), and files that were named
// before. A folder that cannot be read is a problem.
func Expand(paths []string) (places []Place, problems []Problem) {
	seen := map[string]bool{}
	add := func(p Place) {
		if clean := filepath.Clean(p.Path); p.Path == "-" || !seen[clean] {
			seen[clean] = true
			places = append(places, p)
		}
	}
	withParts := func(p Place) {
		add(p)
		for _, part := range partsOf(p.Path) {
			add(Place{part, filepath.Dir(p.Path)})
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.IsDir() {
			withParts(Place{Path: path})
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
			case !hidden && !d.IsDir() && isManifest(at):
				withParts(Place{Path: at, Folder: path})
			}
			return nil
		})
	}
	return places, problems
}

// partsOf returns the files of which the kustomization at path makes ConfigMaps, and which are no manifests: those that are there, in
// its folder or below, since kustomize reads no others unless it is told to.
func partsOf(path string) []string {
	switch filepath.Base(path) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
	default:
		return nil
	}
	var found []string
	for _, g := range (&walker{pos: Position{File: path}}).generatedIn(loadPath(path, nil).data) {
		for _, p := range append(g.files, g.envs...) {
			within, err := filepath.Rel(filepath.Dir(path), p.path)
			info, missing := os.Stat(p.path)
			if err == nil && filepath.IsLocal(within) && missing == nil && info.Mode().IsRegular() && !isManifest(p.path) {
				found = append(found, p.path)
			}
		}
	}
	return found
}
