package scenarios

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

const (
	// maxMarks bounds what a YAML file can blow up to in memory: each mark may begin a token.
	maxMarks = 1_500_000
	// maxSlow bounds, in bytes looked at, what the YAML scanner does in more than linear time.
	maxSlow = 1 << 30
	// maxBlankLines in a row cost nothing worth counting.
	maxBlankLines = 16
)

// plainText refuses data that is not UTF-8 or has control characters, and takes off a byte order mark.
func plainText(data []byte) ([]byte, *FileError) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	line := 1
	for i := 0; i < len(data); {
		b := data[i]
		switch {
		case b == '\n':
			line++
		case b == '\t' || b == '\r':
		case b < ' ' || b == 0x7f:
			return nil, &FileError{Line: line, Problem: fmt.Sprintf("not a text file: it has a byte 0x%02x", b)}
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && size == 1 {
				problem := fmt.Sprintf("not a text file: the byte 0x%02x is not UTF-8", b)
				return nil, &FileError{Line: line, Problem: problem}
			}
			i += size
			continue
		}
		i++
	}
	return data, nil
}

// yamlCost is what the YAML scanner has looked at more than once, in bytes.
type yamlCost struct{ slow int }

// scan refuses text on which the YAML scanner would take more than a few seconds, or gigabytes. It
// looks at bytes alone, without regard to quotes and comments.
func (c *yamlCost) scan(text []byte) *FileError {
	line, marks := 1, 0
	blank, run := 0, 0
	empty := true
	for i, b := range text {
		switch b {
		case '{', '}', '[', ']', ',', ':', '&', '*', '!', '?', '|', '>', '%', '#', '@', '`', '\n':
			marks += 2
		case '"', '\'':
			marks++
		case '-':
			if i+1 == len(text) || text[i+1] <= ' ' {
				marks += 2
			}
		case '\t':
			// In double quotes the scanner looks, at each tab, as far as the end of the file.
			c.slow += len(text) - i
		}
		if run++; b != '<' {
			run = 0
		}
		c.slow += run
		switch b {
		case '\n':
			line++
			if blank++; !empty {
				blank = 0
			}
			empty = true
			if blank > maxBlankLines {
				// A block scalar is copied for each line that is cut off its end.
				c.slow += i
			}
		case ' ', '\t', '\r':
		default:
			empty = false
		}
		if marks > 2*maxMarks || c.slow > maxSlow {
			problem := "too much punctuation, or too many tabs or empty lines, up to here for a scenario"
			return &FileError{Line: line, Problem: problem}
		}
	}
	return nil
}
