package reports

import (
	"fmt"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
)

// Watched changes the story so that it says no more than a watch of the Lease shows, which sees neither processes nor requests that
// fail. It removes what is known of work, belief, the slowest write, clocks, processes and the causes of losses, and adds notes.
// The story's times are those at which the watch saw a write, later than the write.
func (x *LockStory) Watched() {
	open := investigate.Judgement{Verdict: investigate.Possible, Chain: []investigate.Link{{Text: "only the Lease was watched, which shows nothing of when work ends"}}}
	for i := range x.Terms {
		x.Terms[i].Worked, x.Terms[i].Belief = investigate.Span{}, investigate.Span{}
	}
	for i := range x.Pairs {
		x.Pairs[i].Worked, x.Pairs[i].Believed = open, open
	}
	x.Slowest, x.Offsets, x.Processes = nil, []investigate.Offset{}, nil
	x.Conflicts, x.Throttled, x.Failed = investigate.Tally{}, investigate.Tally{}, investigate.Tally{}
	x.Notes = append(x.Notes, "Times are those at which the watch saw a write, by the clock of its host. The first write was there when the watch began, or is older. "+
		"Requests that failed, and how long requests took, are not seen.")
	x.Notes = append(x.Notes, x.wanted()...)
	for i := range x.Losses {
		l := &x.Losses[i]
		places := []evidence.Place{x.Writes[x.Terms[l.Term].Last].Place}
		*l = investigate.Loss{Term: l.Term, Cause: investigate.Unknown, Chain: []investigate.Link{{Places: places, Text: "its last write that was seen"}}}
	}
}

// mostWanted is of how many changes of the holder the wanted logs are named: the last ones.
const mostWanted = 5

// wanted returns a note for each of the last mostWanted changes of the holder, on which logs would show more of it. It leaves out
// changes from a holder to itself.
func (x *LockStory) wanted() (all []string) {
	for i := range x.Pairs[max(0, len(x.Pairs)-mostWanted):] {
		p := &x.Pairs[max(0, len(x.Pairs)-mostWanted)+i]
		if x.Terms[p.Old].Holder == x.Terms[p.New].Holder {
			continue
		}
		from := x.Writes[x.Terms[p.Old].Last].Received.Add(-time.Minute)
		until := x.Writes[x.Terms[p.New].First].Received.Add(time.Minute)
		all = append(all, fmt.Sprintf("Whether %s and %s worked at once, and why the former led no longer, is in the logs of both pods and the audit log (level RequestResponse) from %s to %s, if anywhere.",
			x.Holder(p.Old), x.Holder(p.New), ClockTime(from), ClockTime(until)))
	}
	return all
}
