package text

import (
	"io"
	"regexp"
	"slices"

	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// group is a group in the list of shipped scenarios. A scenario belongs to the first group whose takes returns true.
type group struct {
	title string
	takes func(*scenarios.Scenario) bool
}

// groups are in the order of the list. The first group has the scenarios that no other group takes; its takes is nil.
var groups = []group{
	{title: "one leader, and what becomes of it"},
	{"hazards", nameMatches(`^h\d+-`)},
	{"a preview: a release that waits for the work", nameMatches(`^next-`)},
	{"keys and rows that expire by themselves", expiring},
	{"several elections in a process, and liveness probes", nameMatches(`^(elections|probe)-`)},
	{"from one lock to another", nameMatches(`^migrate-`)},
	{"with clients in other languages", nameMatches(`^(fabric8|python|java|csharp|rust)-`)},
	{"elections that the coordinator of the API server decides", nameMatches(`^coordinated-`)},
}

// nameMatches returns a function that tells whether a scenario's name matches a regular expression.
func nameMatches(pattern string) func(*scenarios.Scenario) bool {
	names := regexp.MustCompile(pattern)
	return func(s *scenarios.Scenario) bool { return names.MatchString(s.Name) }
}

// expiring tells whether the scenario has a lock that expires by itself.
func expiring(s *scenarios.Scenario) bool {
	return slices.ContainsFunc(s.Candidates, func(c scenarios.Candidate) bool { return c.Lock.Expires() })
}

// GroupOf returns the title of the group in which a shipped scenario is listed.
func GroupOf(s *scenarios.Scenario) string {
	for _, g := range groups[1:] {
		if g.takes(s) {
			return g.title
		}
	}
	return groups[0].title
}

// List writes the scenarios in groups, each with its name and what it shows. Lines have at most width columns.
func List(w io.Writer, all []*scenarios.Scenario, width int) error {
	column := 0
	byGroup := map[string][]*scenarios.Scenario{}
	for _, s := range all {
		column = max(column, words.Width(s.Name)+5)
		byGroup[GroupOf(s)] = append(byGroup[GroupOf(s)], s)
	}
	var lines []string
	for _, g := range groups {
		if len(byGroup[g.title]) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrap(g.title, width)...)
		for _, s := range byGroup[g.title] {
			lines = append(lines, entry(s, column, width)...)
		}
	}
	return write(w, lines)
}

// entry returns the lines of a scenario in the list: its text beside its name, or below it if there is little room. column
// is where the text begins.
func entry(s *scenarios.Scenario, column, width int) []string {
	if width-column < reports.MinWidth/2 {
		return append([]string{"  " + s.Name}, wrapBy(s.About, 4, width)...)
	}
	about := wrap(s.About, max(width-column, reports.MinWidth/2))
	if len(about) == 0 {
		about = []string{""}
	}
	return beside("  "+s.Name, column, about)
}
