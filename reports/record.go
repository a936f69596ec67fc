package reports

import "interregnum/internal/trace"

// RecordLine is the history of a lock record: who held it, and when it was written.
type RecordLine struct {
	Stretches []Stretch
	// Writes are the times of writes. Writes that follow each other closely share a span, so that the number is bounded.
	Writes []Span
	object trace.Object
	// election is an index into Header.Elections, and electionName its name: 0 and "" if there is only one.
	election     int32
	electionName string
	// grain is how much time may pass between two writes that share a span.
	grain int64
}

// Stretch is a time in which the record named one holder, "" for nobody.
type Stretch struct {
	Span
	Holder string
	// Candidate is the one that wrote the record; Nobody if an edit has named a holder that is no candidate. Shared tells that
	// another candidate wrote it too, under the same name.
	Candidate int32
	Shared    bool
}

// Grains is the number of parts into which a horizon is divided, far more than the columns of any picture.
const Grains = 8192

// newRecords returns an empty history for each record of a run: one for each object that locks are on, in each election.
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

// Name returns the record's name in reports: its object and, if there are several elections, a slash and the election.
func (r *RecordLine) Name() string {
	if r.electionName == "" {
		return r.object.String()
	}
	return r.object.String() + "/" + r.electionName
}

// Title returns the record's name on a page: Name, followed by "record".
func (r *RecordLine) Title() string { return r.Name() + " record" }

// observe records in r a write, a deletion or an expiry of the record. A write is added to r.Writes, and begins a new stretch if it
// names another holder or if there is no open stretch. A write by another candidate under the same name makes the open stretch
// Shared. A deletion or an expiry ends the last stretch.
func (r *RecordLine) observe(e *trace.Event) {
	last := len(r.Stretches) - 1
	if e.Kind == trace.Deleted || e.Kind == trace.Expired {
		if last >= 0 {
			r.Stretches[last].To = e.At
		}
		return
	}
	r.addWrite(e.At)
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

// addWrite records a write at the instant at in r.Writes. It extends the last span if the write follows closely.
func (r *RecordLine) addWrite(at int64) {
	if n := len(r.Writes); n > 0 && at-r.Writes[n-1].To <= r.grain {
		r.Writes[n-1].To = at
		return
	}
	r.Writes = append(r.Writes, Span{at, at})
}
