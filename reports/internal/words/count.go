package words

import "fmt"

// Count formats a count with its digits in groups of three: 1,234.
func Count[T ~int | ~uint64](n T) string {
	s := fmt.Sprintf("%d", n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
