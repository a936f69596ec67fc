package scenarios

import (
	"regexp"

	"interregnum/internal/phrase"
)

// kind is the type of a value in a file.
type kind uint8

const (
	textKind kind = iota
	numberKind
	boolKind
	nullKind
	listKind
	mapKind
)

// node is a value of a YAML or JSON file.
type node struct {
	kind kind
	line int
	// text is the content of a scalar, without quotes.
	text   string
	items  []*node
	fields []field
}

// field is a member of a mapping.
type field struct {
	name  string
	line  int
	value *node
}

// get returns the field of that name, nil if there is none.
func (n *node) get(name string) *field {
	if n == nil {
		return nil
	}
	for i := range n.fields {
		if n.fields[i].name == name {
			return &n.fields[i]
		}
	}
	return nil
}

var numberForm = regexp.MustCompile(
	`^[-+]?((\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+|\.(inf|Inf|INF))$|` +
		`^\.(nan|NaN|NAN)$`)

// plainKind returns the kind of a scalar without quotes, by the core schema of YAML 1.2.
func plainKind(s string) kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nullKind
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolKind
	}
	if c := s[0]; (c == '.' || c == '-' || c == '+' || c >= '0' && c <= '9') && numberForm.MatchString(s) {
		return numberKind
	}
	return textKind
}

// String returns the value as messages show it.
func (n *node) String() string {
	switch n.kind {
	case textKind:
		return phrase.Quote(n.text)
	case nullKind:
		return "nothing"
	case listKind:
		return "a list"
	case mapKind:
		return "a mapping"
	}
	return phrase.Clip(n.text)
}
