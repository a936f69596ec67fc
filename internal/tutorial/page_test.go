// Package tutorial_test does what the tutorials in docs tell their readers to do, in the order of the page, and compares
// what is printed with what the page shows.
//
// The fenced blocks of a page are its program:
//
//	```sh               commands, run by bash -eo pipefail; directory and exported variables carry over to the next block
//	```sh exit=1        the same, where that is the exit code
//	```text             all that the commands in the block before print; … stands for the rest of a line or, alone, for lines
//	```go dir/main.go   a file, as it stands; of any language
//	```diff dir/main.go a change of that file: the lines with ' ' and '-' are there once, and become those with ' ' and '+'
//
// There are no others, so that nothing on a page goes untried.
package tutorial_test

import (
	"fmt"
	"regexp"
	"strings"
)

// block is a fenced block; line is that of its opening fence.
type block struct {
	line                 int
	language, info, text string
}

var fence = regexp.MustCompile("(?ms)^```(\\w*) ?([^\n]*)\n(.*?)^```$")

// blocks reads a page. A block that nothing could try is an error.
func blocks(page string) ([]block, error) {
	var all []block
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		b := block{1 + strings.Count(page[:m[0]], "\n"), page[m[2]:m[3]], page[m[4]:m[5]], page[m[6]:m[7]]}
		switch {
		case b.language == "sh":
		case b.language == "text" && len(all) > 0 && all[len(all)-1].language == "sh":
		case b.language != "text" && b.info != "":
		default:
			return nil, fmt.Errorf("line %d: want a block of sh, its output (text) or a file with a name, found %q",
				b.line, strings.TrimSpace(b.language+" "+b.info))
		}
		all = append(all, b)
	}
	return all, nil
}

// shows tells whether a page with this output shows what was printed. The error has the first line that it does not
// show.
func shows(page, printed string) error {
	var pattern strings.Builder
	pattern.WriteString("^")
	lines := strings.SplitAfter(page, "\n")
	for i, line := range lines {
		before := pattern.String()
		switch {
		case line == "…\n":
			pattern.WriteString(`(?:[^\n]*\n)*?`)
		default:
			for j, part := range strings.Split(line, "…") {
				if j > 0 {
					pattern.WriteString(`[^\n]*`)
				}
				pattern.WriteString(regexp.QuoteMeta(part))
			}
		}
		if i == len(lines)-1 {
			pattern.WriteString("$")
		}
		if found, err := regexp.MatchString(pattern.String(), printed); err != nil || !found {
			rest := regexp.MustCompile(before).ReplaceAllLiteralString(printed, "")
			next, _, _ := strings.Cut(rest, "\n")
			return fmt.Errorf("line %d of the output, %q, is not there: found %q; all that was printed:\n%s",
				i+1, strings.TrimSuffix(line, "\n"), next, printed)
		}
	}
	return nil
}

// change applies a diff without positions.
func change(file, diff string) (string, error) {
	var from, to strings.Builder
	for line := range strings.Lines(diff) {
		switch text := line[1:]; line[0] {
		case ' ':
			from.WriteString(text)
			to.WriteString(text)
		case '-':
			from.WriteString(text)
		case '+':
			to.WriteString(text)
		default:
			return "", fmt.Errorf("a line of a diff begins with ' ', '-' or '+': %q", line)
		}
	}
	if n := strings.Count(file, from.String()); n != 1 {
		return "", fmt.Errorf("want these lines once, found them %d times:\n%s", n, from.String())
	}
	return strings.Replace(file, from.String(), to.String(), 1), nil
}
