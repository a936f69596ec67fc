package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxValue is the length of the longest value that a script's variable is known to have.
const maxValue = 8 << 10

// apart stands where a shell splits a word.
const apart = "\x00"

// expander replaces the variables in words of one command or assignment. known turns false where it meets what only the shell can compute, which stays
// as it is written, and provided has the conditions of the values that it has put in. An assigned value is not split.
type expander struct {
	*script
	assigned, known bool
	provided        []string
}

// expander returns one that has met nothing yet.
func (s *script) expander(assigned bool) *expander {
	return &expander{script: s, assigned: assigned, known: true}
}

// words returns the words that a shell makes of words, without empty ones.
func (x *expander) words(all []*syntax.Word) (words []Word) {
	for _, one := range all {
		line := x.line(one)
		for text := range strings.SplitSeq(x.text(one.Parts, false), apart) {
			if text != "" {
				words = append(words, Word{Text: text, Line: line})
			}
		}
	}
	return words
}

// text returns a word, given in parts, without its quotes and with known variables replaced; apart stands where the shell splits it: at
// white space in what comes from a variable outside quotes, and between the items of a list.
func (x *expander) text(parts []syntax.WordPart, quoted bool) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(x.text(p.Parts, true))
		case *syntax.ParamExp:
			text, known := x.parameter(p, quoted)
			if !known {
				x.known, text = false, x.source(p)
			}
			b.WriteString(text)
		default:
			x.known = false
			x.inside(p)
			b.WriteString(x.source(p))
		}
	}
	x.spend(b.Len())
	return b.String()
}

// parameter returns what the shell puts in place of p; known is false if only the shell can tell.
func (x *expander) parameter(p *syntax.ParamExp, quoted bool) (text string, known bool) {
	if !isSimple(p) {
		x.inside(p)
		return "", false
	}
	defaults := p.Exp != nil && p.Exp.Op != syntax.ErrorUnset && p.Exp.Op != syntax.ErrorUnsetOrNull
	v, there := x.lookUp(p.Param.Value)
	star := p.Param.Value == "*"
	if index, ok := p.Index.(*syntax.Word); ok && v.list && v.Known && (index.Lit() == "@" || index.Lit() == "*") {
		star = index.Lit() == "*"
	} else if p.Index != nil || v.list && p.Param.Value != "@" && !star {
		v.Known = false
	}
	orNull := defaults && (p.Exp.Op == syntax.DefaultUnsetOrNull || p.Exp.Op == syntax.AssignUnsetOrNull)
	if defaults && (!there || v.Known && (v.words == nil || orNull && v.Text() == "")) {
		return x.byDefault(p, there, quoted), true
	}
	if !there || !v.Known {
		return "", false
	}
	x.provided = append(x.provided, v.Provided...)
	return x.joined(v, quoted, star)
}

// isSimple tells whether p stands for the value of its variable, or for a default where it has none.
func isSimple(p *syntax.ParamExp) bool {
	changes := p.Exp != nil && (p.Exp.Op < syntax.DefaultUnset || p.Exp.Op > syntax.AssignUnsetOrNull)
	return p.Param != nil && !changes && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Flags == nil && p.NestedParam == nil &&
		p.Split == syntax.OptUnset && p.GlobSubst == syntax.OptUnset && p.RcExpand == syntax.OptUnset &&
		p.Modifiers == nil && p.Slice == nil && p.Repl == nil && p.Names == 0
}

// byDefault returns the text after :- or the like in p. there tells that the variable is known to have no value; where it is not, that is a condition.
func (x *expander) byDefault(p *syntax.ParamExp, there, quoted bool) string {
	if !there {
		x.provided = append(x.provided, p.Param.Value+" is not set")
	}
	if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
		x.lose(p.Param.Value)
	}
	if p.Exp.Word == nil {
		return ""
	}
	return x.text(p.Exp.Word.Parts, quoted)
}

// lookUp returns what is known of a variable or an argument of the script; there is false if nothing is.
func (s *script) lookUp(name string) (v Variable, there bool) {
	n, err := strconv.Atoi(name)
	switch {
	case name == "*":
		name = "@"
	case err == nil && n > 0:
		v = s.variables["@"]
		if v.list = false; n <= len(v.words) {
			v.words = v.words[n-1 : n]
		} else {
			v.words = nil
		}
		return v, true
	}
	v, there = s.variables[name]
	return v, there
}

// joined returns the words of v as the shell puts them into a word; known is false if it may join or split them at something else than white space.
func (x *expander) joined(v Variable, quoted, star bool) (text string, known bool) {
	between := apart
	if x.assigned || quoted && star {
		between = " "
	}
	text = strings.Join(v.words, between)
	ifs, set := x.variables["IFS"]
	switch {
	case set && between == " " && len(v.words) > 1:
		return "", false
	case x.assigned || quoted:
		return text, true
	case set && (!ifs.Known || strings.ContainsAny(text, ifs.Text()+" \t\n"+apart)):
		return "", false
	}
	return strings.NewReplacer(" ", apart, "\t", apart, "\n", apart).Replace(text), true
}

// source returns a part of the script as it is written.
func (s *script) source(n syntax.Node) string {
	return s.it.Text[n.Pos().Offset():n.End().Offset()]
}

// line returns the line of a part of the script in the file.
func (s *script) line(n syntax.Node) int {
	if s.it.Literal {
		return s.it.Line + int(n.Pos().Line())
	}
	return s.it.Line
}
