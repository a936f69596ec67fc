package input

import (
	"fmt"
	"io"
	"os"
	"strings"

	"interregnum/internal/phrase"
	"interregnum/scenarios"
)

// Scenario reads the scenario that an argument means: standard input for -, a file, or one that ships by its name.
func Scenario(stdin io.Reader, arg string) (*scenarios.Scenario, error) {
	switch {
	case arg == "-":
		return scenarios.Read(stdin, Stdin)
	case IsFile(arg):
		return scenarios.ReadFile(arg)
	}
	s, err := scenarios.Named(arg)
	if err != nil {
		return nil, fmt.Errorf("%w (simulate list shows all; a file needs a path or .yaml)", err)
	}
	return s, nil
}

// IsFile tells whether an argument is taken for a scenario file, and not for the name of a shipped scenario.
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

// RunCommand is the command line that runs the scenario of an argument, with a profile in place of its own where that
// is not "".
func RunCommand(arg string, s *scenarios.Scenario, profile string) string {
	command := fmt.Sprintf("simulate run %s --seed %d", phrase.ShellWord(arg), s.Seed)
	if profile != "" {
		command += " --profile " + phrase.ShellWord(profile)
	}
	return command
}
