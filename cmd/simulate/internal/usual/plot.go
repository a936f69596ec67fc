package usual

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
)

// Plot has the flags of a picture.
type Plot struct {
	// File is the name of the file into which the picture is drawn; "" if none is drawn.
	File string
	// Force tells that files that exist may be replaced.
	Force bool
}

// Register adds the flags --plot and --force to the command. what is what is drawn, for the help.
func (f *Plot) Register(c *cobra.Command, what string) {
	c.Flags().StringVar(&f.File, "plot", "", "draw "+what+" into `FILE`, which ends in .svg or .png")
	c.Flags().BoolVar(&f.Force, "force", false, "--plot replaces a file that exists")
}

// Check returns an error if --plot is given and names a file that ends in neither .svg nor .png, or one that is read or written already.
func (f *Plot) Check(c *cobra.Command) error {
	if form := f.Form(); c.Flags().Changed("plot") && form != "svg" && form != "png" {
		return exit.Usage(c.CommandPath(), "--plot %q: want a file that ends in .svg or .png", f.File)
	}
	return outfile.Apart(c, c.Flags().Args(), "plot")
}

// Form returns the ending of the picture's file in small letters, without its dot, which is the form of the picture; "" without a
// file.
func (f *Plot) Form() string { return strings.TrimPrefix(strings.ToLower(filepath.Ext(f.File)), ".") }

// Write calls draw to draw the picture into its file. It does nothing if there is no file.
func (f *Plot) Write(draw func(io.Writer) error) error {
	return outfile.Write("--plot", f.File, f.Force, draw)
}
