package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/newest"
)

// command runs the go command with args; env is added to its environment. It returns what go has written to standard output. With
// an error, what go has written to standard error follows in the same text.
type command func(env []string, args ...string) (string, error)

// goCommand is the command that runs go itself. Tests use another one in its place.
func goCommand(env []string, args ...string) (string, error) {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), env...)
	var out, failed bytes.Buffer
	c.Stdout, c.Stderr = &out, &failed
	err := c.Run()
	if err != nil {
		err = fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
		return out.String() + failed.String(), err
	}
	return out.String(), nil
}

// newerVersions returns the versions of client-go that the module proxy has, pre-releases included, from the newest down to
// newest.Version, which is the last. It returns an error if the proxy does not answer or does not list newest.Version.
func newerVersions(command command) ([]string, error) {
	text, err := command(nil, "list", "-m", "-versions", "-f", "{{join .Versions \" \"}}", library)
	if err != nil {
		return nil, fmt.Errorf("which versions of %s there are: %w: want a GOPROXY that answers\n%s", library, err, text)
	}
	all := strings.Fields(text) // in semantic order
	described := slices.Index(all, newest.Version)
	if described < 0 {
		return nil, fmt.Errorf("GOPROXY lists no %s %s, but %q: want one that has it", library, newest.Version, all)
	}
	newer := all[described:]
	slices.Reverse(newer)
	return newer, nil
}

// library is the module that the profile client-go describes.
const library = "k8s.io/client-go"

// plans says which fresh plans the parity tests compare: how many, and the seed of the first one.
type plans struct{ fresh, first int }

// suite is one package's parity tests.
type suite struct {
	// of is what they compare, in words for the table. folder is where they are, and run which of its tests they are.
	of, folder, run string
	// fresh and first are the names of the flags for how many fresh plans there are, and for the seed of the first. The suite
	// compares a part of the plans that are wanted: one in so many.
	fresh, first string
	oneIn        int
}

// suites are the parity tests: of the election, of the election with the library's whole client, and of that client's connections.
var suites = []suite{
	{"parity", "./internal/parity", "^Test(Pinned|Fresh|Shipped|Coordinated)$", "parity.fresh", "parity.first", 1},
	{"parity of the client", "./internal/parity/rest", "^Test(Pinned|Shipped|Fresh|AnsweredNotFound)$", "rest.plans", "rest.seed", 4},
	{"parity of connections", "./internal/parity/conn", "", "conn.plans", "conn.seed", 20},
}

// parity runs the parity tests on one of the versions: the first one of which GOPROXY has all modules. It adds to t.parity the
// outcomes for that version, and one for each version that it passed over. It writes files into dir. It returns an error if parity
// does not hold, or if nothing could be built or run.
func (p plans) parity(t *table, command command, dir string, versions []string) error {
	file := filepath.Join(dir, "go.mod")
	for _, version := range versions {
		if err := moduleFile(command, file, version); err != nil {
			t.parity = append(t.parity, notRun(version, err.Error()))
			continue
		}
		env, err := environment(file, version)
		if err != nil {
			return err
		}
		if text, err := command(env, "list", "-modfile="+file, "-mod=mod", "-deps", "-test", "./internal/parity/..."); err != nil {
			t.parity = append(t.parity, notRun(version, text))
			continue
		}
		var failed []error
		for i := range suites {
			said, err := p.compare(&suites[i], command, env, file)
			t.parity = append(t.parity, outcome{suites[i].of + " with " + version, said})
			if err != nil {
				failed = append(failed, fmt.Errorf("%s with %s %s %w", suites[i].of, library, version, err))
			}
		}
		return errors.Join(failed...)
	}
	return fmt.Errorf("parity was not run with any of %q: see the table for what is missing", versions)
}

// notRun returns the outcome for a version on which nothing can be run, of which the last line of text says why.
func notRun(version, text string) outcome {
	return outcome{"parity with " + version, "not run: " + lastLine(text)}
}

// compare runs the tests of a suite with the module file, and returns what the table says of them. The error follows the words "parity
// with", the library and its version.
func (p plans) compare(s *suite, command command, env []string, file string) (said string, err error) {
	test := []string{"test", "-modfile=" + file, "-mod=mod", s.folder, "-count=1", "-run"}
	if text, err := command(env, append(test, "^$")...); err != nil {
		return "**cannot be built**", fmt.Errorf("cannot be built: %w\n%s", err, text)
	}
	fresh := p.fresh / s.oneIn
	text, err := command(env, append(test, s.run, "-timeout=120m", fmt.Sprint("-", s.fresh, "=", fresh), fmt.Sprint("-", s.first, "=", p.first))...)
	if err != nil {
		return "**does not hold**", fmt.Errorf("does not hold: %w\n%s", err, text)
	}
	return fmt.Sprintf("holds in the pinned plans and %d fresh ones", fresh), nil
}

// goLine matches the line of a go.mod that says which Go it wants.
var goLine = regexp.MustCompile(`(?m)^go (\S+)$`)

// environment returns the variables that the go command needs, beside those of this process, to run tests of a module file with
// that version of client-go. The go command chooses its toolchain by go.mod alone: if file wants another Go, GOTOOLCHAIN names
// that one.
func environment(file, version string) ([]string, error) {
	env := []string{newest.Wanted + "=" + version, alone}
	var wanted [2]string
	for i, name := range []string{"go.mod", file} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if m := goLine.FindSubmatch(text); m != nil {
			wanted[i] = string(m[1])
		}
	}
	if own, theirs := wanted[0], wanted[1]; theirs != own {
		if strings.Count(theirs, ".") == 1 && !strings.Contains(theirs, "rc") {
			theirs += ".0"
		}
		env = append(env, "GOTOOLCHAIN=go"+theirs)
	}
	return env, nil
}

// lastLine returns the last line of a text that is not empty, without white space around it; "" if all are empty.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// alone has the go command look at no go.work, with which it takes no other module file.
const alone = "GOWORK=off"

// moduleFile copies go.mod to file, and go.sum to the same name with the ending .sum. It then has go get change the copy, so that
// it requires that version of client-go.
func moduleFile(command command, file, version string) error {
	for from, to := range map[string]string{"go.mod": file, "go.sum": strings.TrimSuffix(file, ".mod") + ".sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			return fmt.Errorf("%w: want the top of the repository as working directory", err)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	text, err := command([]string{alone}, "get", "-modfile="+file, library+"@"+version)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}
