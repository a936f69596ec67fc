package files

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// flags adds the leader-election flags of a command line to c.raws. A flag for a yes or no that has no value gets the value true;
// any other without a value is marked as missing. After -- there are no flags, unless it stands before the first setting, where another
// program may start this one. flags also sets, if a flag tells it, c.program where that is nil, c.gates,
// c.hasFlag, c.client and, for the flag of a file of configuration, c.configFlag and c.configPath.
func (c *candidate) flags(words []shell.Word) {
	var names []string
	for _, it := range words {
		if name, _, _ := strings.Cut(it.Text, "="); shell.IsFlag(name) {
			names = append(names, name)
		}
	}
	together, before := setting.Together(names), len(c.raws)
	for i, it := range words {
		if it.Text == "--" && len(c.raws) > before {
			return
		}
		c.gates = c.gates.With(it.Text)
		name, value, given := strings.Cut(it.Text, "=")
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
			next = words[i+1].Text
		}
		if first, _, several := strings.Cut(bare, " "); several {
			// Flags that are one word, which no program takes.
			if s := setting.Of(first); s.Key != setting.None {
				c.raws = append(c.raws, raw{Setting: s, name: phrase.Clip("--" + first), text: it.Text, line: it.Line, missing: true})
			}
			continue
		}
		if setting.IsConfigFlag(bare) {
			c.configFlag, c.configPath = phrase.Clip(name), value
			if !given {
				c.configPath = next
			}
		}
		if program := programs.OfFlag(bare); program != nil && c.program == nil {
			c.program = program
		}
		c.clientFlag(bare, raw{name: phrase.Clip(name), text: value, line: it.Line}, given, next)
		s := setting.OfValue(bare, value)
		if c.program != nil && c.program.Enables != "" && bare == c.program.Enables {
			s = setting.Setting{Key: setting.Enable, Certain: true}
		}
		if s.Key == setting.None {
			s = together[setting.Normal(bare)]
		}
		r := raw{Setting: s, name: phrase.Clip(name), text: value, line: it.Line, wholeSeconds: kubeVIP(bare)}
		switch {
		case s.Key == setting.None:
			continue
		case given:
		case s.Key.IsYesOrNo() && bare != "election-id":
			// pflag takes the value of a yes or no after = alone.
			r.text = "true"
		case i+1 == len(words) || shell.IsFlag(words[i+1].Text):
			r.missing = true
		default:
			r.text = words[i+1].Text
		}
		c.raws = append(c.raws, r)
	}
}

// kubeVIP tells whether name is one of the three flags of kube-vip that take whole seconds.
func kubeVIP(name string) bool {
	return name == "leaseDuration" || name == "leaseRenewDuration" || name == "leaseRetry"
}

// isArguments tells whether a field of that name holds flags: OpenShift's extendedArguments, extraArgs of kubeadm and others, and
// fields such as kube-scheduler-arg, for which programs.OfArguments knows a program.
func isArguments(name string) bool {
	switch setting.Normal(name) {
	case "extendedarguments", "extraargs", "extraarguments", "extraargsarray":
		return true
	}
	return programs.OfArguments(name) != nil
}

// holdsFlags tells whether a field holds flags: it is so called, and a text in it that does not begin with a flag is one of a program that
// is known.
func holdsFlags(f tree.Field) bool {
	return isArguments(f.Name) && (f.Value.Kind != yaml.ScalarNode || programs.OfArguments(f.Name) != nil || shell.IsFlag(f.Value.Value))
}

// maxUnknown words of one command that stand for flags are named.
const maxUnknown = 4

var (
	// moreFlags is a word of a command line that by its name stands for flags: a variable whose value is not known.
	moreFlags = regexp.MustCompile(`(?i)^\$[({]?\w*(?:args|argument|opts|option|flag|extra|param)\w*(?:\[[@*]\])?[)}]?$`)
	// replaced is a word that a shell, Kubernetes, Helm or cmd puts something else in place of.
	replaced = regexp.MustCompile("(?s)^(?:\\$[\\w@*]+|\\$\\{(?:[^{}]|\\{[^{}]*\\})*\\}|\\$\\((?:[^()]|\\([^()]*\\))*\\)|`[^`]*`|\\{\\{.*\\}\\}|%\\w+%)+$")
)

// unknownFlags adds a note for each word of the command that may stand for flags, such as $EXTRA_ARGS or xargs; their names and values are not in
// the file. That they set no timings becomes a condition of a safe verdict (c.provided). Where all timings are given, only what follows the first of
// these counts, since programs take the last of several flags of one name. Where they are not, so does all that may have set variables. A script
// with the line ends of Windows is a problem: a shell takes a carriage return for text.
func (w *walker) unknownFlags(c *candidate, run shell.Command) {
	if run.Carriage {
		w.problem(c.pos, "the script has carriage returns (CR), as line ends of Windows have them; a shell takes these for text, so want line feeds alone")
		c.failed = true
	}
	first := 0
	if c.setsAll() {
		first = max(0, slices.IndexFunc(run.Words, isTiming))
	} else {
		c.provide(run.Doubts...)
	}
	var all []string
	for i, it := range run.Words {
		what := phrase.Clip(phrase.OneLine(it.Text))
		appends := path.Base(it.Text) == "xargs"
		if !appends && (i < first || !mayBeFlags(run.Words, i)) || slices.Contains(all, what) || len(all) == maxUnknown {
			continue
		}
		all = append(all, what)
		c.provide(what + " sets no timings")
		w.note(c.pos.at(it.Line), Unread, what+" stands for flags that are not known here; if they set timings, the verdict is about something else")
	}
}

// isTiming tells whether a word is a flag that gives a timing.
func isTiming(it shell.Word) bool {
	name, _, _ := strings.Cut(it.Text, "=")
	s := setting.Of(strings.TrimLeft(name, "-"))
	return shell.IsFlag(name) && (s.Key != setting.None && s.Key <= setting.RetryPeriod || s.Key == setting.ElectionTTL)
}

// mayBeFlags tells whether the word i is one that something else is put in place of, and that may be flags. The value of a flag before
// it is none unless its name says so; after a flag that takes none it is.
func mayBeFlags(words []shell.Word, i int) bool {
	if moreFlags.MatchString(words[i].Text) {
		return true
	}
	if i == 0 || !replaced.MatchString(words[i].Text) {
		return false
	}
	before := words[i-1].Text
	s := setting.Of(strings.TrimLeft(before, "-"))
	return !shell.IsFlag(before) || strings.Contains(before, "=") || s.Key == setting.Enable || s.Key == setting.Disable || s.Key == setting.ReleaseOnCancel
}
