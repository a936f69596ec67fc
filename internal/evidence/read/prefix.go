package read

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// journal and journalISO match what journalctl and syslog put before a line: a stamp, the host, the program. journalISO is for what
// stands behind a stamp of ISO 8601.
var (
	journal    = regexp.MustCompile(`\A(\S{2,8} {1,2}\d{1,2} \d\d:\d\d:\d\d)(?:\.\d+)? (\S+) ([^\s\[:]+)(?:\[\d+\])?: `)
	journalISO = regexp.MustCompile(`\A(\S+) ([^\s\[:]+)\[\d+\]: `)
)

// journaled takes a line apart that a journal has put a host and a program before; behind tells whether a stamp stood before
// these. It returns what the journal says, and the rest, which is empty for another line. A stamp in another language than
// English is left out.
func journaled(line []byte, behind bool, zone *time.Location) (o outer, rest []byte) {
	if behind {
		if m := journalISO.FindSubmatchIndex(line); m != nil {
			o.host, o.program = string(line[m[2]:m[3]]), string(line[m[4]:m[5]])
			return o, line[m[1]:]
		}
		return o, nil
	}
	m := journal.FindSubmatchIndex(line)
	if m == nil {
		return o, nil
	}
	o.host, o.program = string(line[m[4]:m[5]]), string(line[m[6]:m[7]])
	at, err := time.ParseInLocation("2006 Jan _2 15:04:05", strconv.Itoa(noYear)+" "+string(line[m[2]:m[3]]), zone)
	if o.stamped = err == nil; o.stamped {
		o.stamp = stamp{at: at, unit: time.Second, yearless: true, zoneless: true}
	}
	return o, line[m[1]:]
}

// mostPrefix is how far in a line klog's beginning is looked for.
const mostPrefix = 1000

// anyHead matches klog's beginning of a line anywhere, and anyStamp a stamp with a date anywhere.
var (
	anyHead  = regexp.MustCompile(`[IWEF](?:0\d|1[0-2])[0-3]\d [0-2]\d:\d\d:\d\d\.\d{6} +\d+ [^ \]]+:\d+\]`)
	anyStamp = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\s"',]*`)
)

// prefixes match what others put before a line of klog, up to its beginning, if that tells whose line it is, or at least
// that it is of the file's process. The group is the pod or, with file, the file or the container that the line is from. Behind anything else the
// line may be another's.
var prefixes = []struct {
	*regexp.Regexp
	file bool
}{
	{regexp.MustCompile(`\A[>\s*"'-]*\z`), false},                                          // quoted, indented, in a list
	{regexp.MustCompile(`\A(?:([^\s:]+):)?\d+[:-] ?\z|\A[^\s:\[]+\[\d+\]: \z`), true},      // grep -n, journalctl -o cat
	{regexp.MustCompile(`\A([^\s:\[]+): ?\z`), true},                                       // grep -H
	{regexp.MustCompile(`\A(\S+) +\| \z`), true},                                           // docker compose
	{regexp.MustCompile(`\A\[([^\[\]\s]+)\] ?\z`), true},                                   // tilt
	{regexp.MustCompile(`\A\{[^{}]*\bpod="([^"{}]+)"[^{}]*\} ?\z`), false},                 // logcli
	{regexp.MustCompile(`\A([a-z0-9][-.a-z0-9]*[a-z0-9](?:_[-.a-zA-Z0-9_]+)?) \z`), false}, // aws logs tail
}

// headed finds a line of klog behind something else in a line. It returns what stands before, as far as it is known (vague if that
// has no known form), and the line of klog; that is empty if there is none.
func headed(line []byte, zone *time.Location) (o outer, rest []byte) {
	at := anyHead.FindIndex(line[:min(len(line), mostPrefix)])
	if at == nil || at[0] == 0 {
		return o, nil
	}
	before := line[:at[0]]
	o.vague = true
	for _, p := range prefixes {
		if m := p.FindSubmatchIndex(before); m != nil {
			o.vague = false
			switch named := len(m) > 2 && m[2] >= 0; {
			case named && p.file:
				o.host, _, _ = strings.Cut(path.Base(string(before[m[2]:m[3]])), ".")
			case named:
				o.process = podOfStream(string(before[m[2]:m[3]]))
			}
			break
		}
	}
	if text := anyStamp.Find(before); text != nil {
		o.stamp, _, o.stamped = parseISO(text, zone)
	}
	return o, unquoted(line, at[0])
}

// unquoted returns the text from at on. If a quote stands before it, it ends at the next one, as in JSON or CSV.
func unquoted(line []byte, at int) []byte {
	rest := line[at:]
	if line[at-1] != '"' {
		return rest
	}
	if bytes.Contains(rest, []byte(`""`)) { // CSV
		return bytes.ReplaceAll(bytes.TrimSuffix(rest, []byte(`"`)), []byte(`""`), []byte(`"`))
	}
	if quoted, err := strconv.QuotedPrefix(string(line[at-1:])); err == nil {
		if text, err := strconv.Unquote(quoted); err == nil {
			return []byte(strings.TrimSpace(text))
		}
	}
	return rest
}

// podOfStream returns the pod in the name of a stream of CloudWatch, which has it first, or behind "containers.", up to an
// underscore.
func podOfStream(name string) string {
	if i := strings.LastIndex(name, "containers."); i >= 0 {
		name = name[i+len("containers."):]
	}
	return hostOf(name)
}

// created and machine match the beginning of a file of klog.
var (
	created = regexp.MustCompile(`\ALog file created at: (\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)`)
	machine = regexp.MustCompile(`\ARunning on machine: (\S+)\z`)
)

// preamble tells whether a line is of the beginning of a file of klog. If so it keeps the year or the host that the line names, and
// counts the line as skipped.
func (f *file) preamble(line []byte) bool {
	if m := created.FindSubmatch(line); m != nil {
		if at, err := time.ParseInLocation("2006/01/02 15:04:05", string(m[1]), f.o.Zone); err == nil {
			s := f.own()
			s.date(at)
			s.skip("lines that say nothing of an election")
			return true
		}
	}
	if m := machine.FindSubmatch(line); m != nil {
		s := f.own()
		s.hosted[s.source] = string(m[1])
		s.skip("lines that say nothing of an election")
		return true
	}
	return false
}

// own returns the stream for what the file's own process has written, which the file's path may name.
func (f *file) own() *stream { return f.in(f.pod, f.container, evidence.Log) }
