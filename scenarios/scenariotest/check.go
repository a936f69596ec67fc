package scenariotest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"interregnum/internal/phrase"
	"interregnum/internal/private"
	"interregnum/scenarios"
)

// TB is the part of testing.TB that Check needs. *testing.T, *testing.B, *testing.F and *rapid.T implement it.
type TB interface {
	Helper()
	Name() string
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Check runs a scenario and ends the test as failed, by t.Fatalf, if the scenario cannot be run, or if the verdict of a property
// is not as the scenario expects: see Scenario.Fulfils. In the second case it writes the scenario to a file, in the test's
// artifact directory if go test keeps artifacts, otherwise in the directory for temporary files. The failure ends with the
// command that replays it. Under rapid.Check that is the smallest scenario that rapid found.
func Check(t TB, s *scenarios.Scenario) {
	t.Helper()
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	if err != nil {
		t.Fatalf("scenario %s did not run: %v", s.Name, err)
		return
	}
	if r.AsExpected {
		return
	}
	names, report := unexpected(s, r)
	text, file, err := keep(t, s)
	t.Logf("scenario %s, seed %d:\n%s\n%s", s.Name, s.Seed, report, text)
	if err != nil {
		t.Fatalf("not as expected: %s; no file to replay: %v", names, err)
		return
	}
	// The last line of a failure is the command.
	t.Fatalf("not as expected: %s; to replay:\nsimulate run %s", names, phrase.ShellWord(file))
}

// unexpected returns the names of the properties whose verdict is not as expected, and a report with their violations.
func unexpected(s *scenarios.Scenario, r *scenarios.Result) (names, report string) {
	var list []string
	var b strings.Builder
	for i := range r.Properties {
		p := &r.Properties[i]
		if s.Fulfils(p) {
			continue
		}
		want, named := s.Expect[p.Name]
		if !named {
			want = scenarios.ExpectHeld
		}
		list = append(list, p.Name)
		fmt.Fprintf(&b, "  %s: %s, expected %s\n", p.Name, p.Verdict, want)
		for _, v := range p.Violations {
			fmt.Fprintf(&b, "    %v to %v  %s\n",
				time.Duration(v.FromNs), time.Duration(v.ToNs), strings.Join(v.Candidates, ", "))
		}
	}
	return strings.Join(list, ", "), b.String()
}

// keep writes the scenario to a file that outlasts the test, and returns its text and the file's name. The name depends only on
// the test and perhaps the process, so that of the many failures while rapid shrinks only the last is left. The error is that of
// a scenario that has no form in a file, or of writing the file.
func keep(t TB, s *scenarios.Scenario) (text, file string, err error) {
	var b bytes.Buffer
	if err := s.WriteYAML(&b); err != nil {
		return "", "", err
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, t.Name())
	dir, kept := artifacts(t)
	if !kept {
		dir = os.TempDir()
		name = fmt.Sprintf("interregnum-%s-%d", name, os.Getpid())
	}
	file = filepath.Join(dir, name+".yaml")
	return b.String(), file, private.WriteFile(file, b.Bytes())
}

// artifacts returns the test's artifact directory and true; "" and false if go test does not keep artifacts.
func artifacts(t TB) (dir string, kept bool) {
	has, ok := t.(interface{ ArtifactDir() string })
	f := flag.Lookup("test.artifacts")
	if !ok || f == nil || f.Value.String() != "true" {
		return "", false
	}
	return has.ArtifactDir(), true
}
