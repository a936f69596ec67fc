package files

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// word is one word of a command line, and its line in the file. A literal word is a text whose lines begin after that line.
type word struct {
	text    string
	line    int
	literal bool
}

// flags adds the leader-election flags of a command line to c.raws. A flag for a yes or no that has no value gets the value true;
// any other without a value is marked as missing. After -- there are no flags, unless it stands before the first setting, where another
// program may start this one. flags also sets, if a flag tells it, c.program where that is nil, c.gates,
// c.hasFlag, c.client and, for the flag of a file of configuration, c.configFlag and c.configPath.
func (w *walker) flags(c *candidate, words []word) {
	var names []string
	for _, it := range words {
		if name, _, _ := strings.Cut(it.text, "="); isFlag(name) {
			names = append(names, name)
		}
	}
	together, before := ofOnePrefix(names), len(c.raws)
	for i, it := range words {
		if it.text == "--" && len(c.raws) > before {
			return
		}
		c.featureGates(it.text)
		name, value, given := strings.Cut(it.text, "=")
		bare := strings.TrimLeft(name, "-")
		if bare == name || len(name)-len(bare) > 2 {
			continue
		}
		if c.hasFlag == nil {
			c.hasFlag = map[string]bool{}
		}
		c.hasFlag[bare] = value != "false"
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		if first, _, several := strings.Cut(bare, " "); several {
			// Flags that are one word, which no program takes.
			if s := settingOf(first); s.key != noKey {
				c.raws = append(c.raws, raw{setting: s, name: phrase.Clip("--" + first), text: it.text, line: it.line, missing: true})
			}
			continue
		}
		if isConfigFlag(bare) {
			c.configFlag, c.configPath = phrase.Clip(name), value
			if !given {
				c.configPath = next
			}
		}
		if program := programOfFlag(bare); program != nil && c.program == nil {
			c.program = program
		}
		c.clientFlag(bare, raw{name: phrase.Clip(name), text: value, line: it.line}, given, next)
		s := valued(bare, value)
		if c.program != nil && c.program.enables != "" && bare == c.program.enables {
			s = setting{key: enable, certain: true}
		}
		if s.key == noKey {
			s = together[normal(bare)]
		}
		r := raw{setting: s, name: phrase.Clip(name), text: value, line: it.line, wholeSeconds: kubeVIP(bare)}
		switch {
		case s.key == noKey:
			continue
		case given:
		case s.key.isYesOrNo() && bare != "election-id":
			// pflag takes the value of a yes or no after = alone.
			r.text = "true"
		case i+1 == len(words) || isFlag(words[i+1].text):
			r.missing = true
		default:
			r.text = words[i+1].text
		}
		c.raws = append(c.raws, r)
	}
}

// passedOn reads the flags that k3s and RKE2 pass on to a program of the control plane, such as
// --kube-scheduler-arg=leader-elect-lease-duration=60s. It puts the flags of each program into a new candidate, not into c, and
// settles it if there are any.
func (w *walker) passedOn(c *candidate, words []word) {
	of := map[*Program][]word{}
	var order []*Program
	for i, it := range words {
		name, value, given := strings.Cut(it.text, "=")
		program := programOfArguments(strings.TrimLeft(name, "-"))
		if program == nil || name[0] != '-' {
			continue
		}
		if !given && i+1 < len(words) {
			value = words[i+1].text
		}
		if of[program] == nil {
			order = append(order, program)
		}
		of[program] = append(of[program], word{text: "--" + strings.TrimLeft(value, "-"), line: it.line})
	}
	for _, program := range order {
		line := of[program][0].line
		one := w.candidate("", line-w.base)
		one.pos.Part = c.pos.Part + ": " + program.Name
		one.variable, one.variablesOf, one.provided = c.variable, c.variablesOf, slices.Clone(c.provided)
		one.program, one.component = program, program.Name
		if w.flags(one, of[program]); len(one.raws) > 0 {
			w.settle(one)
		}
	}
}

// isConfigFlag tells whether a flag of that name names a file of configuration.
func isConfigFlag(name string) bool {
	switch normal(name) {
	case "config", "configfile", "configpath", "configuration", "componentconfig", "controllerconfig", "managerconfig":
		return true
	}
	return false
}

