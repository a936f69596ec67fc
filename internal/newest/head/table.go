package main

import (
	"fmt"
	"strings"

	"interregnum/internal/newest"
)

// table is what head prints: the outcomes of the parity tests, and what has changed in each part.
type table struct {
	version string
	// parity has one outcome for each version that could not be run, and then one for each suite on the version that was.
	parity  []outcome
	changes []change
}

// outcome is what parity tests say: of names them and the version.
type outcome struct{ of, said string }

// String formats the table in Markdown.
func (t *table) String() string {
	var b strings.Builder
	row := func(what, says string) { fmt.Fprintf(&b, "| %s | %s |\n", what, says) }
	row(library, t.version)
	row("---", "---")
	row("the profile client-go describes", newest.Version)
	for _, o := range t.parity {
		row(o.of, strings.ReplaceAll(o.said, "|", `\|`))
	}
	for i := range t.changes {
		c := &t.changes[i]
		row(c.path, c.words())
		for _, name := range c.added {
			row("exports, new", "`"+name+"`")
		}
		for _, name := range c.gone {
			row("exports no more", "`"+name+"`")
		}
		for _, file := range c.files {
			row("file", file)
		}
	}
	return b.String()
}

// words returns, in one line, how much of the package differs.
func (c *change) words() string {
	if len(c.added)+len(c.gone)+len(c.files) == 0 {
		return fmt.Sprintf("the same (exported names: %d; files: %d)", c.names, c.same)
	}
	return fmt.Sprintf("exported names: %d new, %d gone, %d the same; files: %d differ, %d the same",
		len(c.added), len(c.gone), c.names, len(c.files), c.same)
}
