package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/reports/text"
)

// sarifRoot is the name that code scanning has for the root of the checkout.
const sarifRoot = "%SRCROOT%"

// fingerprintName ends in a version, which is raised when the same finding would get another fingerprint.
const fingerprintName = "simulateGate/v1"

// sarifFindings collects results. seen counts those with the same rule and position, for their fingerprints.
type sarifFindings struct {
	rules   []sarifRule
	results []sarifResult
	seen    map[string]int
}

// sarifResults returns a result for each target that is unsafe or refused, for each problem, and for each note about
// something that was ignored or not read.
func sarifResults(r *gate.Report) []sarifResult {
	f := sarifFindings{rules: sarifRules(), results: []sarifResult{}, seen: map[string]int{}}
	for _, j := range r.Targets {
		switch j.Verdict {
		case gate.Unsafe:
			f.addTarget(unsafeRule, j)
		case gate.Refused:
			f.addTarget(refusedRule, j)
		}
	}
	for _, p := range r.Problems {
		rule := badInputRule
		if p.Unreadable {
			rule = unreadableRule
		}
		f.add(rule, p.Position, p.Text)
	}
	for _, n := range r.Notes {
		switch n.Kind {
		case files.Ignored:
			f.add(ignoredRule, n.Position, n.Text)
		case files.Unread:
			f.add(unreadRule, n.Position, n.Text)
		}
	}
	return f.results
}

// addTarget appends the result of a target to f.results: its verdict and the sum behind it. rule is an index into f.rules.
func (f *sarifFindings) addTarget(rule int, j *gate.Judgement) {
	result := f.add(rule, j.Position, text.GateVerdict(j)+".\n\n"+text.GateBody(j))
	if why := text.GateAccepted(j); why != "" {
		result.Suppressions = []sarifSuppression{{"external", why}}
	}
	if r := j.Result; r != nil {
		result.Properties = &sarifProperties{
			Profile: j.Profile.Name, Assumes: j.Assumes(), Margin: int64(j.Margin()), WorstOverlap: int64(max(0, r.Overlap)),
			AtLeast: r.AtLeast, Unbounded: r.Unbounded,
		}
	}
}

// add appends a result to f.results and returns a pointer to it, which is valid until the next call. rule is an index into
// f.rules. The message begins with the name of the object that the result is about, if there is one.
func (f *sarifFindings) add(rule int, at files.Position, text string) *sarifResult {
	about := files.Position{Document: at.Document, Object: at.Object, Part: at.Part}.Name()
	if about = strings.TrimPrefix(about, ": "); about != "" {
		text = about + ": " + text
	}
	f.results = append(f.results, sarifResult{
		Rule: f.rules[rule].ID, RuleIndex: rule, Level: f.rules[rule].Configuration.Level,
		Message: sarifText{text}, Locations: []sarifLocation{sarifPlace(at)},
		Fingerprints: map[string]string{fingerprintName: f.fingerprint(f.rules[rule].ID, at)},
	})
	return &f.results[len(f.results)-1]
}

// fingerprint returns a text that identifies a finding by its rule, file and object, so that it stays the same when lines move or
// numbers change. Findings that share all of these get different ones, in the order of the calls. It counts them in f.seen.
func (f *sarifFindings) fingerprint(rule string, at files.Position) string {
	at.File = filepath.ToSlash(filepath.Clean(at.File))
	key := rule + "\x00" + at.Name()
	f.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, f.seen[key]))
	return hex.EncodeToString(sum[:16])
}

// sarifPlace returns a position as a location: a line of a file. For a file as a whole that is the first line, since code
// scanning shows nothing without a line. A position that is in no file has only a name.
func sarifPlace(at files.Position) sarifLocation {
	l := sarifLocation{Logical: []sarifLogical{{at.Name()}}}
	if !inFile(at) {
		return l
	}
	l.Physical = &sarifPhysical{Artifact: sarifFile(at.File)}
	l.Physical.Region.StartLine = max(1, at.Line)
	return l
}

// inFile tells whether a position is in a file. It is false for flags and for standard input.
func inFile(at files.Position) bool {
	flags := at.File == "flags" && at.Line == 0
	return !flags && at.File != "-"
}

// sarifFile returns the URI of a path, relative to the root of the checkout unless the path is absolute.
func sarifFile(path string) sarifArtifact {
	u := url.URL{Path: filepath.ToSlash(filepath.Clean(path))}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
		return sarifArtifact{URI: u.String()}
	}
	return sarifArtifact{URI: u.String(), Base: sarifRoot}
}
