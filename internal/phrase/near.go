package phrase

import "strings"

// DidYouMean returns the end of a message about a name that is none of names: "; did you mean X?" with the nearest one; "" if none is
// close.
func DidYouMean(misspelt string, names []string) string {
	if near := Nearest(misspelt, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// List returns names, separated by commas, and after them what DidYouMean returns.
func List(names []string, misspelt string) string {
	return strings.Join(names, ", ") + DidYouMean(misspelt, names)
}

// Nearest returns the name that differs the least from a misspelt one, whatever the case of letters. It is "" if none is close,
// or if the misspelt one is longer than 40 bytes.
func Nearest(misspelt string, names []string) string {
	if len(misspelt) > 40 {
		return ""
	}
	best, least := "", 1+min(3, (len(misspelt)+1)/3)
	for _, name := range names {
		if n := Distance(strings.ToLower(misspelt), strings.ToLower(name)); n < least {
			best, least = name, n
		}
	}
	return best
}

// Distance counts the bytes to insert, delete or replace, and the neighbours to swap, that turn a into b
// (optimal string alignment).
func Distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
