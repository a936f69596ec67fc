package files

import (
	"path"
	"slices"
	"strings"
)

// word is one word of a command line, and its line in the file. A literal word is a text whose lines begin after that line.
type word struct {
	text    string
	line    int
	literal bool
}

// texts returns the words without their lines.
func texts(words []word) (all []string) {
	for _, it := range words {
		all = append(all, it.text)
	}
	return all
}

// fieldsOf returns a word split at white space, each part on the line of the whole.
func fieldsOf(it word) []word {
	var words []word
	for s := range strings.FieldsSeq(it.text) {
		words = append(words, word{text: s, line: it.line})
	}
	return words
}

// isFlag tells whether a word begins with a hyphen and is neither a negative number nor the hyphen alone.
func isFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.'
}

// wrappers are programs that start another one, whose name follows their own flags and arguments.
var wrappers = strings.Fields(`exec env tini dumb-init catatonit su-exec gosu sudo nice ionice nohup timeout chroot setpriv stdbuf taskset numactl
	chpst s6-setuidgid unshare nsenter go-runner docker podman nerdctl`)

func isWrapper(s string) bool { return slices.Contains(wrappers, path.Base(s)) }
