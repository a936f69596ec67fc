package main

import (
	"github.com/spf13/cobra"

	"interregnum/internal/search"
	"interregnum/reports"
)

// tellSearch prints the summary of a search as the search does, and ends as it does.
func tellSearch(c *cobra.Command, t *search.Target, s *search.Summary, form string, k *collection) error {
	campaign := newCampaign(t, s)
	printed := printCampaigns(c.OutOrStdout(), []*reports.Campaign{campaign}, form)
	if err := k.keep(c.ErrOrStderr(), campaign); err != nil {
		return err
	}
	if printed != nil {
		return printed
	}
	return outcomeOf(s, campaign)
}
