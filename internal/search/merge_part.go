package search

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// part is the results file of one shard.
type part struct {
	name   string
	file   *os.File
	lines  *bufio.Reader
	header Header
	// text is the header as it stands in the file.
	text string
	// blocks is how many blocks have been read. cut: an incomplete block follows the last of them.
	blocks uint64
	cut    bool
}

// openPart opens a results file and reads its header.
func openPart(name string) (*part, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	p := &part{name: name, file: f, lines: bufio.NewReader(f)}
	if err := p.readHeader(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s:1: %w", name, err), f.Close())
	}
	return p, nil
}

// readHeader reads the first line of the results file into p.header.
func (p *part) readHeader() error {
	line, err := p.lines.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return err
	}
	p.text = string(bytes.TrimSpace(line))
	return p.header.read(line)
}

// next returns the next block of the file, nil at its end. If an incomplete block is there, it sets p.cut. The error, which names
// the file and the line, is that of reading, or of a line that is not the next block.
func (p *part) next() (*Block, error) {
	line, err := p.lines.ReadBytes('\n')
	if err == io.EOF {
		p.cut = len(line) > 0
		return nil, nil
	}
	var b *Block
	if err == nil {
		b, err = readBlock(line, p.header.plan(), p.blocks)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", p.name, p.blocks+2, err)
	}
	p.blocks++
	return b, nil
}

// blocksAhead is how many blocks of each file are read before they are wanted.
const blocksAhead = 4

// piece is what comes next in a file: a block, an error, or neither at its end.
type piece struct {
	block *Block
	err   error
}

// read sends the file's blocks to the channel to, one after the other. It ends once it has sent the end of the file or an
// error, or when stop is closed.
func (p *part) read(to chan<- piece, stop <-chan struct{}) {
	for {
		b, err := p.next()
		select {
		case to <- piece{b, err}:
		case <-stop:
			return
		}
		if b == nil {
			return
		}
	}
}

// whole returns the header that the campaign would have without shards.
func (h Header) whole() Header {
	h.Shard, h.Shards = 0, 0
	return h
}
