package reports

import (
	"slices"

	"interregnum/internal/trace"
)

// Legible is a header whose names are fit to be shown: those of a trace file can be anything, where those of a scenario
// were checked.
func Legible(h *trace.Header) *trace.Header {
	clean := *h
	clean.Scenario = visible(h.Scenario, maxName)
	clean.Candidates = slices.Clone(h.Candidates)
	for i := range clean.Candidates {
		clean.Candidates[i].ID = visible(h.Candidates[i].ID, maxName)
		clean.Candidates[i].Election = visible(h.Candidates[i].Election, maxName)
	}
	clean.Elections = slices.Clone(h.Elections)
	for i := range clean.Elections {
		clean.Elections[i] = visible(h.Elections[i], maxName)
	}
	return &clean
}
