package reports

import (
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
)

// Watched has the story say no more than a watch of the Lease shows. Its times are those at which the watch saw a write, later than the write, and it
// sees neither processes nor requests that fail.
func (x *LockStory) Watched() {
	open := investigate.Judgement{Verdict: investigate.Possible, Chain: []investigate.Link{{Text: "only the Lease was watched, which shows nothing of when work ends"}}}
	for i := range x.Terms {
		x.Terms[i].Worked, x.Terms[i].Belief = investigate.Span{}, investigate.Span{}
	}
	for i := range x.Pairs {
		x.Pairs[i].Worked, x.Pairs[i].Believed = open, open
	}
	x.Slowest, x.Offsets = nil, []investigate.Offset{}
	x.Notes = append(x.Notes, "Times are those at which the watch saw a write, by the clock of its host. The first write was there when the watch began, or is older. "+
		"Requests that failed, and how long requests took, are not seen.")
	for i := range x.Losses {
		l := &x.Losses[i]
		places := []evidence.Place{x.Writes[x.Terms[l.Term].Last].Place}
		*l = investigate.Loss{Term: l.Term, Cause: investigate.Unknown, Chain: []investigate.Link{{Places: places, Text: "its last write that was seen"}}}
	}
}
