package shell

import (
	"slices"
	"strconv"
	"strings"

	"interregnum/internal/phrase"

	"mvdan.cc/sh/v3/syntax"
)

var (
	// printers run nothing of what their words say.
	printers = strings.Fields("echo printf : true [ test")
	// setters are the commands of a shell that give values to variables which their words name.
	setters = strings.Fields("read mapfile readarray getopts let wait trap alias export readonly local declare typeset nameref unset")
	// listed are those of setters that take nothing but options and names.
	listed = strings.Fields("read mapfile readarray getopts unset")
	// doubters are the commands of a shell that may do anything to any variable.
	doubters = strings.Fields(". source eval enable fc emulate autoload zmodload")
	// special are the commands of a shell before which an assignment may stay.
	special = strings.Fields(": . eval exec export readonly set shift trap unset times break continue exit return")
)

// call runs a simple command: it assigns, or it changes the shell's variables as the shell's own commands do, or it starts a program.
func (s *script) call(c *syntax.CallExpr) {
	x := s.expander(false)
	words := x.words(c.Args)
	own := s
	if len(words) > 0 && len(c.Assigns) > 0 && s.functions[words[0].Text] == nil {
		own = s.copied()
	}
	for _, a := range c.Assigns {
		own.assign(a, len(words) > 0)
	}
	for len(words) > 1 && slices.Contains([]string{"command", "builtin"}, words[0].Text) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	s.simple(words, own, x, s.source(c))
	for _, a := range c.Assigns {
		if own == s || slices.Contains(special, words[0].Text) {
			s.lose(a.Name.Value) // some shells keep it
		}
	}
}

// simple runs the command that words are; x has expanded them from source, and own has the variables that a program gets.
func (s *script) simple(words []Word, own *script, x *expander, source string) {
	name := words[0].Text
	bodies := s.functions[name]
	unknown := strings.ContainsAny(name[:1], "$`") && !strings.Contains(name, "/")
	switch {
	case bodies != nil && s.calls < maxCalls:
		s.function(name, bodies, words)
	case name == "unset" && x.known:
		for _, it := range words[1:] {
			s.set(it.Text, Variable{Known: true})
		}
	case !x.known && slices.Contains(listed, name):
		s.lose(source)
		s.doubt(name)
	case slices.Contains(setters, name), name == "printf" && len(words) > 1 && words[1].Text == "-v":
		s.lose(source + " REPLY MAPFILE OPTARG")
	case name == "shift":
		s.shift(words[1:], x.known)
	case name == "set":
		s.options(words[1:], x.known)
	case bodies != nil, unknown, slices.Contains(doubters, name):
		s.start(words, own, x.provided)
		s.lose(source)
		s.doubt(strings.Join(Texts(words[:min(2, len(words))]), " "))
	default:
		s.start(words, own, x.provided)
		s.ended = s.ended || name == "exit" || name == "return" || name == "exec" && len(words) > 1
	}
}

// start adds the commands that the words of one run. own has the variables that it is given.
func (s *script) start(words []Word, own *script, provided []string) {
	if s.quiet || !s.spend(2*len(own.variables)) {
		return
	}
	for _, run := range own.variables.passed().shell(words, s.depth+1).commands {
		if len(run.Words) == 0 || slices.Contains(printers, run.Words[0].Text) {
			continue
		}
		run.OneCase = run.OneCase || s.oneCase
		run.Provided, run.Doubts = union(provided, run.Provided), union(s.doubts, run.Doubts)
		s.out.commands = append(s.out.commands, run)
	}
}

// function runs a function of the script with arguments, the words after the first.
func (s *script) function(name string, bodies []*syntax.Stmt, words []Word) {
	s.called[name] = true
	arguments, locals := s.variables["@"], s.locals
	s.locals = Variables{}
	s.variables["@"] = Variable{words: Texts(words[1:]), Known: true, list: true}
	s.calls++
	s.any(bodies)
	s.calls--
	for name, v := range s.locals {
		s.set(name, v)
	}
	s.locals = locals
	s.variables["@"] = arguments
}

// shift drops as many of the script's arguments as words say, 1 where there are none.
func (s *script) shift(words []Word, known bool) {
	n, err := 1, error(nil)
	if len(words) > 0 {
		n, err = strconv.Atoi(words[0].Text)
	}
	v := s.variables["@"]
	v.Known = v.Known && known && err == nil && n >= 0 && n <= len(v.words)
	if v.Known {
		v.words = v.words[n:]
	}
	s.set("@", v)
}

// options carries out the shell's set: words are its options, and perhaps the script's arguments from then on.
func (s *script) options(words []Word, known bool) {
	for i, it := range words {
		switch option := strings.ContainsAny(it.Text[:1], "-+"); {
		case it.Text == "--":
			s.set("@", Variable{words: Texts(words[i+1:]), Known: known, list: true})
			return
		case !option && (i == 0 || !strings.HasSuffix(words[i-1].Text, "o")), strings.Contains(it.Text, "$"):
			s.set("@", Variable{list: true})
		case option && strings.Contains(it.Text, "a"), it.Text == "allexport":
			s.exportAll = words[max(0, i-1)].Text != "+o" && it.Text[0] != '+'
		}
	}
}

// inCondition returns a text as it stands in a condition.
func inCondition(text string) string { return phrase.Clip(phrase.OneLine(text)) }
