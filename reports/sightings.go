package reports

import (
	"interregnum/internal/investigate"
	"interregnum/reports/internal/words"
)

// SightingColumns are the columns of the table of what objects, events and metrics show.
func SightingColumns() []string {
	return []string{"holder", "what is seen", "first", "last", "or later by", "times", "by the clock of"}
}

// SightingRows are the rows of that table, at most that many: the last ones. left is how many earlier ones are left out.
func (x *LockStory) SightingRows(most int) (rows [][]string, left int) {
	left = max(0, len(x.Sightings)-most)
	for i := left; i < len(x.Sightings); i++ {
		s := &x.Sightings[i]
		holder := words.Visible(s.Holder, 2*words.MaxLabel)
		clock := "its host"
		switch s.Sign {
		case investigate.Freed:
			holder, clock = "nobody", "who wrote it"
		case investigate.Leads, investigate.Idle:
			clock = "Prometheus"
		}
		rows = append(rows, []string{holder, string(s.Sign), ClockTime(s.First.Low), ClockTime(s.Last.Low),
			words.Duration(max(s.First.High.Sub(s.First.Low), s.Last.High.Sub(s.Last.Low))), words.Count(s.Times), clock})
	}
	return rows, left
}
