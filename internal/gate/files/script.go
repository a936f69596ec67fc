package files

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"interregnum/internal/phrase"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxScript is the length of the longest script that is parsed; a parser of expressions may need much stack.
	maxScript = 64 << 10
	// maxCalls is how many functions of a script may call one another.
	maxCalls = 16
	// maxSteps bounds the time that a script takes: it is how many commands, copies of variables and bytes of words it may need.
	maxSteps = 512 << 10
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

// script runs a shell's script without its commands, so that it knows what they are given. It knows a variable's value only if it is the same
// whichever way the script takes; all else that a shell can do to a variable makes it unknown, or a condition.
type script struct {
	*reading
	variables shellVars
	// doubts are the conditions that what was run so far sets for all that follows.
	doubts []string
	// exportAll: set -a. ended: nothing follows. oneCase: in a branch of an if or a case.
	exportAll, ended, oneCase bool
}

// reading is what all parts of a script have in common.
type reading struct {
	it    word
	depth int
	out   commandLine
	// functions are the bodies that functions may have, in each way that the script may take.
	functions map[string][]*syntax.Stmt
	called    map[string]bool
	calls     int
	// locals has the variables that the function in hand has for itself, as they are outside; nil outside of functions.
	locals shellVars
	// touched has the names of variables that were given a value. quiet: only these are wanted.
	touched map[string]bool
	quiet   bool
	steps   int
}

// script returns the commands that a shell script runs, without those that only print. Arguments are the words after the script, of which the
// first is $0 and the others are $@; where all has an "@", the arguments are not known. If the script is too long or cannot be parsed, script returns the words at
// white space as one command, under a condition. depth is how many shells are around it.
func (all shellVars) script(it word, arguments []word, depth int) commandLine {
	whole := invocation{words: append(fieldsOf(it), arguments...), changed: all.changed()}
	whole.provided = []string{"its script is read rightly, which is too long or not of a known syntax"}
	if len(it.text) > maxScript {
		return commandLine{commands: []invocation{whole}}
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(it.text), "")
	if err != nil {
		// Only the words that no quotes or operators touch can be made out.
		return commandLine{commands: []invocation{whole}}
	}
	s := &script{reading: &reading{it: it, depth: depth, functions: map[string][]*syntax.Stmt{}, called: map[string]bool{}, touched: map[string]bool{}}}
	s.out.parsed = true
	s.variables = maps.Clone(all)
	if _, unknown := all["@"]; !unknown {
		s.arguments(arguments)
	}
	s.run(file.Stmts)
	for _, name := range slices.Sorted(maps.Keys(s.functions)) {
		if !s.called[name] { // by anything that was read
			s.set("@", shellVar{list: true})
			s.any(s.functions[name])
		}
	}
	if s.steps > maxSteps {
		return commandLine{commands: []invocation{whole}}
	}
	if !positional.MatchString(it.text) {
		s.out.unused = arguments
	}
	for i := range s.out.commands {
		s.out.commands[i].carriage = strings.Contains(it.text, "\r")
	}
	return s.out
}

// arguments sets $0 to the first word, and $@ to the others.
func (s *script) arguments(words []word) {
	all := texts(words)
	if len(all) > 0 {
		s.variables["0"] = shellVar{words: all[:1], known: true}
	}
	s.set("@", shellVar{words: all[min(1, len(all)):], known: true, list: true})
}

// spend counts n steps, and tells whether there are any left.
func (s *script) spend(n int) bool {
	s.steps += n
	return s.steps <= maxSteps
}

// copied returns a copy, in which something may be run without a change to s.
func (s *script) copied() *script {
	other := *s
	other.variables = shellVars{}
	if s.spend(2 + 2*len(s.variables)) {
		other.variables = maps.Clone(s.variables)
	}
	return &other
}

// join makes s what is known where either s or other was run.
func (s *script) join(other *script) {
	switch {
	case other.ended:
		return
	case s.ended:
		oneCase := s.oneCase
		*s = *other
		s.oneCase = oneCase
		return
	}
	for name, b := range other.variables {
		a, hasA := s.variables[name]
		s.variables[name] = either(name, a, hasA, b, true)
	}
	for name, a := range s.variables {
		if _, hasB := other.variables[name]; !hasB {
			s.variables[name] = either(name, a, true, shellVar{}, false)
		}
	}
	s.doubts, s.exportAll = union(s.doubts, other.doubts), s.exportAll && other.exportAll
	s.spend(len(s.variables))
}

// run runs statements, one after the other.
func (s *script) run(all []*syntax.Stmt) {
	for _, one := range all {
		s.statement(one)
	}
}

