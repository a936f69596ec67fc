package investigate

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/phrase"
	"interregnum/reports"
	"interregnum/reports/page"
)

// files writes the files that flags name.
func (f *flags) files(c *cobra.Command, args []string, v *reports.Investigation) error {
	if f.html != "" {
		again := []string{c.CommandPath()}
		for _, arg := range args {
			again = append(again, phrase.ShellWord(arg))
		}
		if f.lock != "" {
			again = append(again, "--lock", phrase.ShellWord(f.lock))
		}
		write := func(w io.Writer) error {
			return page.Investigation(w, v, strings.Join(append(again, "--html", phrase.ShellWord(f.html)), " "))
		}
		if err := outfile.Write("--html", f.html, f.force, write); err != nil {
			return err
		}
	} else if c.Flags().Changed("html") {
		return exit.Usage(c.CommandPath(), "--html: want the name of a file")
	}
	return nil
}
