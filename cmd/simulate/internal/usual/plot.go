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
	// File is where the picture is drawn into; "": it is not drawn.
	File string
	// Force replaces files that exist.
	Force bool
}

// Register adds the flags to the command. what says what is drawn.
func (f *Plot) Register(c *cobra.Command, what string) {
	c.Flags().StringVar(&f.File, "plot", "", "draw "+what+" into `FILE`, which ends in .svg or .png")
	c.Flags().BoolVar(&f.Force, "force", false, "--plot replaces a file that exists")
}

// Check refuses names of other files than pictures.
func (f *Plot) Check(c *cobra.Command) error {
	if form := f.Form(); c.Flags().Changed("plot") && form != "svg" && form != "png" {
		return exit.Usage(c.CommandPath(), "--plot %q: want a file that ends in .svg or .png", f.File)
	}
	return nil
}

// Form returns the form of the picture: what the name of its file ends in, in small letters.
func (f *Plot) Form() string { return strings.TrimPrefix(strings.ToLower(filepath.Ext(f.File)), ".") }

// Write draws the picture into its file, if one is asked for.
func (f *Plot) Write(draw func(io.Writer) error) error {
	return outfile.Write("--plot", f.File, f.Force, draw)
}
