package text

import (
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// comparison adds to s the table of how targets differ from the first one. It adds nothing if they were not compared.
func (s *sheet) comparison(r *outlook.Report) {
	rows := Comparison(r)
	if rows == nil {
		return
	}
	s.line("compared by the same random numbers")
	s.table(&table{indent: "  ", headed: true, rows: rows})
	s.blank()
}

// Comparison returns the table of how targets differ from the first one, with a row for each target that has a forecast; the
// table's first row names the columns. It returns nil if the targets were not compared.
func Comparison(r *outlook.Report) [][]string {
	first := r.First()
	if first == nil {
		return nil
	}
	rows := [][]string{{"timings", "losses a month", "without a leader a month", "API requests a day", "99 % of gaps up to", "worst overlap", "nobody should choose"}}
	for _, t := range r.Targets {
		if t.Forecast == nil {
			continue
		}
		row := []string{timings(&t.Timings)}
		f := t.Forecast
		var more []outlook.Figure
		if t != first {
			more = outlook.Differences(t.Against)
		}
		for i, one := range []outlook.Figure{outlook.Losses(f.Losses), outlook.Leaderless(f.Leaderless), outlook.Requests(f.Requests)} {
			cell := valueOf(&one)
			if t != first {
				cell += ": " + words.Difference(&more[i])
			}
			row = append(row, cell)
		}
		gap, _ := words.Figure(&outlook.Figure{Unit: outlook.Seconds, Estimate: f.Gaps.P99, Unseen: f.Gaps.Seen == 0})
		rows = append(rows, append(row, gap, worstOverlap(t), worseWords(t)))
	}
	return rows
}

// worstOverlap returns "none" for a target that the gate finds safe, and GateVerdict's sentence for any other.
func worstOverlap(t *outlook.Target) string {
	if t.Judgement.Verdict == gate.Safe {
		return "none"
	}
	return GateVerdict(t.Judgement)
}

// worseWords returns "worse than" and the timings of another target, such as "worse than 15s/10s/2s", for a target that nobody
// should choose because of that other one. It begins with "perhaps" if that is not certain. It returns "" for a target that people
// can choose.
func worseWords(t *outlook.Target) string {
	switch {
	case t.Worse == nil:
		return ""
	case t.Worse.Certain:
		return "worse than " + timings(&t.Worse.Than.Timings)
	}
	return "perhaps worse than " + timings(&t.Worse.Than.Timings)
}
