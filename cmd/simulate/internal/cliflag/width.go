package cliflag

import (
	"math"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/reports"
)

// maxWidth is the largest width that --width takes.
const maxWidth = 1000

// Width adds the flag --width to the command. The flag stores its value in width.
func Width(c *cobra.Command, width *int) {
	c.Flags().IntVar(width, "width", reports.DefaultWidth, "text is `N` columns wide; on a terminal, as wide as that")
}

// ChosenWidth returns the widths for text and for tables. Both are width, the value of --width, if the flag is given, otherwise
// that of the terminal. Without a terminal text has the default, and tables have no limit, so that programs find each row on one
// line. It returns an error for a --width that is out of range.
func ChosenWidth(c *cobra.Command, width int) (text, tables int, err error) {
	switch out := terminal.Of(c.OutOrStdout()); {
	case !c.Flags().Changed("width") && out.Width == 0:
		return reports.DefaultWidth, math.MaxInt, nil
	case !c.Flags().Changed("width"):
		return out.Columns(), out.Columns(), nil
	case width < reports.MinWidth || width > maxWidth:
		return 0, 0, exit.Usage(c.CommandPath(), "--width %d: want %d to %d", width, reports.MinWidth, maxWidth)
	}
	return width, width, nil
}
