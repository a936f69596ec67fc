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

// Plain returns a reader of a log, which may be compressed with gzip. A byte order mark before it is left out.
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

// Line returns line with the next line of b appended, io.EOF at the end of b. What is longer than MaxLine is read, not kept whole, and
// long is true.
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
