package files

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/phrase"
)

// mentions are words that only stand where leader election is set. The name of a role, leader-election-role, is none.
var mentions = regexp.MustCompile(`(?i)lease[-_.]?duration|renew[-_.]?deadline|leader[-_.a-z]*retry[-_.]?period|` +
	`(?:^|[\s"'\[,=])--?[\w-]*leader[-_.]?elect|` +
	`(?-i:\b[A-Z][A-Z0-9_]*_LEADER_?ELECTION\w*)|leader[-_.]?elect[\w.-]*["']?[:=]\s*(?:["'\w]|\{\s*[^}\s])|election[-_.]?(?:ttl|id)\b`)

var schema = regexp.MustCompile(`CustomResourceDefinition|openAPIV3Schema|"\$schema"|"openapi"|(?m)^(?:\$schema|properties):`)

// comment matches a line that is a comment and nothing else. An empty line before it stays: lines are counted afterwards.
var comment = regexp.MustCompile(`(?m)^[ \t]*#.*$`)

// unread adds a note if document d mentions leader election, but no candidate, note or problem came of it. If candidates were
// found, it adds a note for a timing that d names and that was not read. before are the counts from before the document was read.
// A schema gets no note.
func (w *walker) unread(d document, before counts) {
	if isSchema(d.text) {
		return
	}
	text := comment.ReplaceAll(d.text, nil)
	switch now := w.counts(); {
	case now.found > before.found && now.problems == before.problems:
		w.unreadBeside(applied.ReplaceAll(text, []byte("$1")))
		return
	case now != before:
		return
	}
	at := mentioned(text)
	if at == nil {
		return
	}
	word := strings.TrimFunc(string(text[at[0]:at[1]]), func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'[,=:{", r) })
	word, _, _ = strings.Cut(strings.SplitN(word, "\n", 2)[0], ":")
	word, _, _ = strings.Cut(word, "=")
	line := w.base + 1 + bytes.Count(text[:at[0]+bytes.Index(text[at[0]:], []byte(word))], []byte("\n"))
	w.note(w.pos.at(line), Unread, phrase.Clip(word)+" is mentioned, but no settings of leader election were found here; "+
		"docs/gate-files.md has the forms that are read")
}

// timingName is a name that may be one of a timing of leader election.
var timingName = regexp.MustCompile(`(?i)[\w.-]*(?:lease[-_.]?duration|renew[-_.]?deadline|retry[-_.]?period)[\w-]*`)

// applied is kubectl's copy of an object, in an annotation of it.
var applied = regexp.MustCompile(`last-applied-configuration["']?:[^\n]*(\n?)(?:\s*\{[^\n]*)?`)

// unreadBeside adds a note for the first name in text that is surely one of a timing of leader election and was not read as
// the name of a setting. Other settings in the text were read.
func (w *walker) unreadBeside(text []byte) {
	for _, at := range timingName.FindAllIndex(text, -1) {
		name := string(text[at[0]:at[1]])
		s := settingOf(name)
		if !s.certain || s.key == noKey || s.key > retryPeriod || w.read[normal(name)] {
			continue
		}
		line := w.base + 1 + bytes.Count(text[:at[0]], []byte("\n"))
		w.note(w.pos.at(line), Unread, phrase.Clip(name)+" is mentioned, and was not read as a setting; "+
			"docs/gate-files.md has the forms that are read")
		return
	}
}

// mentioned returns the start and end of the first mention of leader election in text, other than of the kubelet's
// lease, DHCP or Kafka; nil where there is none.
func mentioned(text []byte) []int {
	for _, at := range mentions.FindAllIndex(text, -1) {
		before := strings.TrimRight(normal(string(text[max(0, at[0]-8):at[0]])), " ")
		if !endsIn(before, []string{"node", "dhcp", "unclean"}) && !bytes.Contains(text[at[0]:at[1]], []byte("UNCLEAN")) {
			return at
		}
	}
	return nil
}

// counts says how many candidates, notes and problems were found so far.
type counts struct{ found, notes, problems int }

// counts returns how many candidates, notes and problems w has found so far.
func (w *walker) counts() counts { return counts{len(w.found), len(w.out.Notes), len(w.out.Problems)} }

// isSchema tells whether a text has a word that only schemas have, such as CustomResourceDefinition. A schema has the names of
// settings, but no settings.
func isSchema(text []byte) bool {
	return schema.Match(text)
}

// kinds are lines that say the kind of an object, and rights are the kinds that run nothing but have the names of leases.
var (
	kinds  = regexp.MustCompile(`(?m)^kind: *["']?(\w+)`)
	rights = regexp.MustCompile(`^(?:Cluster)?Role(?:Binding)?$|WebhookConfiguration$|^Service(?:Account)?$`)
)

// runsNothing tells whether a text that cannot be parsed has objects of known kinds alone, and only such as run no program.
func runsNothing(text []byte) bool {
	all := kinds.FindAllSubmatch(text, -1)
	return len(all) > 0 && !slices.ContainsFunc(all, func(kind [][]byte) bool { return !rights.Match(kind[1]) })
}
