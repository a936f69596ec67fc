package reports

import "interregnum/internal/trace"

// RecordLine is who held the lock record of an object, and when it was written.
type RecordLine struct {
	Stretches []Stretch
	// Writes are runs of writes between which little time passed, so that their number is bounded.
	Writes []Span
	object trace.Object
	// election is an index into Header.Elections, electionName its name: "" where there is but one.
	election     int32
	electionName string
	// grain is how much time may pass between the writes of a run.
	grain int64
}

// Stretch is the time in which the record named one holder, "" for nobody.
type Stretch struct {
	Span
	Holder string
	// Candidate wrote it, or Nobody where an edit names no candidate; Shared tells that another wrote under the same name.
	Candidate int32
	Shared    bool
}

// Grains is into how many parts a horizon is divided; more than the columns of any picture by far.
const Grains = 8192

// newRecords returns an empty line for each record of a run: one for each object that locks are on, in each election.
func newRecords(h *trace.Header) []RecordLine {
	if len(h.Elections) > 0 {
		var records []RecordLine
		for i, run := range h.Project() {
			for _, r := range newRecords(run.Header) {
				r.election, r.electionName = int32(i), h.Elections[i]
				records = append(records, r)
			}
		}
		return records
	}
	objects := h.Objects()
	if objects == nil {
		objects = []trace.Object{trace.Lease}
	}
	records := make([]RecordLine, len(objects))
	for i, o := range objects {
		records[i] = RecordLine{object: o, grain: int64(h.Horizon) / Grains}
	}
	return records
}

// Name is what reports call the record.
func (r *RecordLine) Name() string {
	if r.electionName == "" {
		return r.object.String()
	}
	return r.object.String() + "/" + r.electionName
}

// Title is what a page calls its row.
func (r *RecordLine) Title() string { return r.Name() + " record" }

// observe takes in a write, a deletion or an expiry of the record: it begins a stretch, goes on with it or ends it.
func (r *RecordLine) observe(e *trace.Event) {
	last := len(r.Stretches) - 1
	if e.Kind == trace.Deleted || e.Kind == trace.Expired {
		if last >= 0 {
			r.Stretches[last].To = e.At
		}
		return
	}
	r.wrote(e.At)
	if last >= 0 && r.Stretches[last].To == Open {
		s := &r.Stretches[last]
		if s.Holder == e.Holder {
			if s.Candidate == trace.Nobody {
				s.Candidate = e.Candidate
			}
			s.Shared = s.Shared || e.Candidate != trace.Nobody && s.Candidate != e.Candidate
			return
		}
		s.To = e.At
	}
	r.Stretches = append(r.Stretches, Stretch{
		Span: Span{e.At, Open}, Holder: e.Holder, Candidate: e.Candidate,
	})
}

// wrote takes in the time of a write, and joins it with the writes before if it follows them closely.
func (r *RecordLine) wrote(at int64) {
	if n := len(r.Writes); n > 0 && at-r.Writes[n-1].To <= r.grain {
		r.Writes[n-1].To = at
		return
	}
	r.Writes = append(r.Writes, Span{at, at})
}
