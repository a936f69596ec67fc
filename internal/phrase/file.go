package phrase

import (
	"fmt"
	"strings"
)

// InFile returns FILE:LINE: PATH: PROBLEM in one line, without LINE if that is 0, and without PATH if that is "".
func InFile(file string, line int, path, problem string) string {
	var b strings.Builder
	b.WriteString(OneLine(file))
	if line > 0 {
		fmt.Fprintf(&b, ":%d", line)
	}
	if path != "" {
		b.WriteString(": " + OneLine(path))
	}
	b.WriteString(": " + OneLine(problem))
	return b.String()
}
