package files

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"interregnum/internal/phrase"
)

// maxBytes is the size of the largest file that is read.
const maxBytes = 16 << 20

// maxProblems of one file are reported; whoever has more has one cause.
const maxProblems = 100

// Input is a file that was loaded, or could not be.
type Input struct {
	name   string
	data   []byte
	failed *File
}

// Load reads the file at path, or stdin if path is "-". The Input keeps the failure, if any. Load may be called
// concurrently.
func Load(path string, stdin io.Reader) *Input {
	if path == "-" {
		return load(path, stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return &Input{name: path, failed: unreadable(path, err)}
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return &Input{name: path, failed: broken(path, "is a directory; want a file")}
	}
	return load(path, f)
}

// load reads all bytes of a file. If that fails, or the file is larger than maxBytes, Input.failed says so.
func load(name string, r io.Reader) *Input {
	in := &Input{name: name}
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	switch {
	case err != nil:
		in.failed = unreadable(name, err)
	case len(data) > maxBytes:
		in.failed = broken(name, fmt.Sprintf("is larger than %d MiB, or endless; want a file of manifests", maxBytes>>20))
	default:
		in.data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	}
	return in
}

// Shared returns the ConfigMaps in all inputs; nil where no input has variables that come from ConfigMaps.
func Shared(inputs []*Input) ConfigMaps {
	if !slices.ContainsFunc(inputs, func(in *Input) bool { return refers(in.data) }) {
		return nil
	}
	all := ConfigMaps{}
	for _, in := range inputs {
		all.add(in.data)
	}
	return all
}

// Read returns the targets, notes and problems of one file. name is the file's name in positions.
func Read(name string, r io.Reader) File {
	in := load(name, r)
	all := []File{in.Read(Shared([]*Input{in}), "")}
	Apart(all)
	return all[0]
}

// Read returns the targets, notes and problems of the input. shared has the ConfigMaps of all inputs. language is that of programs
// whose client the caller knows; of others that are not in Go there is a note alone, unless a file says what client they have. A
// document that is bad does not keep the others from being read. Read may be called concurrently.
func (in *Input) Read(shared ConfigMaps, language string) File {
	switch {
	case in.failed != nil:
		return *in.failed
	case in.name == "": // nothing was loaded
		return File{}
	}
	w := &walker{pos: Position{File: in.name}, shared: shared, language: language, off: map[string]bool{}}
	w.documents(in.data, 0)
	w.link()
	if len(w.out.Targets)+len(w.out.Problems) == 0 && !w.noted(Disabled) && !w.noted(Unread) {
		text := "no leader-election settings; skipped"
		if len(w.out.Notes) > 0 {
			text = "nothing in it can be judged; skipped"
		}
		w.out.Notes = append(w.out.Notes, Note{Position: Position{File: in.name}, Kind: Skipped, Text: text})
	}
	return w.out
}

// noted tells whether w.out has a note of that kind.
func (w *walker) noted(kind NoteKind) bool {
	return slices.ContainsFunc(w.out.Notes, func(n Note) bool { return n.Kind == kind })
}

// unreadable returns a File whose only problem says why the file could not be read.
func unreadable(name string, err error) *File {
	return broken(name, "cannot be read: "+phrase.WithoutPath(err).Error())
}

// broken returns a File whose only content is one problem with that text.
func broken(name, text string) *File {
	return &File{Problems: []Problem{{Position: Position{File: name}, Text: phrase.OneLine(text)}}}
}
