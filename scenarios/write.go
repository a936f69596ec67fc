package scenarios

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
)

// WriteYAML writes the scenario to w as a file that reads back as an equal Scenario. Fields that equal a default are left out.
// Fields that all candidates share go into the file's defaults, unless the scenario has several elections. If the scenario is not
// valid, nothing is written, and the error wraps that of Validate. Any other error is that of w.
func (s *Scenario) WriteYAML(w io.Writer) error {
	if err := s.Validate(); err != nil {
		return fmt.Errorf("scenario not written: %w", err)
	}
	f := &fileForm{b: bufio.NewWriter(w), yaml: true}
	f.scenario(s.members())
	return f.b.Flush()
}

// MarshalJSON returns the file that WriteYAML writes, as JSON. If the scenario is not valid, it returns the error of Validate.
func (s Scenario) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	f := &fileForm{b: bufio.NewWriter(&out)}
	f.value(s.members())
	err := f.b.Flush()
	return out.Bytes(), err
}

// fileForm writes members as YAML or JSON. Errors stay in the writer until it is flushed.
type fileForm struct {
	b    *bufio.Writer
	yaml bool
}

// scenario writes the fields of a scenario as YAML. Each field, each entry of a list and each default is on its own line.
func (f *fileForm) scenario(all members) {
	for _, m := range all {
		f.b.WriteString(m.name + ":")
		switch v := m.value.(type) {
		case entries:
			f.b.WriteByte('\n')
			for item := range v {
				f.b.WriteString("  - ")
				f.value(item)
				f.b.WriteByte('\n')
			}
			continue
		case members:
			if m.name == "defaults" {
				f.b.WriteByte('\n')
				f.lines(v)
				continue
			}
		}
		f.b.WriteByte(' ')
		f.value(m.value)
		f.b.WriteByte('\n')
	}
}

// lines writes the fields of a mapping, indented, each on its own line.
func (f *fileForm) lines(all members) {
	for _, m := range all {
		f.b.WriteString("  " + m.name + ": ")
		f.value(m.value)
		f.b.WriteByte('\n')
	}
}

// value writes a value in flow style, on one line. v has one of the types that a member's value may have.
func (f *fileForm) value(v any) {
	switch v := v.(type) {
	case string:
		f.text(v, false)
	case prose:
		f.text(string(v), true)
	case literal:
		f.b.WriteString(string(v))
	case members:
		f.b.WriteByte('{')
		for i, m := range v {
			f.comma(i)
			f.name(m.name)
			f.value(m.value)
		}
		f.b.WriteByte('}')
	case []string:
		f.b.WriteByte('[')
		for i, item := range v {
			f.comma(i)
			f.text(item, false)
		}
		f.b.WriteByte(']')
	case []literal:
		f.b.WriteByte('[')
		for i, item := range v {
			f.comma(i)
			f.value(item)
		}
		f.b.WriteByte(']')
	case []members:
		f.value(entries(slices.Values(v)))
	case entries:
		f.b.WriteByte('[')
		i := 0
		for item := range v {
			f.comma(i)
			f.value(item)
			i++
		}
		f.b.WriteByte(']')
	}
}

// comma writes the separator before item i of a list or mapping; none before the first.
func (f *fileForm) comma(i int) {
	switch {
	case i == 0:
	case f.yaml:
		f.b.WriteString(", ")
	default:
		f.b.WriteByte(',')
	}
}

// name writes the name of a field and the colon after it.
func (f *fileForm) name(name string) {
	if f.yaml {
		f.b.WriteString(name + ": ")
	} else {
		f.b.WriteString(`"` + name + `":`)
	}
}

// text writes a text, in quotes if it needs them. isProse is true if the text may be several words.
func (f *fileForm) text(s string, isProse bool) {
	if f.yaml && plain(s, isProse) {
		f.b.WriteString(s)
	} else {
		writeQuoted(f.b, s)
	}
}
