package scenarios

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"interregnum/internal/phrase"
)

//go:embed library/*.yaml
var shipped embed.FS

const libraryFolder = "library"

// Library returns the scenarios that ship, sorted by name. It is an error if one of them cannot be read, which no release
// allows.
func Library() ([]*Scenario, error) {
	all := make([]*Scenario, 0, 64)
	for _, name := range libraryNames() {
		s, err := readShipped(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Named returns the shipped scenario of that name. The error suggests names that are close.
func Named(name string) (*Scenario, error) {
	names := libraryNames()
	if !slices.Contains(names, name) {
		return nil, unknownName(name, names)
	}
	return readShipped(name)
}

// Matching returns the shipped scenarios whose names match a pattern of path.Match, sorted by name. It is an error if none
// matches, if the pattern is malformed, or if a scenario that matches cannot be read.
func Matching(pattern string) ([]*Scenario, error) {
	var all []*Scenario
	for _, name := range libraryNames() {
		matches, err := path.Match(pattern, name)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern: want *, ? and [ranges]", pattern)
		}
		if !matches {
			continue
		}
		s, err := readShipped(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if all == nil {
		return nil, fmt.Errorf("no scenario that ships matches %q", pattern)
	}
	return all, nil
}

// readShipped reads the shipped scenario of that name. It is an error if there is none.
func readShipped(name string) (*Scenario, error) {
	file := path.Join(libraryFolder, name+".yaml")
	f, err := shipped.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, file)
}

// libraryNames returns the names of the shipped scenarios, sorted. Each has the name of its file.
func libraryNames() []string {
	entries, err := shipped.ReadDir(libraryFolder)
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	slices.Sort(names)
	return names
}

// maxSuggestions is how many names an error suggests.
const maxSuggestions = 3

// unknownName returns the error for a name that is not among names, those of the shipped scenarios. It suggests at most
// maxSuggestions names: those that differ little, and those that contain the given one, since people remember a part.
func unknownName(name string, names []string) error {
	type match struct {
		name     string
		distance int
	}
	var near []match
	for _, n := range names {
		if len(name) > 2*len(n) {
			continue
		}
		if d := phrase.Distance(name, n); d <= max(2, len(name)/3) || len(name) >= 3 && strings.Contains(n, name) {
			near = append(near, match{n, d})
		}
	}
	if len(near) == 0 {
		return fmt.Errorf("no scenario named %q ships", name)
	}
	slices.SortStableFunc(near, func(a, b match) int { return cmp.Compare(a.distance, b.distance) })
	near = near[:min(len(near), maxSuggestions)]
	suggestions := make([]string, len(near))
	for i, m := range near {
		suggestions[i] = m.name
	}
	return fmt.Errorf("no scenario named %q ships; did you mean %s?", name, strings.Join(suggestions, " or "))
}
