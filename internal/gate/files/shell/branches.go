package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

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
		s.set(name, Variable{Exported: s.variables[name].Exported || once.variables[name].Exported, list: s.variables[name].list})
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
