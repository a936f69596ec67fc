package reports

import "interregnum/internal/check"

// Span is a stretch of true time, [From, To); To is Open while it lasts.
type Span struct{ From, To int64 }

// Open is the end of a span that has not ended by the horizon.
const Open = int64(1<<63 - 1)

// Within returns, for each span that overlaps the violation, the part of the span in which the violation lasts.
func Within(v *check.Violation, spans []Span) (parts []Span) {
	for _, s := range spans {
		if p := (Span{max(s.From, v.FromNs), min(s.To, v.ToNs)}); p.From < p.To {
			parts = append(parts, p)
		}
	}
	return parts
}

// begin appends to spans a span that begins at the instant at and is open. If the last one is open, it does nothing.
func begin(spans *[]Span, at int64) {
	if n := len(*spans); n == 0 || (*spans)[n-1].To != Open {
		*spans = append(*spans, Span{at, Open})
	}
}

// end sets the end of the last of spans to the instant at. If there is none, or it has ended, it does nothing.
func end(spans []Span, at int64) {
	if n := len(spans); n > 0 && spans[n-1].To == Open {
		spans[n-1].To = at
	}
}
