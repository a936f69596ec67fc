package shell

import (
	"path"
	"slices"
	"strings"
)

// Word is one word of a command line, and its line in the file. A literal word is a text whose lines begin after that line.
type Word struct {
	Text    string
	Line    int
	Literal bool
}

// Texts returns the words without their lines.
func Texts(words []Word) (all []string) {
	for _, it := range words {
		all = append(all, it.Text)
	}
	return all
}

// Fields returns a word split at white space, each part on the line of the whole.
func Fields(it Word) []Word {
	var words []Word
	for s := range strings.FieldsSeq(it.Text) {
		words = append(words, Word{Text: s, Line: it.Line})
	}
	return words
}

// IsFlag tells whether a word begins with a hyphen and is neither a negative number nor the hyphen alone.
func IsFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.'
}

// wrappers are programs that start another one, whose name follows their own flags and arguments.
var wrappers = strings.Fields(`exec env tini dumb-init catatonit su-exec gosu sudo nice ionice nohup timeout chroot setpriv stdbuf taskset numactl
	chpst s6-setuidgid unshare nsenter go-runner docker podman nerdctl`)

func IsWrapper(s string) bool { return slices.Contains(wrappers, path.Base(s)) }
