package files

import (
	"fmt"
	"strings"
	"time"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// File is what is in one file, each list in the order of the file.
type File struct {
	Targets  []Target
	Notes    []Note
	Problems []Problem
}

// Target is one configuration of an election to be judged: its timings, and what else is known of it.
type Target struct {
	Position
	// Facts are those of Program, if it is known, or of a scenario file. Those timings that the file does not have are named in Defaulted, as
	// leaseDuration and so on.
	programs.Facts
	Defaulted []string
	// ReleaseOnCancel is what the file says (ReleaseSaid) or what the program's code does; false where nobody knows.
	ReleaseOnCancel, ReleaseSaid bool
	// Program is what is known of the program; nil where nothing is. Component is the program or the kind of configuration; "" where the file does
	// not tell.
	Program   *programs.Program
	Component string
	// Profile is the name of one, of a scenario file or of Program; "" where nothing says. Drain, Now and Precision are of scenario files.
	Profile   string
	Drain     time.Duration
	Now       plan.Now
	Precision time.Duration
	// Replicas is how many pods the file says that there are; 0 where it does not.
	Replicas int
	// QPS and Burst are those of the client, as the file has them; nil where it does not. ClientUnread is a problem of one that cannot be
	// read, "" if there is none; ClientElsewhere tells that it is a template or a variable.
	QPS             *float64
	Burst           *int
	ClientUnread    string
	ClientElsewhere bool
	// OtherLimits are the names of flags that limit the requests of some client, perhaps of the election's, where the file has neither QPS nor Burst.
	OtherLimits []string
	// Client is the whole client, as a scenario file has it; nil where the file has none. QPS and Burst are then nil.
	Client *plan.Client
}

// SaysClient tells whether the file has settings of the client, even if they cannot be read.
func (t *Target) SaysClient() bool { return t.QPS != nil || t.Burst != nil || t.ClientUnread != "" }

// NoteKind is the reason for a note.
type NoteKind string

// The kinds of notes.
const (
	// Skipped is a file without settings of leader election.
	Skipped NoteKind = "skipped"
	// Disabled is a component whose leader election is turned off.
	Disabled NoteKind = "disabled"
	// Unread is a document that mentions settings of leader election, and from which nothing was read, or settings for a client
	// that is not client-go.
	Unread NoteKind = "unread"
	// Stale is an entry of a list, such as a baseline, that is about nothing any more.
	Stale NoteKind = "stale"
	// Let is a problem that was there before, and is let be.
	Let NoteKind = "let be"
	// Ignored is a setting that looks like one of leader election, but alone is not enough to judge.
	Ignored NoteKind = "ignored"
)

// Note is something that was found and is not judged.
type Note struct {
	Position
	Kind NoteKind
	Text string
}

// String returns the position and the text.
func (n Note) String() string { return n.Position.String() + ": " + n.Text }

// Problem is bad input. As an error it is one line: position, what came, what is wanted.
type Problem struct {
	Position
	Text string
	// Unreadable tells that nothing is wrong, but that the value is only known elsewhere: a template, a variable.
	Unreadable bool
	// Unfit tells that what is given does not fit a timing that is assumed; Unreadable is then true.
	Unfit bool
}

// Error returns the position and the text.
func (p Problem) Error() string { return p.Position.String() + ": " + p.Text }

// Position is where in the input something stands.
type Position struct {
	File string
	// Line counts from 1; 0 where it is about the file as a whole.
	Line int
	// Document counts those of a file that are not empty, from 1; 0 where there is only one.
	Document int
	// Object is kind, namespace and name; for what is inside a ConfigMap its key too; "" where there is none.
	Object string
	// Part is what of the object it is, such as "container manager"; "" where it is the whole.
	Part string
}

// String returns the position in words, with the line if there is one.
func (p Position) String() string {
	file := phrase.OneLine(p.File)
	if p.Line > 0 {
		file = fmt.Sprintf("%s:%d", file, p.Line)
	}
	return p.join(file)
}

// Name returns the position without the line, so that it stays the same when lines move. It identifies a target within
// a run.
func (p Position) Name() string { return p.join(phrase.OneLine(p.File)) }

// join returns the position in words, without the line: file, document, object and part, with colons between them. The argument
// file takes the place of p.File.
func (p Position) join(file string) string {
	parts := []string{file}
	if p.Document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", p.Document))
	}
	if p.Object != "" {
		parts = append(parts, phrase.OneLine(p.Object))
	}
	if p.Part != "" {
		parts = append(parts, phrase.OneLine(p.Part))
	}
	return strings.Join(parts, ": ")
}

// at returns the position with another line, which counts from 1 in the file; 0 stands for the file as a whole.
func (p Position) at(line int) Position {
	p.Line = line
	return p
}
