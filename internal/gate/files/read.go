package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"interregnum/internal/phrase"
)

// maxBytes is the size of the largest file that is read.
const maxBytes = 16 << 20

// maxProblems of one file are reported; whoever has more has one cause.
const maxProblems = 100

// ReadFile reads the file of that path, or stdin where it is "-".
func ReadFile(path string, stdin io.Reader) File {
	if path == "-" {
		return Read(path, stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return broken(path, "is a directory; want a file")
	}
	return Read(path, f)
}

// Read reads one file; name stands for it in positions. A document that is bad does not keep the others from
// being read. It may be called concurrently.
func Read(name string, r io.Reader) File {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	switch {
	case err != nil:
		return unreadable(name, err)
	case len(data) > maxBytes:
		return broken(name, fmt.Sprintf("is larger than %d MiB, or endless; want a file of manifests", maxBytes>>20))
	}
	w := &walker{pos: Position{File: name}}
	w.documents(bytes.TrimPrefix(data, []byte("\uFEFF")), 0)
	w.link()
	if len(w.out.Targets)+len(w.out.Problems) == 0 && !w.disabled() {
		text := "no leader-election settings; skipped"
		if len(w.out.Notes) > 0 {
			text = "nothing in it can be judged; skipped"
		}
		w.out.Notes = append(w.out.Notes, Note{Position: Position{File: name}, Kind: Skipped, Text: text})
	}
	return w.out
}

func (w *walker) disabled() bool {
	for _, n := range w.out.Notes {
		if n.Kind == Disabled {
			return true
		}
	}
	return false
}

func unreadable(name string, err error) File {
	text := err.Error()
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		text = pathError.Err.Error()
	}
	return broken(name, "cannot be read: "+text)
}

func broken(name, text string) File {
	return File{Problems: []Problem{{Position: Position{File: name}, Text: phrase.OneLine(text)}}}
}
