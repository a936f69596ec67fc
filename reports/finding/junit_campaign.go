package finding

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/reports"
)

// campaignSuite returns the test suite of a search: a test case for each property that it judges, and one for its coverage. It
// adds a test case with an error if the search was interrupted, and another one if runs did not finish.
func campaignSuite(c *reports.Campaign) junitSuite {
	s := junitSuite{Name: "search " + c.Target.Profile.Name}
	for _, property := range check.Names() {
		if c.Target.Asks(property) {
			s.add(junitCase{Name: property, Failure: violatedDetail(c, property)})
		}
	}
	var unseen *junitDetail
	if blind := c.Blind(); len(blind) > 0 {
		unseen = &junitDetail{Message: "no run showed " + strings.Join(blind, ", "), Type: "blind"}
	}
	s.add(junitCase{Name: "coverage", Failure: unseen})
	if c.Unfinished {
		s.add(junitCase{Name: "whole", Error: &junitDetail{
			Message: fmt.Sprintf("interrupted after %d runs: that is not the whole search", c.Summary.Runs), Type: "unfinished"}})
	}
	if n := c.Stuck(); n > 0 {
		s.add(junitCase{Name: "harness", Error: &junitDetail{Message: fmt.Sprintf("%d runs did not come to an end", n), Type: "harness"}})
	}
	return s
}

// violatedDetail returns the failure of a property, with the command that shows a run which violates it; nil if no run violates
// it.
func violatedDetail(c *reports.Campaign, property string) *junitDetail {
	n := c.Violating(property)
	if n == 0 {
		return nil
	}
	detail := &junitDetail{Message: fmt.Sprintf("%d of %d runs violate it", n, c.Summary.Runs), Type: property}
	for _, f := range c.Summary.Failures {
		if slices.Contains(f.Properties, property) {
			detail.Text = c.Show(f.Seed, f.Corpus)
			break
		}
	}
	return detail
}

// CampaignJUnit writes a test suite for each search.
func CampaignJUnit(w io.Writer, all []*reports.Campaign) error {
	suites := make([]junitSuite, len(all))
	for i, c := range all {
		suites[i] = campaignSuite(c)
	}
	return writeJUnit(w, "simulate search", suites...)
}
