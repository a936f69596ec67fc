package shell

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/phrase"

	"mvdan.cc/sh/v3/syntax"
)

// Variable is what is known of a shell's variable. It is one of the shell alone unless it is exported, and as the container has it if it is inherited.
type Variable struct {
	// words is the value, one word unless it is a list, and nil for a variable that is not set. It means nothing unless it is known.
	words                            []string
	Known, list, Exported, inherited bool
	Line                             int
	// Provided are the conditions, in words to follow "if", under which it has this value.
	Provided []string
}

// Text returns the value as one text.
func (v Variable) Text() string { return strings.Join(v.words, " ") }

// Variables are those variables of which something is known, by name. "@" are the arguments of a script, "0" its name.
type Variables map[string]Variable

// Inherited returns the variables that a container starts its program with: those that it names, of which some have known values.
func Inherited(names []string, known map[string]string) Variables {
	all := Variables{}
	for _, name := range names {
		all[name] = Variable{Exported: true, inherited: true}
	}
	for name, value := range known {
		all[name] = Variable{words: []string{value}, Known: true, Exported: true, inherited: true}
	}
	return all
}

// passed returns the variables as a program that the shell starts finds them: those that are not exported are not set.
func (all Variables) passed() Variables {
	passed := Variables{}
	for name, v := range all {
		if !v.Exported {
			v = Variable{Known: true}
		}
		passed[name] = v
	}
	delete(passed, "@")
	delete(passed, "0")
	delete(passed, "IFS") // which no shell takes from others
	return passed
}

// changed returns the variables that are not as the container has them.
func (all Variables) changed() Variables {
	changed := maps.Clone(all)
	maps.DeleteFunc(changed, func(_ string, v Variable) bool { return v.inherited })
	return changed
}

// either returns what is known of a variable that has one of two values. If it has one of them or none, that it has that one is a condition.
func either(name string, a Variable, hasA bool, b Variable, hasB bool) Variable {
	switch {
	case !hasA:
		return either(name, b, true, a, false)
	case !hasB && a.words == nil && a.Known:
		a.Provided = append(slices.Clone(a.Provided), name+" is not set")
		return a
	case !hasB && a.Known && !a.list:
		a.Provided = append(slices.Clone(a.Provided), name+" is "+inCondition(a.Text()))
		return a
	case hasB && a.Known && b.Known && a.list == b.list && a.Exported == b.Exported && slices.Equal(a.words, b.words):
		a.inherited = a.inherited && b.inherited
		a.Provided = union(a.Provided, b.Provided)
		return a
	}
	return Variable{Exported: a.Exported || b.Exported, Line: a.Line}
}

// union returns the texts of a, and those of b that a does not have.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// set gives a variable another value.
func (s *script) set(name string, v Variable) {
	s.variables[name] = v
	s.touched[name] = true
}

// assignable matches what may be the name of a variable that is assigned.
var assignable = regexp.MustCompile(`(?:^|[^\w${])([A-Za-z_]\w*)`)

// lose makes all variables whose names are in text those of which nothing is known.
func (s *script) lose(text string) {
	for _, match := range assignable.FindAllStringSubmatch(text, -1) {
		s.set(match[1], Variable{Exported: s.variables[match[1]].Exported})
	}
	s.spend(len(text))
}

// doubt makes it a condition of all that is known of variables that a command, given in words, leaves them as they are.
func (s *script) doubt(command string) {
	s.doubted("the command " + phrase.Quote(inCondition(command)) + " of its script leaves its settings as they are")
}

// doubted makes a text a condition of all that is known of variables.
func (s *script) doubted(doubts ...string) {
	s.doubts = union(s.doubts, doubts)
	for name, v := range s.variables {
		v.Provided = union(v.Provided, doubts)
		s.variables[name] = v
	}
	s.spend(len(s.variables) * (1 + len(s.doubts)))
}

// assign carries out an assignment. exported tells that the variable becomes one of the programs that the shell starts.
func (s *script) assign(a *syntax.Assign, exported bool) {
	if a.Name == nil {
		s.doubt("export")
		return
	}
	name, x := a.Name.Value, s.expander(true)
	old, there := s.variables[name]
	v := Variable{Exported: exported || old.Exported || s.exportAll, Line: s.line(a)}
	switch {
	case a.Naked && there:
		old.Exported = v.Exported
		v = old
	case a.Naked:
		return
	default:
		v.words, v.list = x.value(a)
		v.Known, v.Provided = x.known && a.Index == nil && scalar.Given(v.Text()) == nil, x.provided
	}
	if a.Append {
		v.Known = v.Known && there && old.Known && old.list == v.list
		v.Provided = union(old.Provided, v.Provided)
		if v.list {
			v.words = slices.Concat(old.words, v.words)
		} else {
			v.words = []string{old.Text() + v.Text()}
		}
	}
	v.Known = v.Known && len(v.Text()) <= maxValue
	s.set(name, v)
}

// value returns the words that an assignment gives a variable, and whether these are a list.
func (x *expander) value(a *syntax.Assign) (words []string, list bool) {
	switch {
	case a.Array != nil:
		items := x.script.expander(false)
		for _, item := range a.Array.Elems {
			items.known = items.known && item.Index == nil
			if item.Value != nil {
				words = append(words, Texts(items.words([]*syntax.Word{item.Value}))...)
			}
		}
		x.known, x.provided = items.known, items.provided
		return words, true
	case a.Value != nil:
		return []string{x.text(a.Value.Parts, false)}, false
	}
	return []string{""}, false
}

// declare carries out export, declare, local and the like.
func (s *script) declare(d *syntax.DeclClause) {
	variant, options := d.Variant.Value, ""
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil && strings.Trim(a.Value.Lit(), "-+") != a.Value.Lit() {
			options += a.Value.Lit()
			continue
		}
		local := variant != "export" && variant != "readonly" && !strings.Contains(options, "g")
		if local && a.Name != nil && s.locals != nil {
			s.keep(a.Name.Value)
		}
		s.assign(a, variant == "export" || strings.Contains(options, "x"))
		switch {
		case a.Name == nil:
		case variant == "export" && strings.Contains(options, "n"):
			v := s.variables[a.Name.Value]
			v.Exported, v.inherited = false, false
			s.set(a.Name.Value, v)
		case strings.ContainsAny(options, "iulc+"):
			s.lose(a.Name.Value)
		case strings.Contains(options, "n") || variant == "nameref":
			s.lose(s.source(a)) // the name of another variable
			s.doubt(variant + " " + options)
		}
	}
}

// keep notes what a variable is before a function declares it as its own.
func (s *script) keep(name string) {
	if _, kept := s.locals[name]; !kept {
		s.locals[name] = s.variables[name]
	}
}
