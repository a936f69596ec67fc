package reports

import "interregnum/reports/internal/words"

// OutageTable returns the table of the outages. If there are more outages than most, which must not be negative, it has rows for
// the last ones, as many as most says.
func (v *Investigation) OutageTable(most int) Table {
	t := Table{Columns: []string{"from", "for", "what", "requests", "failed", "locks", "of"}, Left: max(0, len(v.Outages)-most)}
	for _, o := range v.Outages[t.Left:] {
		of := "all"
		if o.Of != nil {
			of = o.Of.String() + " alone"
		}
		t.Rows = append(t.Rows, []string{ClockTime(o.From), words.Duration(o.Until.Sub(o.From)), string(o.Kind), words.Count(o.Requests), words.Count(o.Failed), words.Count(o.Locks), of})
	}
	return t
}
