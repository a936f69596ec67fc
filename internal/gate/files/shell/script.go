package shell

import (
	"maps"
	"slices"
	"strings"

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

// script runs a shell's script without its commands, so that it knows what they are given. It knows a variable's value only if it is the same
// whichever way the script takes; all else that a shell can do to a variable makes it unknown, or a condition.
type script struct {
	*reading
	variables Variables
	// doubts are the conditions that what was run so far sets for all that follows.
	doubts []string
	// exportAll: set -a. ended: nothing follows. oneCase: in a branch of an if or a case.
	exportAll, ended, oneCase bool
}

// reading is what all parts of a script have in common.
type reading struct {
	it    Word
	depth int
	out   commandLine
	// functions are the bodies that functions may have, in each way that the script may take.
	functions map[string][]*syntax.Stmt
	called    map[string]bool
	calls     int
	// locals has the variables that the function in hand has for itself, as they are outside; nil outside of functions.
	locals Variables
	// touched has the names of variables that were given a value. quiet: only these are wanted.
	touched map[string]bool
	quiet   bool
	steps   int
}

// script returns the commands that a shell script runs, without those that only print. Arguments are the words after the script, of which the first
// is $0 and the others are $@; where all has an "@", the arguments are not known. If the script is too long or cannot be parsed, script returns the
// words at white space as one command, under a condition. depth is how many shells are around it.
func (all Variables) script(it Word, arguments []Word, depth int) commandLine {
	whole := Command{Words: append(Fields(it), arguments...), Changed: all.changed()}
	whole.Provided = []string{"its script is read rightly, which is too long or not of a known syntax"}
	if len(it.Text) > maxScript {
		return commandLine{commands: []Command{whole}}
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(it.Text), "")
	if err != nil {
		// Only the words that no quotes or operators touch can be made out.
		return commandLine{commands: []Command{whole}}
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
			s.set("@", Variable{list: true})
			s.any(s.functions[name])
		}
	}
	if s.steps > maxSteps {
		return commandLine{commands: []Command{whole}}
	}
	if !positional.MatchString(it.Text) {
		s.out.unused = arguments
	}
	for i := range s.out.commands {
		s.out.commands[i].Carriage = strings.Contains(it.Text, "\r")
	}
	return s.out
}

// arguments sets $0 to the first word, and $@ to the others.
func (s *script) arguments(words []Word) {
	all := Texts(words)
	if len(all) > 0 {
		s.variables["0"] = Variable{words: all[:1], Known: true}
	}
	s.set("@", Variable{words: all[min(1, len(all)):], Known: true, list: true})
}

// spend counts n steps, and tells whether there are any left.
func (s *script) spend(n int) bool {
	s.steps += n
	return s.steps <= maxSteps
}

// copied returns a copy, in which something may be run without a change to s.
func (s *script) copied() *script {
	other := *s
	other.variables = Variables{}
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
			s.variables[name] = either(name, a, true, Variable{}, false)
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
