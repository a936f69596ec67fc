package files

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/internal/gate/files/kustomize"
)

// Place is a file to read. Folder is the folder, named by the caller, in which it was found; "" if the caller named the file
// itself.
type Place struct{ Path, Folder string }

// endings are those of the files in a folder that are read.
var endings = []string{".yaml", ".yml", ".json"}

// isManifest tells whether a file of that name is read where its folder was asked for: YAML, JSON and Kustomization.
func isManifest(name string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name))) || filepath.Base(name) == "Kustomization"
}

// Expand returns the files to read for paths, in order. A path that is no folder is itself a file to read. A folder stands for its
// files, and those in folders below, that are YAML, JSON or Kustomization, by name, with links last. A kustomization is followed by
// the other files of which it makes ConfigMaps. Hidden files and folders in a folder are left out, and so is a file that came
// before; - can be given twice. A folder that cannot be read is a problem, and so is a manifest in a folder that is not a file.
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
		if path == "-" || !IsFolder(path) {
			withParts(Place{Path: path})
			continue
		}
		f := folder{found: func(file string) { withParts(Place{Path: file, Folder: path}) }, been: map[string]bool{}}
		f.read(path)
		problems = append(problems, f.problems...)
	}
	return places, problems
}

// folder is a search for manifests in a folder and all folders below it.
type folder struct {
	// found is called for each manifest.
	found func(path string)
	// been has the folders that were read, without links, since links may lead round in a circle.
	been     map[string]bool
	problems []Problem
}

// read looks for manifests in a folder and in those below it, also through links. It goes in the order of their names, but
// takes links last, and leaves out what is hidden. It calls f.found for each, and adds to f.problems. It does nothing for a
// folder that was read before.
func (f *folder) read(path string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.problems = append(f.problems, unreadable(path, err).Problems...)
		return
	}
	if f.been[real] {
		return
	}
	f.been[real] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		f.problems = append(f.problems, unreadable(path, err).Problems...)
		return
	}
	// Links last: what is in the folder too has its own name then.
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Type()&fs.ModeSymlink, b.Type()&fs.ModeSymlink) })
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			f.entry(filepath.Join(path, e.Name()), e.Type())
		}
	}
}

// entry reads the folder at the path at, if it is one, or calls f.found if it is a manifest; kind is its type, and a link counts as
// what it leads to. It does nothing for a file that is no manifest. A manifest that is not a regular file, such as a pipe, is added
// to f.problems, since it might keep the reader waiting for ever; so is one whose link leads nowhere.
func (f *folder) entry(at string, kind fs.FileMode) {
	var err error
	if kind&fs.ModeSymlink != 0 {
		var to fs.FileInfo
		if to, err = os.Stat(at); err == nil {
			kind = to.Mode()
		}
	}
	switch {
	case err == nil && kind.IsDir():
		f.read(at)
	case !isManifest(at):
	case err != nil:
		f.problems = append(f.problems, unreadable(at, err).Problems...)
	case !kind.IsRegular():
		f.problems = append(f.problems, Problem{Position: Position{File: at}, Text: "want a file, got " + fileKind(kind)})
	default:
		f.found(at)
	}
}

// fileKind returns in words what something is that is neither a file nor a folder: a pipe, a socket, otherwise a device.
func fileKind(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// IsFolder tells whether there is a folder at that path, or a link to one.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Exists tells whether there is anything at that path, even a link that leads nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// partsOf returns the paths of the files of which the kustomization at path makes ConfigMaps, except manifests, which are read
// anyway. It leaves out files that do not exist or are not in the kustomization's folder or below: kustomize reads none of those
// unless it is told to. It returns nil for any other file.
func partsOf(path string) []string {
	if !kustomize.IsKustomization(path) {
		return nil
	}
	var found []string
	for _, part := range kustomize.Read([]kustomize.File{{Path: path, Data: loadPath(path, nil).data}}).Parts() {
		within, err := filepath.Rel(filepath.Dir(path), part)
		info, missing := os.Stat(part)
		if err == nil && filepath.IsLocal(within) && missing == nil && info.Mode().IsRegular() && !isManifest(part) {
			found = append(found, part)
		}
	}
	return found
}
