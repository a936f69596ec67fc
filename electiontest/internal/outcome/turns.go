package outcome

import (
	"fmt"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// turns returns a remark on the first work that began while the lock was another's, without an overlap: since when that one held it, and why the
// first went on; "" where there is none.
func (o *Outcome) turns() string {
	p := check.Named(o.Result.Properties, check.SingleWork)
	if p == nil || p.Verdict != check.Violated || p.Violations[0].FromNs != p.Violations[0].ToNs {
		return ""
	}
	v := &p.Violations[0]
	taken, renewed, told := int64(-1), int64(-1), false
	named := map[sender]bool{}
	last := trace.Nobody
	for i := range o.Events {
		e := &o.Events[i]
		if e.At > v.FromNs {
			break
		}
		if e.Candidate == trace.Nobody || o.Header.Candidates[e.Candidate].Election != v.Election {
			continue
		}
		id, key := o.Header.Candidates[e.Candidate].ID, sender{e.Candidate, e.Request}
		switch {
		case e.Kind == trace.Written && e.Holder != "":
			named[key] = true
			if e.Candidate != last && id == v.Candidates[1] {
				taken = e.At
			}
			last = e.Candidate
		case e.Kind == trace.ResponseHandled && named[key] && id == v.Candidates[0]:
			renewed = e.At
		case e.Kind == trace.WorkCancelled && e.At == v.FromNs && id == v.Candidates[0]:
			told = true
		}
	}
	text := fmt.Sprintf("%s began work at %v, when %s had held the lock since %v", v.Candidates[0], time.Duration(v.FromNs), v.Candidates[1], time.Duration(taken))
	switch {
	case told:
		return text + ", though the context of that work had ended: look at it before each piece of work"
	case renewed < 0:
		return text + "; no write of its name had been answered"
	}
	return text + fmt.Sprintf("; the context of that work had not ended, and the last write of its name was answered at %v", time.Duration(renewed))
}
