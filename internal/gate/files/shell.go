package files

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxScript is the length of the longest script that is parsed; a parser of expressions may need much stack.
const maxScript = 64 << 10

var shells = []string{"sh", "bash", "ash", "dash"}

// shell returns the words of a command line; if it is sh -c or alike, with its script replaced by the words of the
// script's commands.
func (e environment) shell(words []word) []word {
	for i, it := range words {
		if !slices.Contains(shells, path.Base(it.text)) {
			continue
		}
		for j := i + 1; j < len(words) && strings.HasPrefix(words[j].text, "-"); j++ {
			if strings.HasSuffix(words[j].text, "c") && j+1 < len(words) {
				return slices.Concat(e.script(words[j+1]), words[j+2:])
			}
		}
	}
	return words
}

// telling are letters of which each name of a setting has some: of leader and lease, election, renewal, and retry.
var telling = []string{"lea", "elect", "renew", "retr"}

// script returns the words of all commands of a shell script; none where the script can name no setting.
func (e environment) script(it word) []word {
	text := normal(it.text)
	if !slices.ContainsFunc(telling, func(some string) bool { return strings.Contains(text, some) }) {
		return nil
	}
	if len(it.text) > maxScript {
		return fieldsOf(it)
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(it.text), "")
	if err != nil {
		// Only the words that no quotes or operators touch can be made out.
		return fieldsOf(it)
	}
	var words []word
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			for _, arg := range call.Args {
				words = append(words, word{e.word(it.text, arg.Parts), it.line})
			}
		}
		return true
	})
	return words
}

// fieldsOf returns a word split at white space, each part on the line of the whole.
func fieldsOf(it word) []word {
	var words []word
	for s := range strings.FieldsSeq(it.text) {
		words = append(words, word{s, it.line})
	}
	return words
}

// word returns a shell word, given in parts, without its quotes and with known variables replaced. What only the shell
// can tell stays as it is written in the script.
func (e environment) word(script string, parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(e.word(script, p.Parts))
		default:
			text := script[p.Pos().Offset():p.End().Offset()]
			name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "$"), "{"), "}")
			if value, known := e[name]; known {
				text = value
			}
			b.WriteString(text)
		}
	}
	return b.String()
}
