package files

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// word is one of a command line.
type word struct {
	text string
	line int
}

// flags adds the leader-election flags of a command line to c.raws, and sets c.program and c.release where a flag tells
// them. It returns true if the flag --config is there, which names a file of configuration.
func (w *walker) flags(c *candidate, words []word) (config bool) {
	for i, it := range words {
		name, value, given := strings.Cut(it.text, "=")
		bare := strings.TrimLeft(name, "-")
		if bare == name || len(name)-len(bare) > 2 {
			continue
		}
		config = config || bare == "config"
		if program := programOfFlag(bare); program != nil && c.program == nil {
			c.program = program
		}
		if gate := c.program; gate != nil && gate.releaseGate != "" && strings.Contains(it.text, gate.releaseGate+"=true") {
			c.release = true
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		c.clientFlag(bare, raw{name: phrase.Clip(name), text: value, line: it.line}, given, next)
		s := settingOf(bare)
		r := raw{setting: s, name: phrase.Clip(name), text: value, line: it.line, wholeSeconds: kubeVIP(bare)}
		switch {
		case s.key == noKey:
			continue
		case given:
		case s.key >= enable && s.key != resourceLock && s.key != electionTTL && bare != "election-id":
			// pflag takes the value of a yes or no after = alone.
			r.text = "true"
		case i+1 == len(words) || isFlag(words[i+1].text):
			r.missing = true
		default:
			r.text = words[i+1].text
		}
		c.raws = append(c.raws, r)
	}
	return config
}

// kubeVIP tells whether name is one of kube-vip's flags that take whole seconds.
func kubeVIP(name string) bool {
	return name == "leaseDuration" || name == "leaseRenewDuration" || name == "leaseRetry"
}

// isFlag tells whether a word begins with a hyphen and is no negative number.
func isFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.'
}

// flagFile reads a document that is one text of flags, such as a snap's file of arguments, into a candidate.
func (w *walker) flagFile(n *yaml.Node) {
	c := w.candidate("", n.Line)
	if c.program = programNamed("", path.Base(w.pos.File)); c.program != nil {
		c.component = c.program.Name
	}
	var words []word
	for s := range strings.FieldsSeq(n.Value) {
		words = append(words, word{s, w.base + n.Line})
	}
	if w.flags(c, words); len(c.raws) > 0 {
		w.settle(c)
	}
}
