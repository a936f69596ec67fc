// Package completion completes command lines of simulate in a shell: commands, flags and their values, scenarios and files.
package completion

import (
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
)

// shells are the shells with a completion script.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// New returns the command simulate completion.
func New() *cobra.Command {
	return &cobra.Command{
		Use:   "completion " + shells[0] + "|" + shells[1] + "|" + shells[2] + "|" + shells[3],
		Short: "A script that makes a shell complete command lines of simulate",
		Long: `A script that makes a shell complete command lines of simulate: commands, flags and their values, the names of the
scenarios that ship, and files.

bash (with the package bash-completion), zsh (with compinit), fish and PowerShell, each for the shells that start later:

  simulate completion bash > ~/.local/share/bash-completion/completions/simulate
  simulate completion zsh > "${fpath[1]}/_simulate"
  simulate completion fish > ~/.config/fish/completions/simulate.fish
  simulate completion powershell >> $PROFILE`,
		Example:               `  source <(simulate completion bash)`,
		DisableFlagsInUseLine: true,
		ValidArgs:             shells,
		RunE: func(c *cobra.Command, args []string) error {
			shell := ""
			if len(args) == 1 {
				shell = args[0]
			}
			out := c.OutOrStdout()
			switch shell {
			case "bash":
				return c.Root().GenBashCompletionV2(out, true)
			case "zsh":
				return c.Root().GenZshCompletion(out)
			case "fish":
				return c.Root().GenFishCompletion(out, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(out)
			}
			got, near := "none", phrase.DidYouMean(shell, shells)
			if len(args) > 0 {
				got = phrase.Quote(strings.Join(args, " "))
			}
			return exit.Usage(c.CommandPath(), "want one shell: %s; got %s%s", phrase.Or(shells), got, near)
		},
	}
}
