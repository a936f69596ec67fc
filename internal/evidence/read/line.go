package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxLine is the length in bytes of the longest line that is read. A server writes no object above 3 MiB, and an audit event has two at most.
const MaxLine = 16 << 20

// Plain returns a reader of a log without a byte order mark at its beginning. A log in UTF-16, as PowerShell writes it, it changes to UTF-8. If the log
// is compressed with gzip it decompresses it; it returns an error if that cannot begin.
func Plain(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return b, err
		}
		b = bufio.NewReaderSize(z, 64<<10)
	}
	if mark, _ := b.Peek(2); bytes.Equal(mark, []byte{0xff, 0xfe}) || bytes.Equal(mark, []byte{0xfe, 0xff}) {
		b = bufio.NewReaderSize(&utf16Reader{r: b, big: mark[0] == 0xfe}, 64<<10)
	}
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = b.Discard(3)
	}
	return b, nil
}

// utf16Reader reads r, which is in UTF-16, as UTF-8. Half of a pair becomes U+FFFD.
type utf16Reader struct {
	r    *bufio.Reader
	big  bool
	buf  [utf8.UTFMax]byte
	rest []byte // of buf
}

// Read reads into p what r has, as UTF-8.
func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.rest) == 0 {
		r, err := u.unit()
		if err != nil {
			return 0, err
		}
		if utf16.IsSurrogate(r) {
			second, err := u.unit()
			if err != nil {
				return 0, err
			}
			r = utf16.DecodeRune(r, second)
		}
		u.rest = utf8.AppendRune(u.buf[:0], r)
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// unit returns the next unit of r. A single byte at the end counts as the end.
func (u *utf16Reader) unit() (rune, error) {
	a, err := u.r.ReadByte()
	if err != nil {
		return 0, err
	}
	b, err := u.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if u.big {
		a, b = b, a
	}
	return rune(a) | rune(b)<<8, nil
}

// Line appends the next line of b, with its newline, to line and returns the result. err is io.EOF at the end of b, also beside a
// last line without a newline. long is true if the result would be longer than MaxLine; then the line is read to its end, but some of
// it is not returned.
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
