package scenarios

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// plainText returns data without a byte order mark. It is an error if data is not UTF-8, or has control characters of ASCII
// other than tabs and ends of lines.
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
