package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/search"
	"interregnum/plan"
	"interregnum/reports"
	"interregnum/scenarios"
)

// Collection is a folder into which failures are written. A nil Collection keeps nothing.
type Collection struct {
	dir    string
	target *search.Target
	// known are the sets of properties that scenarios in the folder violate with the target's profile and lock.
	known map[string]bool
}

// OpenCollection opens the folder of --keep, and reads the scenarios in it. It returns nil, nil if dir is "". It returns an error
// if the folder or a scenario in it cannot be read, or if nothing can be written into it, so that a search begins only if its
// failures can be kept.
func OpenCollection(dir string, t *search.Target) (*Collection, error) {
	if dir == "" {
		return nil, nil
	}
	bad := func(err error) error { return &exit.Error{Code: exit.BadInput, Text: "--keep " + err.Error()} }
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, bad(fmt.Errorf("%s: want a folder that is there", dir))
	}
	files, err := search.ScenarioFiles(dir)
	if err != nil {
		return nil, bad(err)
	}
	k := &Collection{dir: dir, target: t, known: map[string]bool{}}
	for _, file := range files {
		s, err := scenarios.ReadFile(file)
		if err != nil {
			return nil, bad(err)
		}
		k.known[k.setOf(s)] = true
	}
	f, err := outfile.Beside(filepath.Join(dir, "simulate"))
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return nil, &exit.Error{Code: exit.HarnessFailed, Text: fmt.Sprintf("--keep %s: cannot write into it, so nothing has run: %v",
			dir, err)}
	}
	return k, nil
}

// setOf returns the set of properties that a scenario is expected to violate and that the search judges, as one text. It returns
// "" if a candidate has another profile or kind of lock than the search.
func (k *Collection) setOf(s *scenarios.Scenario) string {
	for i := range s.Candidates {
		if s.Candidates[i].Profile != k.target.Profile || s.Candidates[i].Lock != k.target.Kind() {
			return ""
		}
	}
	return strings.Join(k.target.Violates(s), " ")
}

// Keep writes a failure for each set of properties that the folder does not have yet, and prints the name of each new file to
// talk. It goes on after a failure that cannot be kept. The error then shows its small scenario or, if it cannot be made small,
// its command.
func (k *Collection) Keep(talk io.Writer, c *reports.Campaign) error {
	if k == nil {
		return nil
	}
	var failed []string
	for _, sort := range c.Sorts() {
		key := strings.Join(sort.Properties, " ")
		if key == "" || k.known[key] {
			continue
		}
		text, name, err := k.shrink(c, &sort)
		if err != nil {
			failed = append(failed, fmt.Sprintf("seed %d cannot be made small: %v\n%s", sort.Seed, err, c.Show(sort.Seed, sort.Corpus)))
			continue
		}
		file, err := writeNew(k.dir, name, text)
		if err != nil {
			failed = append(failed, fmt.Sprintf("--keep %s: seed %d is not kept: %v; its scenario is\n%s", k.dir, sort.Seed, err, text("")))
			continue
		}
		k.known[key] = true
		fmt.Fprintf(talk, "simulate: kept %s, which violates %s\n", file, strings.Join(sort.Properties, ", "))
	}
	if len(failed) > 0 {
		return &exit.Error{Code: exit.HarnessFailed, Text: strings.Join(failed, "\n")}
	}
	return nil
}

// shrink shrinks the worst failure of a sort. It returns a name for the small scenario, and a function that returns the text of
// its file. The function takes another name for the scenario; "" means the returned name.
func (k *Collection) shrink(c *reports.Campaign, sort *reports.CampaignSort) (text func(name string) []byte, name string, err error) {
	whole, err := k.target.ScenarioOf(sort.Seed, sort.Corpus)
	if err != nil {
		return nil, "", err
	}
	shrunk, err := k.target.Shrink(whole, sort.Properties)
	if err != nil {
		return nil, "", err
	}
	name = strings.ReplaceAll(k.target.Profile.Name, ".", "-") + "-"
	if kind := k.target.Kind(); kind != plan.Lease {
		name += string(kind) + "-"
	}
	name += strings.Join(slices.Sorted(slices.Values(sort.Properties)), "-")
	return func(as string) []byte {
		var b bytes.Buffer
		fmt.Fprintf(&b, "# %s\n", c.Show(sort.Seed, sort.Corpus))
		s := *shrunk.Scenario
		s.Name = name
		if as != "" {
			s.Name = as
		}
		err := s.WriteYAML(&b)
		if err != nil {
			fmt.Fprintf(&b, "# %v\n", err)
		}
		return b.Bytes()
	}, name, nil
}

// writeNew writes a new file in dir and returns its path. The file is called name.yaml or, if that exists, name-2.yaml and so on;
// text returns its content for the name without .yaml. The file appears complete or not at all.
func writeNew(dir, name string, text func(name string) []byte) (string, error) {
	for n := 1; ; n++ {
		as := name
		if n > 1 {
			as = fmt.Sprintf("%s-%d", name, n)
		}
		file := filepath.Join(dir, as+".yaml")
		if _, err := os.Lstat(file); err == nil {
			continue
		}
		if err := writeOnce(file, text(as)); !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// writeOnce writes a file, complete or not at all. The error is fs.ErrExist if the file exists already. On a file system without
// hard links it replaces such a file instead.
func writeOnce(file string, text []byte) error {
	f, err := outfile.Beside(file)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	err = os.Link(f.Name(), file)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, errors.ErrUnsupported) {
		return os.Rename(f.Name(), file) // the file system has no links; writeNew has checked that the name is free
	}
	return err
}
