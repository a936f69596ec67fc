package main

import (
	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/internal/search"
	"interregnum/reports"
)

// tellSearch prints the outcome of a search as simulate search does, and writes its failures into the collection; its
// error has the exit code.
func tellSearch(c *cobra.Command, t *search.Target, s *search.Summary, form string, k *campaign.Collection) error {
	found := campaign.New(t, s)
	printed := campaign.Print(c.OutOrStdout(), []*reports.Campaign{found}, form)
	if err := k.Keep(c.ErrOrStderr(), found); err != nil {
		return err
	}
	if printed != nil {
		return printed
	}
	return campaign.Outcome(s, found)
}
