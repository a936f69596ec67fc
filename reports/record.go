package reports

import (
	"slices"

	"interregnum/internal/trace"
)

// recordLine is who held the lock record of an object, and when it was written.
type recordLine struct {
	object trace.Object
	// election is "" where there is but one.
	election  string
	stretches []stretch
	// writes are runs of writes between which less than grain passed, so that their number is bounded.
	writes []span
	grain  int64
}

// stretch is the time in which the record named one holder, "" for nobody.
type stretch struct {
	span
	holder string
	// candidate wrote it, or Nobody where an edit names no candidate; shared tells that another wrote under the same name.
	candidate int32
	shared    bool
}

// grains is into how many parts a horizon is divided; more than the columns of any picture by far.
const grains = 8192

// newRecords returns an empty line for each record of a run: one for each object that locks are on, in each election.
func newRecords(h *trace.Header) []recordLine {
	if len(h.Elections) > 0 {
		var records []recordLine
		for i, run := range h.Project() {
			for _, r := range newRecords(run.Header) {
				r.election = h.Elections[i]
				records = append(records, r)
			}
		}
		return records
	}
	objects := h.Objects()
	if objects == nil {
		objects = []trace.Object{trace.Lease}
	}
	records := make([]recordLine, len(objects))
	for i, o := range objects {
		records[i] = recordLine{object: o, grain: int64(h.Horizon) / grains}
	}
	return records
}

// recordOf is the record of an object, or the first where the header names no such object.
func (t *Timeline) recordOf(e *trace.Event) *recordLine {
	return &t.records[t.recordIndex(e)]
}

// recordIndex is which of the records an event is about.
func (t *Timeline) recordIndex(e *trace.Event) int {
	election := t.electionOf(e)
	i := slices.IndexFunc(t.records, func(r recordLine) bool { return r.object == e.Object && r.election == election })
	return max(i, 0)
}

// electionOf is the election that an event is about, "" where there is but one.
func (t *Timeline) electionOf(e *trace.Event) string {
	switch {
	case e.Candidate != trace.Nobody:
		return t.header.Candidates[e.Candidate].Election
	case len(t.header.Elections) > 0:
		return t.header.Elections[e.Election]
	}
	return ""
}

// name is what reports call the record.
func (r *recordLine) name() string {
	if r.election == "" {
		return r.object.String()
	}
	return r.object.String() + "/" + r.election
}

// title is what a page calls its row.
func (r *recordLine) title() string { return r.name() + " record" }

// several tells whether locks are on other objects than the Lease, so that texts have to say which object they mean.
func (t *Timeline) several() bool { return len(t.header.Objects()) > 0 }

// of adds to a text about a request which object the request is for, where texts have to say that.
func (t *Timeline) of(what string, o trace.Object) string {
	if !t.several() {
		return what
	}
	return what + " of the " + o.String()
}

// observe takes in a write, a deletion or an expiry of the record: it begins a stretch, goes on with it or ends it.
func (r *recordLine) observe(e *trace.Event) {
	last := len(r.stretches) - 1
	if e.Kind == trace.Deleted || e.Kind == trace.Expired {
		if last >= 0 {
			r.stretches[last].to = e.At
		}
		return
	}
	r.wrote(e.At)
	if last >= 0 && r.stretches[last].to == open {
		s := &r.stretches[last]
		if s.holder == e.Holder {
			if s.candidate == trace.Nobody {
				s.candidate = e.Candidate
			}
			s.shared = s.shared || e.Candidate != trace.Nobody && s.candidate != e.Candidate
			return
		}
		s.to = e.At
	}
	r.stretches = append(r.stretches, stretch{
		span: span{e.At, open}, holder: e.Holder, candidate: e.Candidate,
	})
}

// wrote takes in the time of a write, and joins it with the writes before if it follows them closely.
func (r *recordLine) wrote(at int64) {
	if n := len(r.writes); n > 0 && at-r.writes[n-1].to <= r.grain {
		r.writes[n-1].to = at
		return
	}
	r.writes = append(r.writes, span{at, at})
}
