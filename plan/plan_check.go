package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"interregnum/internal/phrase"
	"interregnum/internal/reuse"
	"interregnum/simlock"
)

// FieldError says which field of a plan is wrong, in the words of the scenario file, and how.
type FieldError struct {
	// Path is such as candidates[2].id; indices count from 0.
	Path string
	// Problem says in one line what is wrong and what is expected.
	Problem string
}

// Error returns path and problem.
func (e *FieldError) Error() string { return e.Path + ": " + e.Problem }

// planCheck validates a plan. It keeps the first error, and what checks of faults need to know about candidates.
type planCheck struct {
	plan *Plan
	err  *FieldError
	// in and item say which candidate or fault is being checked.
	in   part
	item int
	// index maps an ID to its first entry in Plan.Candidates.
	index map[string]int32
	// seen holds, by candidate, 1 + the last fault that named it.
	seen []int32
	// fields are those that the fault being checked has.
	fields []*FaultField
	shift  wallShift
	rollouts
	// precision is that of the row, 0 until a candidate has given it.
	precision time.Duration
	// places maps the name of an election to its index.
	places map[string]int
	// taken are the names of the elections that candidates take part in. It is empty if the plan names no elections.
	taken map[string]bool
	// locked tells for each object whether a candidate's lock is on it.
	locked [simlock.Objects]bool
	// expires and lasts tell whether there is a lock that expires by itself, and one that does not; patches, whether some
	// candidate's client writes by patches.
	expires, lasts, patches bool
	// traffics counts the requests of other traffic, of clients and in brownouts.
	traffics int64
}

// reset prepares v to check p. It keeps nothing of the check before but its memory.
func (v *planCheck) reset(p *Plan) {
	*v = planCheck{
		plan: p, index: reuse.Cleared(v.index), places: reuse.Cleared(v.places), taken: reuse.Cleared(v.taken),
		seen: v.seen, fields: v.fields, shift: wallShift{named: v.shift.named},
		rollouts: rollouts{replacedBy: v.replacedBy, startedBy: v.startedBy},
	}
}

// part is a part of a plan.
type part uint8

const (
	inPlan part = iota
	inCandidates
	inCoordinator
	inFaults
)

// path returns the path of the candidate, the coordinator or the fault that is being checked; "" for the plan.
func (v *planCheck) path() string {
	switch v.in {
	case inCandidates:
		return v.entryPath(v.item)
	case inCoordinator:
		return CoordinatorID
	case inFaults:
		return "faults[" + strconv.Itoa(v.item) + "]"
	}
	return ""
}

// wallShift bounds how far wall clocks can be from true time: by the sum of all that can shift them.
type wallShift struct {
	// named is, by candidate, the sum of its offset and of the jumps that name it; served is that of the service's clock.
	named  []time.Duration
	served time.Duration
	// most is the largest of these sums; common is the sum of the jumps that can affect any candidate.
	most, common time.Duration
}

// fail records a problem in v.err if it is the first. field is relative to the candidate or fault that is being checked.
func (v *planCheck) fail(field, format string, args ...any) {
	if v.err != nil {
		return
	}
	path := strings.Trim(v.path()+"."+field, ".")
	v.err = &FieldError{Path: path, Problem: fmt.Sprintf(format, args...)}
}

// between records an error of the field if d is not in [least, MaxDuration]. least is 0, or 1 to refuse 0 too.
func (v *planCheck) between(field string, d, least time.Duration) {
	switch {
	case d < 0:
		v.fail(field, "%v is negative", d)
	case d < least:
		v.fail(field, "must be greater than zero")
	case d > MaxDuration:
		v.fail(field, "%v is more than ten years (87600h)", d)
	}
}

// signed records an error of the field if d, which can be negative, is longer than ten years.
func (v *planCheck) signed(field string, d time.Duration) {
	if d < -MaxDuration || d > MaxDuration {
		v.fail(field, "%v is more than ten years (87600h)", d)
	}
}

// drift records an error of the field if ppm, the drift of a clock in parts per million, is out of range.
func (v *planCheck) drift(field string, ppm int64) {
	if ppm < MinDriftPPM || ppm > MaxDriftPPM {
		v.fail(field, "%d is out of range; want %d to %d", ppm, MinDriftPPM, MaxDriftPPM)
	}
}

// delay records an error of the field unless 0 <= d.Min <= d.Max <= MaxDuration.
func (v *planCheck) delay(field string, d *Delay) {
	switch {
	case 0 <= d.Min && d.Min <= d.Max && d.Max <= MaxDuration:
		return
	case d.Min == d.Max:
		v.between(field, d.Min, 0)
		return
	}
	v.between(field+".min", d.Min, 0)
	v.between(field+".max", d.Max, 0)
	if d.Min > d.Max {
		v.fail(field, "min %v is more than max %v", d.Min, d.Max)
	}
}

// name records an error of the field unless s, an ID or identity, is printable text of 1 to 253 bytes.
func (v *planCheck) name(field, s string) {
	switch {
	case s == "":
		v.fail(field, "must not be empty")
	case len(s) > maxNameBytes:
		v.fail(field, "%s is %d bytes long; want %d at most", phrase.Quote(s), len(s), maxNameBytes)
	case !printable(s):
		v.fail(field, "%s is not printable text", phrase.Quote(s))
	}
}

// printable tells whether s is valid UTF-8 of printable characters and blanks.
func printable(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// addCandidate adds the absolute value of d, an offset or a jump, to the possible shift of candidate i's wall clock.
func (w *wallShift) addCandidate(i int32, d time.Duration) {
	w.named[i] += d.Abs()
	w.most = max(w.most, w.named[i])
}

// addService adds the absolute value of d, an offset or a jump, to the possible shift of the lock service's wall clock.
func (w *wallShift) addService(d time.Duration) {
	w.served += d.Abs()
	w.most = max(w.most, w.served)
}

// tooFar tells whether a wall clock can be a hundred years or more from true time.
func (w *wallShift) tooFar() bool { return w.most+w.common >= MaxWallShift }

// oneOf formats names for a message: "one of a, b", or only the name if there is one.
func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}
