package scenarios

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// The YAML parser recurses for each level of nesting and each field of a mapping, copies all tokens for each
// value left out, and keeps the path of each node. The limits keep that in proportion; what a scenario may
// hold is far within them.
const (
	maxFields    = 100
	maxMissing   = 100
	maxPathBytes = 512 << 20
)

var tooDeep = fmt.Sprintf("nested more than %d levels deep; a scenario needs four", maxDepth)

// guardTokens refuses tokens that the parser could not handle in linear time and a small stack, and YAML that
// no scenario needs.
func guardTokens(tokens token.Tokens) *FileError {
	g := tokenGuard{tokens: tokens}
	longest, deepest := 0, 0
	for i, t := range tokens {
		g.token(i, t)
		if g.err != nil {
			return g.err
		}
		deepest = max(deepest, len(g.flow)+len(g.block))
		if deepest > maxDepth {
			return &FileError{Line: t.Position.Line, Problem: tooDeep}
		}
		if t.Type == token.MappingValueType {
			longest = max(longest, len(tokens[i-1].Value))
		}
	}
	if longest*deepest*len(tokens) > maxPathBytes {
		return &FileError{Line: 1, Problem: "the names of fields are too long for so large a file"}
	}
	return nil
}

// tokenGuard follows the structure roughly: the parser finds what it does not.
type tokenGuard struct {
	tokens token.Tokens
	// flow are the open brackets, block the columns of open block collections.
	flow    []bracket
	block   []column
	missing int
	err     *FileError
}

type bracket struct {
	mapping bool
	// colon says that the member in hand has its name.
	colon bool
}

type column struct{ at, fields int }

func (g *tokenGuard) fail(t *token.Token, problem string) {
	if g.err == nil {
		g.err = &FileError{Line: t.Position.Line, Problem: problem}
	}
}

// kind returns the type of token i, UnknownType where there is no such token.
func (g *tokenGuard) kind(i int) token.Type {
	if i < 0 || i >= len(g.tokens) {
		return token.UnknownType
	}
	return g.tokens[i].Type
}

// token takes in token i: it refuses what no scenario needs, follows the nesting, and counts values that are left out.
func (g *tokenGuard) token(i int, t *token.Token) {
	switch t.Type {
	case token.TagType:
		g.fail(t, "tags such as !!str have no place in a scenario")
	case token.DirectiveType:
		g.fail(t, "directives such as %YAML have no place in a scenario")
	case token.MappingKeyType:
		g.fail(t, "? for the name of a field has no place in a scenario; write name: value")
	case token.MergeKeyType:
		g.fail(t, "the merge key << has no place in a scenario; use defaults, or an alias for a whole value")
	case token.DocumentHeaderType:
		if i > 0 {
			g.fail(t, secondDocument)
		}
	case token.DocumentEndType:
		if i < len(g.tokens)-1 {
			g.fail(g.tokens[i+1], secondDocument)
		}
	case token.AnchorType:
		if g.kind(i+2) == token.AnchorType {
			g.fail(t, "two anchors for one value")
		}
	case token.MappingStartType, token.SequenceStartType:
		g.flow = append(g.flow, bracket{mapping: t.Type == token.MappingStartType})
	case token.MappingEndType, token.SequenceEndType, token.CollectEntryType:
		g.delimiter(i, t)
	case token.SequenceEntryType:
		if len(g.flow) == 0 {
			g.enter(t)
		}
		g.valueOf(t, i+1, false)
	case token.MappingValueType:
		g.colon(i, t)
	}
}

// delimiter takes in a comma or a closing bracket, which ends a member of a bracket, and perhaps the bracket.
func (g *tokenGuard) delimiter(i int, t *token.Token) {
	if len(g.flow) == 0 {
		return
	}
	top := &g.flow[len(g.flow)-1]
	if top.mapping && !top.colon && g.kind(i-1) != token.MappingStartType {
		g.lacks(t)
	}
	top.colon = false
	if t.Type != token.CollectEntryType {
		g.flow = g.flow[:len(g.flow)-1]
	}
}

// enter closes the block collections that are deeper than a token's column, and returns the one in that column, opened if need be.
func (g *tokenGuard) enter(t *token.Token) *column {
	at := t.Position.Column
	for len(g.block) > 0 && g.block[len(g.block)-1].at > at {
		g.block = g.block[:len(g.block)-1]
	}
	if len(g.block) == 0 || g.block[len(g.block)-1].at < at {
		g.block = append(g.block, column{at: at})
	}
	return &g.block[len(g.block)-1]
}

// colon takes in token i, the colon after a field's name. It refuses a field that cannot stand there, and too many in one mapping.
func (g *tokenGuard) colon(i int, t *token.Token) {
	if i == 0 {
		g.fail(t, "a colon with no name of a field before it")
		return
	}
	name := g.tokens[i-1]
	if g.kind(i-2) == token.AliasType {
		g.fail(t, "an alias cannot be the name of a field")
		return
	}
	if len(g.flow) == 0 {
		c := g.enter(name)
		if c.fields++; c.fields > maxFields {
			g.fail(t, fmt.Sprintf("more than %d fields in one mapping; no scenario has so many", maxFields))
		}
		g.valueOf(name, i+1, true)
		return
	}
	top := &g.flow[len(g.flow)-1]
	before := g.kind(i - 2)
	if !top.mapping || before != token.MappingStartType && before != token.CollectEntryType {
		g.fail(t, "a field within brackets must stand in {} and after a comma")
	}
	top.colon = true
	g.valueOf(name, i+1, true)
}

// valueOf counts a value as left out where token i does not begin it. The value is that of a field, or of an entry that a dash begins.
func (g *tokenGuard) valueOf(of *token.Token, i int, isField bool) {
	switch g.kind(i) {
	case token.UnknownType, token.CollectEntryType, token.MappingEndType, token.SequenceEndType:
		g.lacks(of)
		return
	}
	next := g.tokens[i]
	if next.Position.Line == of.Position.Line || next.Position.Column > of.Position.Column {
		return
	}
	if isField && next.Type == token.SequenceEntryType && next.Position.Column == of.Position.Column {
		return
	}
	g.lacks(of)
}

// lacks counts a value that is left out, and refuses more than maxMissing.
func (g *tokenGuard) lacks(t *token.Token) {
	if g.missing++; g.missing > maxMissing {
		g.fail(t, fmt.Sprintf("more than %d values are left out", maxMissing))
	}
}
