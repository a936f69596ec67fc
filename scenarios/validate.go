package scenarios

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

var nameForm = regexp.MustCompile(`^[a-z0-9-]+$`)

// Validate returns nil if the scenario can be run, and written to a file that reads back the same. Otherwise it returns a
// *FieldError for the first problem that is found, mostly in the order in which a scenario file has its fields.
func (s *Scenario) Validate() error {
	switch {
	case s.Name == "":
		return &plan.FieldError{Path: "name", Problem: "must not be empty; it is made of a-z, 0-9 and -"}
	case !nameForm.MatchString(s.Name):
		problem := phrase.Quote(s.Name) + " has other characters than a-z, 0-9 and -"
		return &plan.FieldError{Path: "name", Problem: problem}
	case !legible(s.About):
		return &plan.FieldError{Path: "about", Problem: phrase.Quote(s.About) + " has control characters"}
	}
	if err := s.Plan.Validate(); err != nil {
		return err
	}
	if problem := s.unwritable(); problem != "" {
		return &plan.FieldError{Path: "elections", Problem: problem}
	}
	for _, property := range slices.Sorted(maps.Keys(s.Expect)) {
		if problem := s.expectProblem(property); problem != "" {
			return &plan.FieldError{Path: "expect." + pathName(property), Problem: problem}
		}
	}
	return nil
}

// expectProblem returns what is wrong with the expectation of a property, or "" if nothing is.
func (s *Scenario) expectProblem(property string) string {
	if !slices.Contains(check.Names(), property) {
		return "unknown property; want one of " + strings.Join(check.Names(), ", ")
	}
	switch e := s.Expect[property]; e {
	case ExpectHeld, ExpectViolated, ExpectInconclusive, ExpectAny:
		return ""
	default:
		return phrase.Quote(string(e)) + " is not a verdict; want held, violated, inconclusive or any"
	}
}

// legible tells whether s is valid UTF-8 without control characters other than tabs and ends of lines.
func legible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t'
	})
}
