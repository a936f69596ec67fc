package campaign

import (
	"bufio"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/search"
	"interregnum/reports"
)

// CreatePage makes the file of --html, nil for no path.
func CreatePage(path string, force bool) (*outfile.File, error) {
	if path == "" {
		return nil, nil
	}
	o, err := outfile.Create("--html", path, force)
	if err != nil {
		return nil, exit.With(exit.BadInput, err)
	}
	return o, nil
}

// WritePage completes the file of --html, if there is one.
func WritePage(o *outfile.File, c *reports.Campaign, h search.Header) error {
	if o == nil {
		return nil
	}
	w := bufio.NewWriter(o)
	err := reports.CampaignHTML(w, c, c.Command(&h))
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return &exit.Error{Code: exit.HarnessFailed, Text: "writing the page: " + err.Error()}
	}
	if err := o.Keep(); err != nil {
		return exit.With(exit.HarnessFailed, err)
	}
	return nil
}