// statement runs a command, and what its redirections have in them. One in the background changes nothing for the others.
func (s *script) statement(one *syntax.Stmt) {
	if !s.spend(1) {
		return
	}
	for _, r := range one.Redirs {
		if r.N != nil {
			s.lose(strings.Trim(r.N.Value, "{}"))
		}
		s.inside(r)
	}
	if one.Background || one.Coprocess || one.Disown {
		s = s.copied()
	}
	s.command(one.Cmd)
}

// inside runs what a part of a script has in it that a shell runs or assigns before it uses that part.
func (s *script) inside(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			s.copied().run(n.Stmts)
			return false
		case *syntax.ProcSubst:
			s.copied().run(n.Stmts)
			return false
		case *syntax.ArithmExp:
			s.lose(s.source(n))
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				s.lose(n.Param.Value)
			}
		}
		return true
	})
}

// command runs one command, simple or compound.
func (s *script) command(c syntax.Command) {
	outer := s.oneCase
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		s.call(c)
	case *syntax.DeclClause:
		s.declare(c)
	case *syntax.IfClause:
		s.oneCase = true
		s.choice(c)
	case *syntax.CaseClause:
		s.oneCase = true
		s.cases(c)
	case *syntax.WhileClause:
		s.loop(func(s *script) {
			s.run(c.Cond)
			s.run(c.Do)
		})
	case *syntax.ForClause:
		s.inside(c.Loop)
		s.loop(func(s *script) {
			s.lose(s.source(c.Loop))
			s.run(c.Do)
		})
	case *syntax.BinaryCmd:
		s.binary(c)
	case *syntax.Block:
		s.run(c.Stmts)
	case *syntax.Subshell:
		s.copied().run(c.Stmts)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			s.statement(c.Stmt)
		}
	case *syntax.FuncDecl:
		if c.Name != nil && !slices.Contains(s.functions[c.Name.Value], c.Body) {
			s.functions[c.Name.Value] = append(s.functions[c.Name.Value], c.Body)
		}
	case *syntax.TestClause:
		s.inside(c)
	case *syntax.ArithmCmd, *syntax.LetClause:
		s.inside(c)
		s.lose(s.source(c))
	case *syntax.CoprocClause:
		s.lose(s.source(c))
		s.copied().statement(c.Stmt)
	default:
		s.inside(c)
		s.doubt("that is not known")
	}
	s.oneCase = outer
}

// choice runs an if with all that it may run.
func (s *script) choice(c *syntax.IfClause) {
	s.run(c.Cond)
	if len(c.Cond) == 0 { // the else of another
		s.run(c.Then)
		return
	}
	then := s.copied()
	then.run(c.Then)
	if c.Else != nil {
		s.choice(c.Else)
	}
	s.join(then)
}

// cases runs a case with all that it may run.
func (s *script) cases(c *syntax.CaseClause) {
	s.inside(c.Word)
	result, through := s.copied(), false
	result.ended = slices.ContainsFunc(c.Items, isDefault) // then there is no way in which nothing runs
	for _, item := range c.Items {
		one := s.copied()
		if through {
			one.join(result)
		}
		one.run(item.Stmts)
		result.join(one)
		through = through || item.Op != syntax.Break // ;;& tries all that follow
	}
	*s = *result
}

// isDefault tells whether an item of a case is for all values.
func isDefault(item *syntax.CaseItem) bool {
	return slices.ContainsFunc(item.Patterns, func(w *syntax.Word) bool { return w.Lit() == "*" })
}

// loop runs what a loop repeats: it knows nothing of a variable that anything in the loop gives a value.
func (s *script) loop(body func(*script)) {
	outer, quiet := s.touched, s.quiet
	s.touched, s.quiet = map[string]bool{}, true
	once := s.copied()
	body(once)
	changed := s.touched
	s.touched, s.quiet = outer, quiet
	for name := range changed {
		s.set(name, shellVar{exported: s.variables[name].exported || once.variables[name].exported, list: s.variables[name].list})
	}
	s.doubted(once.doubts...)
	if quiet {
		return
	}
	once = s.copied()
	body(once)
	s.join(once)
}

// binary runs two commands with &&, || or | between them.
func (s *script) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt:
		*s = *s.and(c)
	case syntax.OrStmt:
		s.statement(c.X)
		other := s.copied()
		other.statement(c.Y)
		s.join(other)
	default:
		s.copied().statement(c.X)
		other := s.copied() // the last one is in the same shell in zsh, and in bash with lastpipe
		other.statement(c.Y)
		s.join(other)
	}
}

// and runs commands with && between them, each with what those before have set. It returns what is known after them, whichever was the last.
func (s *script) and(c *syntax.BinaryCmd) (after *script) {
	if inner, ok := c.X.Cmd.(*syntax.BinaryCmd); ok && inner.Op == syntax.AndStmt && !c.X.Negated && len(c.X.Redirs) == 0 {
		after = s.and(inner)
	} else {
		s.statement(c.X)
		after = s.copied()
	}
	s.statement(c.Y)
	after.join(s)
	return after
}

