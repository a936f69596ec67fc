package search

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
)

// interrupted returns the message for a search that was interrupted after lasted: what it has done, and a command. With --resume
// the command goes on. Without it, the command runs only the rest or, with a corpus, begins anew.
func (f *searchFlags) interrupted(c *cobra.Command, s *search.Summary, p *search.Plan, lasted time.Duration) string {
	done := fmt.Sprintf("interrupted after %d of %d runs", s.Runs, p.Mine()*search.BlockRuns)
	if p.Blocks == 0 {
		done = fmt.Sprintf("interrupted after %d runs, %v of %v", s.Runs, lasted.Round(time.Second), f.length)
	}
	instead := map[string]string{}
	if f.html != "" {
		instead["force"] = "true" // to replace the page that is written now
	}
	if f.length > 0 {
		instead["for"] = phrase.Duration(max(f.length-lasted, time.Second).Round(time.Second))
	}
	switch {
	case f.resume != "":
		return done + "; to go on:\n" + cliflag.Given(c, instead)
	case p.Corpus > 0:
		if f.length > 0 {
			instead["for"] = phrase.Duration(f.length)
		}
		instead["resume"] = "results.jsonl"
		return done + ", which are not kept; to begin anew, so that the next time the same command goes on:\n" + cliflag.Given(c, instead)
	}
	blocks := s.Blocks * max(p.Shards, 1) // of all shards
	instead["first-seed"] = fmt.Sprint((p.First + blocks) * search.BlockRuns)
	if p.Blocks > 0 {
		instead["runs"] = fmt.Sprint((p.Blocks - min(blocks, p.Blocks)) * search.BlockRuns)
	}
	return done + "; to run the rest, on its own, since without --resume FILE no results are kept to go on with:\n" + cliflag.Given(c, instead)
}
