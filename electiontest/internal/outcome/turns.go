package outcome

import (
	"fmt"
	"time"

	"interregnum/internal/trace"
)

// intrusion is guarded work of the candidate who that began at the time at, while the lock was held by other. Candidates are
// indices, times are in ns since the run began.
type intrusion struct {
	who   int32
	at    int64
	other holder
}

// intruded returns a remark on o.intrusion that says since when the other held the lock, and whether the context of the intruder's work
// had ended. It returns "" if o.intrusion is nil.
func (o *Outcome) intruded() string {
	x := o.intrusion
	if x == nil {
		return ""
	}
	who, other := o.Header.Candidates[x.who].ID, o.Header.Candidates[x.other.candidate].ID
	text := fmt.Sprintf("%s began work at %v, when %s had held the lock since %v", who, time.Duration(x.at), other, time.Duration(x.other.since))
	for i := range o.Events {
		if e := &o.Events[i]; e.Kind == trace.WorkCancelled && e.Candidate == x.who && e.At == x.at {
			return text + ", though the context of that work had ended: look at it before each piece of work"
		}
	}
	renewed := int64(-1)
	for candidate, at := range o.acknowledged {
		if candidate == x.who && at <= x.at {
			renewed = at
		}
	}
	if renewed < 0 {
		return text + "; no write of its name had been answered"
	}
	return text + fmt.Sprintf("; the context of that work had not ended, and the last write of its name was answered at %v", time.Duration(renewed))
}
