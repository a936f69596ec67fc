package read

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// message is a line of a process's log: when it was written, and what it says.
type message struct {
	stamp
	// text is the message, fields its values by name; values of other types than texts are left out.
	text   string
	fields map[string]string
	// from is the source file that klog names, "" for another form.
	from string
}

// electionWords are the words by which a line is perhaps about an election. Each is cut at its first l.
var electionWords = []struct{ before, from string }{{"", "lease"}, {"", "leader"}, {"", "leading"}, {"", "lock"}, {"e", "lection"}}

// electoral tells whether a line is perhaps about an election, since one of electionWords stands in it, in small or capital letters. It is
// asked about every line of a log.
func electoral(line []byte) bool {
	for i, c := range line {
		if c != 'l' && c != 'L' {
			continue
		}
		for _, w := range electionWords {
			if hasFold(line[i:], w.from) && hasFold(line[max(i-len(w.before), 0):], w.before) {
				return true
			}
		}
	}
	return false
}

// hasFold tells whether a line begins with a word of small letters of ASCII, in small or capital letters.
func hasFold(line []byte, word string) bool {
	if len(line) < len(word) {
		return false
	}
	for i := range len(word) {
		if line[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// klogHead is what stands between klog's stamp and the message: the thread, the file and the line.
var klogHead = regexp.MustCompile(`\A +\d+ ([^ \]]+):\d+\] ?`)

// parse takes a line apart if it has a stamp of its own in a form of klog, zap, slog, logr, logrus or Go's package log; ok is false
// otherwise. If the line says nothing of an election, the message has a stamp and no text. zone is that of stamps that name none.
// The line must not be empty.
func parse(line []byte, zone *time.Location) (m message, ok bool) {
	if s, rest, ok := klogStamp(line, zone); ok {
		m.stamp = s
		m.klog(rest)
		return m, true
	}
	if line[0] == '{' {
		return parseJSON(treeOf(line), line, zone)
	}
	if bytes.HasPrefix(line, []byte("time=")) {
		return parseLogfmt(line, zone)
	}
	line = tabbed(line)
	if s, rest, ok := parseEpoch(line); ok {
		m.stamp = s
		if electoral(rest) {
			m.console(string(rest))
		}
		return m, true
	}
	if s, rest, ok := parseISO(line, zone); ok && isConsole(line) {
		m.stamp = s
		if electoral(rest) {
			m.console(string(rest))
		}
		return m, true
	}
	return m, false
}

// klog sets text, fields and from by what stands behind klog's stamp, if it is perhaps about an election.
func (m *message) klog(rest []byte) {
	if !electoral(rest) {
		return
	}
	if at := klogHead.FindSubmatchIndex(rest); at != nil {
		m.from = string(rest[at[2]:at[3]])
		m.structured(strings.TrimSpace(string(rest[at[1]:])))
	}
}

// spaced matches the beginning of a line of zap for people whose tabs have become spaces, as in what was copied from a terminal.
var spaced = regexp.MustCompile(`(?i)\A[^ \t]+ {2,}(?:DEBUG|INFO|WARN|ERROR|DPANIC|PANIC|FATAL) {2,}`)

var spaces = regexp.MustCompile(` {2,}`)

// tabbed returns a line of zap whose tabs have become spaces with the tabs restored, and any other line as it is.
func tabbed(line []byte) []byte {
	if len(line) == 0 || line[0] < '0' || line[0] > '9' {
		return line
	}
	if at := bytes.IndexByte(line, ' '); at < 0 || !bytes.HasPrefix(line[at:], []byte("  ")) || !spaced.Match(line) {
		return line
	}
	return spaces.ReplaceAll(line, []byte("\t"))
}

// parseEpoch parses the seconds since 1970 at the beginning of a line, as zap writes them for people by default. It returns the
// stamp and the rest of the line; ok is false for another beginning.
func parseEpoch(line []byte) (s stamp, rest []byte, ok bool) {
	first, rest, found := bytes.Cut(line, []byte("\t"))
	if !found || len(first) > 30 || !bytes.Contains(first, []byte("e+")) {
		return s, nil, false
	}
	s, ok = fieldStamp(string(first), true, nil)
	return s, rest, ok
}

// isConsole tells whether a line has columns with tabs between them, as zap writes them for people, or begins as Go's package log does. A line behind
// a tab that has a stamp of its own in another form is none of these.
func isConsole(line []byte) bool {
	tab := bytes.IndexByte(line, '\t')
	if tab > 0 && tab < 40 {
		rest := bytes.TrimLeft(line[tab:], "\t ")
		_, _, isKlog := klogStamp(rest, time.UTC)
		return !isKlog && !bytes.HasPrefix(rest, []byte("{"))
	}
	return len(line) > 10 && line[4] == '/' && line[7] == '/'
}

// structured sets text and fields from a message of klog: a text alone, or a text in quotes with fields behind it.
func (m *message) structured(text string) {
	if _, named, ok := strings.Cut(text, `"msg"=`); ok { // klogr
		m.fields = pairs(`"msg"=` + named)
		m.text = m.fields["msg"]
		return
	}
	if !strings.HasPrefix(text, `"`) {
		m.text = text
		return
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		m.text = text
		return
	}
	m.text, _ = strconv.Unquote(quoted)
	m.fields = pairs(text[len(quoted):])
}

// pairs returns the values in a text by their names: key=value, or key="value". It stops at the first part of another form.
func pairs(text string) map[string]string {
	all := map[string]string{}
	for {
		text = strings.TrimLeft(text, " ")
		key, rest, ok := strings.Cut(text, "=")
		whole := len(key) > 2 && key[0] == '"' && key[len(key)-1] == '"'
		if key = strings.Trim(key, `"`); !ok || key == "" || strings.Contains(key, `"`) || !whole && strings.Contains(key, " ") {
			return all
		}
		value := rest
		if quoted, err := strconv.QuotedPrefix(rest); err == nil && rest[0] == '"' {
			value, _ = strconv.Unquote(quoted)
			text = rest[len(quoted):]
		} else {
			value, text, _ = strings.Cut(rest, " ")
		}
		all[key] = value
	}
}

// console sets text and fields from a line of zap for people, without its stamp: level, perhaps a logger and a place, the
// message, and perhaps fields as JSON.
func (m *message) console(text string) {
	parts := strings.Split(text, "\t")
	if n := len(parts); n > 1 && strings.HasPrefix(parts[n-1], "{") {
		m.fields = treeOf([]byte(parts[n-1])).fields()
		if parts = parts[:n-1]; len(parts) > 2 && m.fields != nil {
			m.fields["logger"] = parts[1]
		}
	}
	m.text = parts[len(parts)-1]
	if level := levels.FindString(m.text); level != "" && len(parts) == 1 { // log/slog without a handler of its own
		m.worded(m.text[len(level):])
	}
}

// levels matches the level before a message of log/slog, and firstField the beginning of the fields behind one.
var (
	levels     = regexp.MustCompile(`\A(?:DEBUG|INFO|WARN|ERROR) `)
	firstField = regexp.MustCompile(` (?:"[^"]+"|[^\s="]+)=`)
)

// worded sets text and fields from a message behind which fields stand.
func (m *message) worded(text string) {
	if at := firstField.FindStringIndex(text); at != nil {
		m.fields = pairs(text[at[0]:])
		text = text[:at[0]]
	}
	m.text = text
}

// stampless sets text and fields from a line that has no stamp: a message of klog, perhaps with what klog puts before it, or a line in
// logfmt or JSON.
func (m *message) stampless(line []byte) {
	if bytes.HasPrefix(line, []byte("level=")) || bytes.HasPrefix(line, []byte("msg=")) {
		m.fields = pairs(string(line))
		m.text = m.fields["msg"]
		return
	}
	if line[0] == '{' {
		fields := treeOf(line).fields()
		m.structured(cmp.Or(fields["msg"], fields["message"]))
		maps.Copy(fields, m.fields)
		m.fields = fields
		return
	}
	if at := bareHead.FindSubmatchIndex(line); at != nil {
		m.from, line = string(line[at[2]:at[3]]), line[at[1]:]
	}
	m.structured(string(line))
}

// beside adds the fields that stand beside a line in a record, but for those that the line has itself, and the source file
// that they name, if the line names none.
func (m *message) beside(o *outer) {
	m.from = cmp.Or(m.from, o.from)
	all := maps.Clone(o.fields)
	if all == nil {
		return
	}
	maps.Copy(all, m.fields)
	m.fields = all
}

// bareHead matches what klog's forerunners put between a stamp of another form and the message.
var bareHead = regexp.MustCompile(`\A[IWEF] ([^ \]]+\.go):\d+\] `)

// parseJSON takes a line in JSON apart, as zap, slog and klog write it. t has its fields. ok is false if it has no stamp.
func parseJSON(t tree, line []byte, zone *time.Location) (m message, ok bool) {
	for _, key := range []string{"ts", "time", "timestamp", "@timestamp"} {
		if text, number := t.scalar(key); text != "" {
			m.stamp, ok = fieldStamp(text, number, zone)
			break
		}
	}
	if !ok || !electoral(line) {
		return m, ok
	}
	fields := t.fields()
	for _, key := range []string{"msg", "message", "MESSAGE"} {
		if text, has := fields[key]; has {
			m.structured(text) // klog's own text may have been put into JSON
			maps.Copy(fields, m.fields)
			m.fields = fields
			break
		}
	}
	return m, true
}

// parseLogfmt takes a line of slog or logrus apart: key=value, with time first. ok is false if time is no stamp.
func parseLogfmt(line []byte, zone *time.Location) (m message, ok bool) {
	fields := pairs(string(line))
	m.stamp, ok = fieldStamp(fields["time"], false, zone)
	if ok && electoral(line) {
		m.text, m.fields = fields["msg"], fields
	}
	return m, ok
}
