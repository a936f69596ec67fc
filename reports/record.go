package reports

import (
	"interregnum/internal/trace"
)

// recordLine is who held the lock record, and when it was written.
type recordLine struct {
	stretches []stretch
	// writes are runs of writes between which less than grain passed, so that their number is bounded.
	writes []span
	grain  int64
}

// stretch is the time in which the record named one holder, "" for nobody.
type stretch struct {
	span
	holder string
	// candidate wrote it; shared tells that another wrote under the same name.
	candidate int32
	shared    bool
}

// grains is into how many parts a horizon is divided; more than the columns of any picture by far.
const grains = 8192

func (r *recordLine) init(h *trace.Header) { r.grain = int64(h.Horizon) / grains }

func (r *recordLine) observe(e *trace.Event) {
	last := len(r.stretches) - 1
	if e.Kind == trace.Deleted {
		if last >= 0 {
			r.stretches[last].to = e.At
		}
		return
	}
	r.wrote(e.At)
	if last >= 0 && r.stretches[last].to == open {
		s := &r.stretches[last]
		if s.holder == e.Holder {
			s.shared = s.shared || s.candidate != e.Candidate
			return
		}
		s.to = e.At
	}
	r.stretches = append(r.stretches, stretch{
		span: span{e.At, open}, holder: e.Holder, candidate: e.Candidate,
	})
}

func (r *recordLine) wrote(at int64) {
	if n := len(r.writes); n > 0 && at-r.writes[n-1].to <= r.grain {
		r.writes[n-1].to = at
		return
	}
	r.writes = append(r.writes, span{at, at})
}

// holder is whom the record names, "" for nobody.
func (r *recordLine) holder() string {
	if n := len(r.stretches); n > 0 && r.stretches[n-1].to == open {
		return r.stretches[n-1].holder
	}
	return ""
}