// call runs a simple command: it assigns, or it changes the shell's variables as the shell's own commands do, or it starts a program.
func (s *script) call(c *syntax.CallExpr) {
	x := s.expander(false)
	words := x.words(c.Args)
	own := s
	if len(words) > 0 && len(c.Assigns) > 0 && s.functions[words[0].text] == nil {
		own = s.copied()
	}
	for _, a := range c.Assigns {
		own.assign(a, len(words) > 0)
	}
	for len(words) > 1 && slices.Contains([]string{"command", "builtin"}, words[0].text) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	s.simple(words, own, x, s.source(c))
	for _, a := range c.Assigns {
		if own == s || slices.Contains(special, words[0].text) {
			s.lose(a.Name.Value) // some shells keep it
		}
	}
}

// simple runs the command that words are; x has expanded them from source, and own has the variables that a program gets.
func (s *script) simple(words []word, own *script, x *expander, source string) {
	name := words[0].text
	bodies := s.functions[name]
	unknown := strings.ContainsAny(name[:1], "$`") && !strings.Contains(name, "/")
	switch {
	case bodies != nil && s.calls < maxCalls:
		s.function(name, bodies, words)
	case name == "unset" && x.known:
		for _, it := range words[1:] {
			s.set(it.text, shellVar{known: true})
		}
	case !x.known && slices.Contains(listed, name):
		s.lose(source)
		s.doubt(name)
	case slices.Contains(setters, name), name == "printf" && len(words) > 1 && words[1].text == "-v":
		s.lose(source + " REPLY MAPFILE OPTARG")
	case name == "shift":
		s.shift(words[1:], x.known)
	case name == "set":
		s.options(words[1:], x.known)
	case bodies != nil, unknown, slices.Contains(doubters, name):
		s.start(words, own, x.provided)
		s.lose(source)
		s.doubt(strings.Join(texts(words[:min(2, len(words))]), " "))
	default:
		s.start(words, own, x.provided)
		s.ended = s.ended || name == "exit" || name == "return" || name == "exec" && len(words) > 1
	}
}

// start adds the commands that the words of one run. own has the variables that it is given.
func (s *script) start(words []word, own *script, provided []string) {
	if s.quiet || !s.spend(2*len(own.variables)) {
		return
	}
	for _, run := range own.variables.passed().shell(words, s.depth+1).commands {
		if len(run.words) == 0 || slices.Contains(printers, run.words[0].text) {
			continue
		}
		run.oneCase = run.oneCase || s.oneCase
		run.provided, run.doubts = union(provided, run.provided), union(s.doubts, run.doubts)
		s.out.commands = append(s.out.commands, run)
	}
}

// function runs a function of the script with arguments, the words after the first.
func (s *script) function(name string, bodies []*syntax.Stmt, words []word) {
	s.called[name] = true
	arguments, locals := s.variables["@"], s.locals
	s.locals = shellVars{}
	s.variables["@"] = shellVar{words: texts(words[1:]), known: true, list: true}
	s.calls++
	s.any(bodies)
	s.calls--
	for name, v := range s.locals {
		s.set(name, v)
	}
	s.locals = locals
	s.variables["@"] = arguments
}

// any runs one of the statements; nothing tells which.
func (s *script) any(all []*syntax.Stmt) {
	result := s.copied()
	result.ended = true // there is none
	for _, one := range all {
		other := s.copied()
		other.statement(one)
		other.ended = false // as after a return
		result.join(other)
	}
	*s = *result
}

// shift drops as many of the script's arguments as words say, 1 where there are none.
func (s *script) shift(words []word, known bool) {
	n, err := 1, error(nil)
	if len(words) > 0 {
		n, err = strconv.Atoi(words[0].text)
	}
	v := s.variables["@"]
	v.known = v.known && known && err == nil && n >= 0 && n <= len(v.words)
	if v.known {
		v.words = v.words[n:]
	}
	s.set("@", v)
}

// options carries out the shell's set: words are its options, and perhaps the script's arguments from then on.
func (s *script) options(words []word, known bool) {
	for i, it := range words {
		switch option := strings.ContainsAny(it.text[:1], "-+"); {
		case it.text == "--":
			s.set("@", shellVar{words: texts(words[i+1:]), known: known, list: true})
			return
		case !option && (i == 0 || !strings.HasSuffix(words[i-1].text, "o")), strings.Contains(it.text, "$"):
			s.set("@", shellVar{list: true})
		case option && strings.Contains(it.text, "a"), it.text == "allexport":
			s.exportAll = words[max(0, i-1)].text != "+o" && it.text[0] != '+'
		}
	}
}

// clipped returns a text that stands in a condition.
func clipped(text string) string { return phrase.Clip(phrase.OneLine(text)) }
