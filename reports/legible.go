package reports

import (
	"slices"

	"interregnum/internal/trace"
	"interregnum/reports/internal/words"
)

// Legible returns a copy of a header in which the names of the scenario, the candidates and the elections are safe to show. Names
// in a trace file can be anything, whereas those of a scenario were checked.
func Legible(h *trace.Header) *trace.Header {
	clean := *h
	clean.Scenario = words.Visible(h.Scenario, words.MaxName)
	clean.Candidates = slices.Clone(h.Candidates)
	for i := range clean.Candidates {
		clean.Candidates[i].ID = words.Visible(h.Candidates[i].ID, words.MaxName)
		clean.Candidates[i].Election = words.Visible(h.Candidates[i].Election, words.MaxName)
	}
	clean.Elections = slices.Clone(h.Elections)
	for i := range clean.Elections {
		clean.Elections[i] = words.Visible(h.Elections[i], words.MaxName)
	}
	return &clean
}
