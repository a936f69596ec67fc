package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// MaxLine is the length in bytes of the longest line that is read. A server writes no object above 3 MiB, and an audit event has two at most.
const MaxLine = 16 << 20

// Plain returns a reader of a log without a byte order mark at its beginning. If the log is compressed with gzip it decompresses
// it; it returns an error if that cannot begin.
func Plain(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return b, err
		}
		b = bufio.NewReaderSize(z, 64<<10)
	}
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = b.Discard(3)
	}
	return b, nil
}

// Line appends the next line of b to line and returns the result. err is io.EOF at the end of b, also beside a last line without
// a newline. long is true if the line is longer than MaxLine; then the line is read to its end, but some of it is not returned.
func Line(b *bufio.Reader, line []byte) (_ []byte, long bool, err error) {
	for {
		part, err := b.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			long = true
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}
