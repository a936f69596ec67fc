package files

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxUnknown words of one command that stand for flags are named.
const maxUnknown = 4

var (
	// moreFlags is a word of a command line that by its name stands for flags: a variable whose value is not known.
	moreFlags = regexp.MustCompile(`(?i)^\$[({]?\w*(?:args|argument|opts|option|flag|extra|param)\w*(?:\[[@*]\])?[)}]?$`)
	// replaced is a word that a shell, Kubernetes, Helm or cmd puts something else in place of.
	replaced = regexp.MustCompile("(?s)^(?:\\$[\\w@*]+|\\$\\{(?:[^{}]|\\{[^{}]*\\})*\\}|\\$\\((?:[^()]|\\([^()]*\\))*\\)|`[^`]*`|\\{\\{.*\\}\\}|%\\w+%)+$")
)

// unknownFlags adds a note for each word of the command that may stand for flags, such as $EXTRA_ARGS or xargs; their names and values are
// not in the file. That they set no timings becomes a condition of a safe verdict (c.provided). Where all timings are given, only what
// follows the first of these counts, since programs take the last of several flags of one name. Where they are not, so does all that may have set variables.
// A script with the line ends of Windows is a problem: a shell takes a carriage return for text.
func (w *walker) unknownFlags(c *candidate, run invocation) {
	if run.carriage {
		w.problem(c.pos, "the script has carriage returns (CR), as line ends of Windows have them; a shell takes these for text, so want line feeds alone")
		c.failed = true
	}
	first := 0
	if c.setsAll() {
		first = max(0, slices.IndexFunc(run.words, isTiming))
	} else {
		c.provided = union(c.provided, run.doubts)
	}
	var all []string
	for i, it := range run.words {
		what := clipped(it.text)
		appends := path.Base(it.text) == "xargs"
		if !appends && (i < first || !mayBeFlags(run.words, i)) || slices.Contains(all, what) || len(all) == maxUnknown {
			continue
		}
		all = append(all, what)
		c.provided = append(c.provided, what+" sets no timings")
		w.note(c.pos.at(it.line), Unread, what+" stands for flags that are not known here; if they set timings, the verdict is about something else")
	}
}

// isTiming tells whether a word is a flag that gives a timing.
func isTiming(it word) bool {
	name, _, _ := strings.Cut(it.text, "=")
	s := settingOf(strings.TrimLeft(name, "-"))
	return isFlag(name) && (s.key != noKey && s.key <= retryPeriod || s.key == electionTTL)
}

// mayBeFlags tells whether the word i is one that something else is put in place of, and that may be flags. The value of a flag before
// it is none unless its name says so; after a flag that takes none it is.
func mayBeFlags(words []word, i int) bool {
	if moreFlags.MatchString(words[i].text) {
		return true
	}
	if i == 0 || !replaced.MatchString(words[i].text) {
		return false
	}
	before := words[i-1].text
	s := settingOf(strings.TrimLeft(before, "-"))
	return !isFlag(before) || strings.Contains(before, "=") || s.key == enable || s.key == disable || s.key == releaseOnCancel
}
