package plan

import (
	"slices"
	"strings"
)

// FaultKind is what sort of thing goes wrong.
type FaultKind string

// The kinds of fault. faultKinds describes each.
const (
	FaultDelay     FaultKind = "delay"
	FaultPartition FaultKind = "partition"
	FaultLose      FaultKind = "lose"
	FaultOutage    FaultKind = "outage"
	FaultError     FaultKind = "error"
	FaultThrottle  FaultKind = "throttle"
	FaultBrownout  FaultKind = "brownout"
	FaultReset     FaultKind = "reset"
	FaultStall     FaultKind = "stall"
	FaultFrame     FaultKind = "frame"
	FaultPause     FaultKind = "pause"
	FaultCrash     FaultKind = "crash"
	FaultRestart   FaultKind = "restart"
	FaultCancel    FaultKind = "cancel"
	FaultClock     FaultKind = "clock"
	FaultDelete    FaultKind = "delete"
	FaultEdit      FaultKind = "edit"
	FaultRollout   FaultKind = "rollout"
)

// faultKind describes a kind of fault.
type faultKind struct {
	kind FaultKind
	on   target
	// needy: such a fault does nothing without a field that says what happens.
	needy bool
	// fields are the names of the fields that such a fault may have, in the order of faultFields. own tells the same of each of
	// faultFields. window: until is one.
	fields []string
	own    [fields]bool
	window bool
}

// target is what a kind of fault affects.
type target int

const (
	// candidates: a process's messages or its Run, in one of its elections or in each.
	candidates target = iota
	// processes: a process as a whole.
	processes
	// records: objects in the lock service, which belong to no candidate.
	records
)

// faultKinds has a row for each kind of fault, as faultFields has one for each field. Whatever reads, checks, writes, labels,
// measures or documents faults goes through these rows, so that a new kind or field is a row.
var faultKinds = withFields([]faultKind{
	{kind: FaultDelay, on: candidates, needy: true,
		fields: []string{"at", "until", "on", "election", "object", "request", "response", "limiter"}},
	{kind: FaultPartition, on: candidates, fields: []string{"at", "until", "on", "election"}},
	{kind: FaultLose, on: candidates, fields: []string{"at", "until", "on", "election", "object", "leg", "probability"}},
	{kind: FaultOutage, on: candidates, fields: []string{"at", "until", "election"}},
	{kind: FaultError, on: candidates, fields: []string{"at", "until", "on", "election", "object", "verb", "status", "applied", "retryAfter"}},
	{kind: FaultThrottle, on: candidates, fields: []string{"at", "until", "on", "election", "object", "verb", "retryAfter"}},
	{kind: FaultBrownout, on: candidates, needy: true, fields: []string{"at", "until", "on", "election", "object", "factor", "seats", "takes", "queue",
		"every"}},
	{kind: FaultReset, on: candidates, fields: []string{"at", "on", "election"}},
	{kind: FaultStall, on: candidates, fields: []string{"at", "until", "on", "election"}},
	{kind: FaultFrame, on: candidates, fields: []string{"at", "on", "election"}},
	{kind: FaultPause, on: processes, fields: []string{"at", "until", "on", "election", "answersFirst"}},
	{kind: FaultCrash, on: processes, fields: []string{"at", "on", "election"}},
	{kind: FaultRestart, on: processes, fields: []string{"at", "on", "election", "identity"}},
	{kind: FaultCancel, on: candidates, fields: []string{"at", "on", "election"}},
	{kind: FaultClock, on: processes, fields: []string{"at", "on", "election", "jump", "driftPPM"}},
	{kind: FaultDelete, on: records, fields: []string{"at", "election", "object"}},
	{kind: FaultEdit, on: records, needy: true,
		fields: []string{"at", "election", "holder", "preferredHolder", "strategy", "leaseDuration"}},
	{kind: FaultRollout, on: processes, fields: []string{"at", "on", "to", "surge", "maxUnavailable", "readiness", "startup",
		"gracePeriod", "deadline"}},
})

// withFields sets the fields own and window in each of the kinds, in place, and returns the same slice.
func withFields(kinds []faultKind) []faultKind {
	for i := range kinds {
		k := &kinds[i]
		k.window = k.has("until")
		for place, field := range faultFields {
			k.own[place] = k.has(field.Name)
		}
	}
	return kinds
}

// byLetter has the rows of faultKinds by the first letter of the kind.
var byLetter = func() (rows [256][]*faultKind) {
	for i := range faultKinds {
		letter := faultKinds[i].kind[0]
		rows[letter] = append(rows[letter], &faultKinds[i])
	}
	return rows
}()

// FaultKinds returns the kinds of fault, in a stable order.
func FaultKinds() (all []FaultKind) {
	for i := range faultKinds {
		all = append(all, faultKinds[i].kind)
	}
	return all
}

// FaultKindNames returns the names of the kinds of fault, in the order of FaultKinds.
func FaultKindNames() (names []string) {
	for i := range faultKinds {
		names = append(names, string(faultKinds[i].kind))
	}
	return names
}

// unknownFault is the row of a kind that does not exist.
var unknownFault faultKind

// row returns the row of faultKinds for k, or &unknownFault if there is none. It must not be changed. A search asks for it
// several times a fault in each run.
func (k FaultKind) row() *faultKind {
	if k != "" {
		for _, row := range byLetter[k[0]] {
			if row.kind == k {
				return row
			}
		}
	}
	return &unknownFault
}

// Fields returns the names, as in scenario files, of the fields that a fault of that kind may have besides
// kind; nil for an unknown kind. They must not be changed.
func (k FaultKind) Fields() []string { return k.row().fields }

// Has tells whether a fault of that kind may have that field.
func (k FaultKind) Has(field string) bool { return k.row().has(field) }

// has tells whether a fault of this kind may have that field.
func (k *faultKind) has(field string) bool { return slices.Contains(k.fields, field) }

// effects returns the names of the fields by which a fault of this kind may say what happens.
func (k *faultKind) effects() (names []string) {
	for _, field := range faultFields {
		if field.says() && k.has(field.Name) {
			names = append(names, field.Name)
		}
	}
	return names
}

// Window tells whether a fault of that kind is a window: it lasts for some time, and may have the field until.
func (k FaultKind) Window() bool { return k.row().window }

// Lasts tells whether a fault of that kind lasts for some time: it is a window, or a rollout, which is over by itself.
func (k FaultKind) Lasts() bool { return k.Window() || k == FaultRollout }

// OfProcess tells whether faults of that kind are on whole processes.
func (k FaultKind) OfProcess() bool { return k.row().on == processes }

// OfRecord tells whether faults of that kind are on what the lock service keeps, and so on no candidate.
func (k FaultKind) OfRecord() bool { return k.row().on == records }

// Refuses returns why a fault of that kind cannot have that field, or "" if it can. k must not be "".
func (k FaultKind) Refuses(field string) string {
	if field == "kind" || k.Has(field) {
		return ""
	}
	return field + " is not a field of " + string(k) + "; " + k.withArticle() + " has " + strings.Join(k.Fields(), ", ")
}

// withArticle returns the kind with its article: a delay, an edit. k must not be "".
func (k FaultKind) withArticle() string {
	if strings.ContainsAny(string(k[0]), "aeiou") {
		return "an " + string(k)
	}
	return "a " + string(k)
}
