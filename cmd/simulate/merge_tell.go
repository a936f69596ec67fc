package main

import (
	"github.com/spf13/cobra"

	"interregnum/internal/search"
	"interregnum/reports"
)

// tellSearch prints the outcome of a search as simulate search does, and writes its failures into the collection; its
// error has the exit code.
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