// kubeVIP tells whether name is one of the three flags of kube-vip that take whole seconds.
func kubeVIP(name string) bool {
	return name == "leaseDuration" || name == "leaseRenewDuration" || name == "leaseRetry"
}

// isFlag tells whether a word begins with a hyphen and is neither a negative number nor the hyphen alone.
func isFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.'
}

// scriptFile reads the commands of a shell script that start with a path, with the name of a program that the gate knows or with a wrapper,
// and have settings, each into a candidate, and settles these. It returns false if there are none, or the text is no script.
func (w *walker) scriptFile(text []byte) bool {
	line := shellVars{"@": {list: true}}.script(word{string(text), w.base, true}, nil, 0)
	runs := slices.DeleteFunc(line.commands, func(run invocation) bool {
		return !line.parsed || !w.hasSettings(run) || !startsProgram(run.words[0].text) && !isWrapper(run.words[0].text)
	})
	for _, run := range runs {
		part := ""
		if len(runs) > 1 {
			part = phrase.Clip(path.Base(run.words[0].text))
		}
		w.command(w.candidate(part, run.words[0].line-w.base), "", run)
	}
	return len(runs) > 0
}

// flagFile reads a document that is one text of flags, such as a snap's file of arguments, into a candidate, and settles it if
// there are settings. It reads no other text: a sentence about a flag sets nothing.
func (w *walker) flagFile(n *yaml.Node) {
	if !isCommandLine(strings.Fields(n.Value)) {
		return
	}
	c := w.candidate("", n.Line)
	if c.program = programNamed("", path.Base(w.pos.File)); c.program != nil {
		c.component = c.program.Name
	}
	if w.flags(c, fieldsOf(word{text: n.Value, line: w.base + n.Line})); len(c.raws) > 0 {
		w.settle(c)
	}
}

// commandText reads a command line that is a text, as services of docker compose have it, into a candidate, and settles it if it has settings. all
// are the fields of the service. It tells whether there are settings.
func (w *walker) commandText(f field, all []field) bool {
	_, image := get(all, "image")
	_, build := get(all, "build")
	if !image && !build {
		return false
	}
	runs := (shellVars{}).script(word{text: f.value.Value, line: w.base + f.value.Line}, nil, 0).commands
	i := slices.IndexFunc(runs, w.hasSettings)
	if i < 0 {
		return false
	}
	c := w.candidate(w.where(), f.value.Line)
	c.image = text(all, "image")
	c.setLanguage(runs[i].words, nil)
	w.command(c, "", runs[i])
	return true
}

// hasSettings tells whether the flags of a command have settings.
func (w *walker) hasSettings(run invocation) bool {
	var c candidate
	w.flags(&c, run.words)
	return len(c.raws) > 0
}

// flagLines reads a document that is no YAML as flagFile does, without its comments, if all its other lines begin with flags. It tells whether they do.
func (w *walker) flagLines(text []byte) bool {
	if text = comment.ReplaceAll(text, nil); !onlyFlags.Match(text) {
		return false
	}
	w.flagFile(&yaml.Node{Value: string(text), Line: 1})
	return true
}

// onlyFlags matches a text whose lines begin with flags, or are empty.
var onlyFlags = regexp.MustCompile(`^(?:\s*--?[A-Za-z][^\n]*(?:\n|$))+\s*$`)

// isCommandLine tells whether words are a command with flags, or flags and their values alone. A command has a path, the name of a
// program that the gate knows, or exec before its first flag. Of words that begin with a flag, a value follows a flag that has none
// of its own; there may be backslashes between them.
func isCommandLine(words []string) bool {
	first := slices.IndexFunc(words, isFlag)
	if first != 0 {
		return first > 0 && slices.ContainsFunc(words[:first], startsProgram)
	}
	for i, s := range words {
		if !isFlag(s) && s != `\` && (!isFlag(words[i-1]) || strings.Contains(words[i-1], "=")) {
			return false
		}
	}
	return true
}

func startsProgram(s string) bool {
	return s == "exec" || strings.Contains(s, "/") || programNamed("", s) != nil
}
