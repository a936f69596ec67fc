package completion

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/scenarios"
)

// completer returns the words that complete word, given the arguments before it. The directive tells the shell what else
// completes it; with FilterFileExt the words are endings of files. cobra calls it.
type completer = func(c *cobra.Command, before []string, word string) ([]string, cobra.ShellCompDirective)

// Scenarios returns a completer for the names of shipped scenarios for which wanted returns true, without those that are arguments
// already, and for files with one of the extensions. If a name fits, only files in the current folder are completed. It completes
// at most limit arguments; 0 is no limit.
func Scenarios(limit int, wanted func(*scenarios.Scenario) bool, extensions ...string) completer {
	return func(_ *cobra.Command, before []string, word string) ([]string, cobra.ShellCompDirective) {
		if limit > 0 && len(before) >= limit {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, err := scenarios.Library()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, s := range all {
			if strings.HasPrefix(s.Name, word) && !slices.Contains(before, s.Name) && wanted(s) {
				names = append(names, s.Name+"\t"+s.About)
			}
		}
		if len(names) == 0 {
			return extensions, cobra.ShellCompDirectiveFilterFileExt
		}
		return append(names, filesHere(word, extensions)...), cobra.ShellCompDirectiveNoFileComp
	}
}

// Any returns true for every scenario. It can be the argument wanted of Scenarios.
func Any(*scenarios.Scenario) bool { return true }

// Results is a completer for files of results. If word can begin the name of a command below c, which cobra offers by itself, it
// returns files in the current folder as words; otherwise it returns the extensions of the files.
func Results(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	for _, sub := range c.Commands() {
		if strings.HasPrefix(sub.Name(), word) {
			return filesHere(word, resultFiles), cobra.ShellCompDirectiveNoFileComp
		}
	}
	return resultFiles, cobra.ShellCompDirectiveFilterFileExt
}

var resultFiles = []string{"jsonl", "json"}

// filesHere returns the files in the current folder whose names begin with word and have one of the extensions. A shell completes
// either words or files, so beside other words these files are given as words; those in other folders are not.
func filesHere(word string, extensions []string) (names []string) {
	files, err := os.ReadDir(".")
	if err != nil {
		return nil
	}
	for _, f := range files {
		extension := strings.TrimPrefix(filepath.Ext(f.Name()), ".")
		if !f.IsDir() && strings.HasPrefix(f.Name(), word) && slices.Contains(extensions, extension) {
			names = append(names, f.Name())
		}
	}
	return names
}

// Files returns a completer for files with these extensions, and for folders.
func Files(extensions ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}
