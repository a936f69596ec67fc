package files

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"interregnum/internal/gate/files/kustomize"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// maxBytes is the size of the largest file that is read.
const maxBytes = 16 << 20

// maxProblems of one file are reported; whoever has more has one cause.
const maxProblems = 100

// Input is a file that was loaded, or that could not be loaded: failed is then not nil, and has the problem.
type Input struct {
	name     string
	inFolder bool
	data     []byte
	failed   *File
}

// Load reads a file, or stdin if its path is "-". It never returns nil: the Input keeps a failure, which ReadAll reports. Load
// can be called concurrently.
func Load(p Place, stdin io.Reader) *Input {
	in := loadPath(p.Path, stdin)
	in.inFolder = p.Folder != ""
	return in
}

// loadPath reads the file at path, or stdin if path is "-". If that fails, or path is a folder, Input.failed says so.
func loadPath(path string, stdin io.Reader) *Input {
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

// ReadAll returns the targets, notes and problems of each input, in the order of inputs. A container is joined with the
// configuration that it mounts, in whichever input that is. A bad document does not keep the others from being read. ReadAll calls
// each twice. each must call its argument once with every index of inputs, perhaps concurrently, and return when all these calls
// have.
//
// language is the language whose client the caller knows, "" for none. Other programs that are not in Go get a note, and no target,
// unless a file tells their client.
func ReadAll(inputs []*Input, language string, each func(func(i int))) []File {
	var loaded []kustomize.File
	for _, in := range inputs {
		if in.failed == nil {
			loaded = append(loaded, kustomize.File{Path: in.name, Data: in.data})
		}
	}
	made := kustomize.Read(loaded)
	charts, shared := chartsIn(inputs), sharedIn(inputs, made)
	found := make([]*findings, len(inputs))
	for i := range found {
		found[i] = &findings{} // stays where a walk panics
	}
	each(func(i int) {
		about := made.About(inputs[i].name)
		w := &walker{
			Reader: &tree.Reader{}, findings: findings{file: inputs[i].name, off: map[string]bool{}, used: map[string]bool{}},
			scope: scope{pos: Position{File: inputs[i].name}, target: about.Program},
			known: known{inFolder: inputs[i].inFolder, language: language, shared: shared, charts: charts, kustomizations: made, changers: about.Changers},
		}
		w.To = w
		if by := about.Maker; by != nil {
			w.maker, w.self, w.above = by.File, object{kind: "ConfigMap", name: by.ConfigMap}, []string{by.Key}
		}
		inputs[i].walk(w, about.Variables)
		found[i] = &w.findings
	})
	connect(found)
	all := make([]File, len(inputs))
	each(func(i int) { all[i] = found[i].finish(inputs[i].inFolder) })
	return all
}

// Read returns the targets, notes and problems of the input, read without any other input and without a known language.
func (in *Input) Read() File {
	return ReadAll([]*Input{in}, "", func(do func(int)) { do(0) })[0]
}

// Read returns the targets, notes and problems of one file. name is the file's name in positions.
func Read(name string, r io.Reader) File { return load(name, r).Read() }

// walk reads the input into w, or stores in w.out why the input could not be loaded. A file of variables is not read
// here but with the kustomization, and a file that goes whole into a ConfigMap and is no manifest has no problems reported unless it has settings.
func (in *Input) walk(w *walker, variables bool) {
	switch {
	case in.failed != nil:
		w.out = *in.failed
	case in.name == "": // nothing was loaded
	case variables:
		w.elsewhere = true
	case w.maker != "" && !isManifest(in.name):
		if setting.Hint.Match(in.data) {
			w.documents(in.data, 0)
		}
		if len(w.found) == 0 { // a script or a template, of which nobody said that it is YAML
			w.out.Problems = nil
		}
	default:
		w.documents(in.data, 0)
	}
}

// finish links the candidates, and returns the File of the walk with its targets. If there is nothing to judge and nothing says
// why, it adds a note that the file was skipped. In a folder such files count as those without leader election, and so it adds none if
// a note says that a program elects.
func (f *findings) finish(inFolder bool) File {
	f.link()
	elsewhere := f.elsewhere || f.elects && inFolder || slices.ContainsFunc(f.found, func(c *candidate) bool { return c.taken })
	if f.file != "" && len(f.out.Targets)+len(f.out.Problems) == 0 && !elsewhere && !f.noted(Disabled) && !f.noted(Unread) {
		text := "no leader-election settings; skipped"
		if len(f.out.Notes) > 0 {
			text = "nothing in it can be judged; skipped"
		}
		f.out.Notes = append(f.out.Notes, Note{Position: Position{File: f.file}, Kind: Skipped, Text: text})
	}
	return f.out
}

// unreadable returns a File whose only problem says why the file could not be read.
func unreadable(name string, err error) *File {
	return broken(name, "cannot be read: "+phrase.WithoutPath(err).Error())
}

// broken returns a File whose only content is one problem with that text.
func broken(name, text string) *File {
	return &File{Problems: []Problem{{Position: Position{File: name}, Text: phrase.OneLine(text)}}}
}
