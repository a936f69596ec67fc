package scenarios

import (
	"bytes"
	"regexp"
)

// chunkBytes is about how much of a long list is parsed at a time. The YAML library needs a hundred times the
// size of its input in memory.
const chunkBytes = 64 << 10

// segment is a part of a file that is YAML by itself: fields of the scenario or, if list, entries of the list
// that the last of the fields before has for its value.
type segment struct {
	text []byte
	// line is how many lines are before it.
	line int
	list bool
}

var listHead = regexp.MustCompile(`^(candidates|faults):[ \r]*(#.*)?$`)

// splitYAML cuts a file in block style before the entries of its long lists, between them wherever a chunk
// is full, and after them. In YAML what belongs to an entry is indented more than its dash, so that a line
// with a dash in that column begins another. A file that is not so regular, or not valid, is left whole.
func splitYAML(text []byte, chunk int) []segment {
	s := splitter{chunk: chunk}
	for pos, line := 0, 0; pos < len(text); line++ {
		end := len(text)
		if i := bytes.IndexByte(text[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		if !s.line(text, pos, end, line) {
			return []segment{{text: text}}
		}
		pos = end
	}
	s.cut(text, len(text), 0, false)
	return s.all
}

type splitter struct {
	chunk int
	all   []segment
	// from is the segment in hand, which begins at the byte start.
	from  segment
	start int
	// expecting says that the head of a list has come, inList that an entry has; its dash has that indent.
	expecting bool
	inList    bool
	indent    int
}

// cut ends the segment in hand and begins another.
func (s *splitter) cut(text []byte, pos, line int, list bool) {
	if pos > s.start {
		s.from.text = text[s.start:pos]
		s.all = append(s.all, s.from)
	}
	s.from, s.start = segment{line: line, list: list}, pos
}

// line takes in a line, from pos to end, and cuts the text where a new segment begins. It returns false where the file is not regular.
func (s *splitter) line(text []byte, pos, end, line int) bool {
	row := bytes.TrimRight(text[pos:end], " \r\n")
	content := bytes.TrimLeft(row, " ")
	if len(content) == 0 || content[0] == '#' {
		return true
	}
	indent := len(row) - len(content)
	dash := content[0] == '-' && (len(content) == 1 || content[1] == ' ')
	switch {
	case content[0] == '\t':
		return false
	case s.expecting && dash:
		s.expecting, s.inList, s.indent = false, true, indent
		s.cut(text, pos, line, true)
	case s.expecting && indent > 0:
		return false
	case s.inList && dash && indent == s.indent:
		if pos-s.start > s.chunk {
			s.cut(text, pos, line, true)
		}
	case s.inList && indent > s.indent:
	case indent > 0:
		return !s.inList
	default:
		if s.inList {
			s.inList = false
			s.cut(text, pos, line, false)
		}
		s.expecting = listHead.Match(row)
	}
	return true
}
