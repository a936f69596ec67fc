package input

import (
	"fmt"
	"io"
	"os"
	"strings"

	"interregnum/internal/phrase"
	"interregnum/scenarios"
)

// Scenario reads the scenario that an argument names: - is standard input; any other argument is a file or the name of a
// shipped scenario.
func Scenario(stdin io.Reader, arg string) (*scenarios.Scenario, error) {
	switch {
	case arg == "-":
		return scenarios.Read(stdin, Stdin)
	case IsFile(arg):
		return scenarios.ReadFile(arg)
	}
	s, err := scenarios.Named(arg)
	if info, folder := os.Stat(arg); err != nil && folder == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory; want a file", arg)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (simulate list shows all; a file needs a path or .yaml)", err)
	}
	return s, nil
}

// IsFile tells whether an argument names a file, and not a shipped scenario: it has a slash, ends in .yaml, .yml or .json, or there
// is such a file.
func IsFile(arg string) bool {
	if strings.ContainsRune(arg, os.PathSeparator) || strings.ContainsRune(arg, '/') {
		return true
	}
	for _, suffix := range []string{".yaml", ".yml", ".json"} {
		if strings.HasSuffix(arg, suffix) {
			return true
		}
	}
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir()
}

// RunCommand returns the command line that runs the scenario of an argument, with the seed of s. If profile is not "", all
// candidates have that profile. A scenario that came by standard input is FILE in it, and a comment says so.
func RunCommand(arg string, s *scenarios.Scenario, profile string) string {
	file, comment := phrase.ShellPath(arg), ""
	if arg == "-" {
		file, comment = "FILE", " # FILE: the scenario that came by standard input"
	}
	command := fmt.Sprintf("simulate run %s --seed %d", file, s.Seed)
	if profile != "" {
		command += " --profile " + phrase.ShellWord(profile)
	}
	return command + comment
}
