package words

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width returns how many columns of a terminal a text takes: 2 for a wide character, 0 for a mark that joins the one before.
func Width(s string) int { return uniseg.StringWidth(s) }

// Shorten cuts the middle out of a text that is wider than limit columns. It keeps more of the end, where names that
// programs make differ.
func Shorten(id string, limit int) string {
	if Width(id) <= limit {
		return id
	}
	characters := charactersOf(id)
	head := (limit - 1) / 3
	return firstFitting(characters, head) + "…" + lastFitting(characters, limit-1-head)
}

// charactersOf splits a text into characters as people see them: each with the marks that join it.
func charactersOf(s string) []string {
	var all []string
	for g := uniseg.NewGraphemes(s); g.Next(); {
		all = append(all, g.Str())
	}
	return all
}

// firstFitting joins as many of the first characters as fit into width columns.
func firstFitting(characters []string, width int) string {
	n, taken := 0, 0
	for ; n < len(characters) && taken+Width(characters[n]) <= width; n++ {
		taken += Width(characters[n])
	}
	return strings.Join(characters[:n], "")
}

// lastFitting joins as many of the last characters as fit into width columns.
func lastFitting(characters []string, width int) string {
	n, taken := len(characters), 0
	for ; n > 0 && taken+Width(characters[n-1]) <= width; n-- {
		taken += Width(characters[n-1])
	}
	return strings.Join(characters[n:], "")
}
