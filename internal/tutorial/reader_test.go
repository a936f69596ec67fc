package tutorial_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// reader follows a page in a directory of its own, which has a clone of the project.
type reader struct{ dir, state string }

// quickLink leaves debug information out of programs: it takes half of the time to link.
const quickLink = "export GOFLAGS=\"$(go env GOFLAGS) -ldflags=-w\"\n"

// newReader begins in dir, where interregnum is the project at root.
func newReader(dir, root string) (*reader, error) {
	r := &reader{filepath.Join(dir, "reader"), filepath.Join(dir, "state")}
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		return nil, err
	}
	return r, errors.Join(os.WriteFile(r.state, []byte(quickLink), 0o666), os.Symlink(root, filepath.Join(r.dir, "interregnum")))
}

// follow does what a page says. The error names the line of the first block that is not as the page has it.
func (r *reader) follow(page string) error {
	all, err := blocks(page)
	if err != nil {
		return err
	}
	var printed string
	for _, b := range all {
		switch b.language {
		case "sh":
			printed, err = r.run(b)
		case "text":
			err = shows(b.text, printed)
		case "diff":
			err = r.edit(b)
		default:
			err = r.write(b.info, b.text)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", b.line, err)
		}
	}
	return nil
}

func (r *reader) write(name, text string) error {
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

func (r *reader) edit(b block) error {
	file, err := os.ReadFile(filepath.Join(r.dir, b.info))
	if err != nil {
		return err
	}
	changed, err := change(string(file), b.text)
	if err != nil {
		return fmt.Errorf("%s: %w", b.info, err)
	}
	return r.write(b.info, changed)
}

// fetched matches what the go command says of modules that it fetches, as on a machine where it has not done so before.
var fetched = regexp.MustCompile(`(?m)^go: downloading .*\n`)

// run runs commands where the last ones stopped, and returns all that they print, but for what fetched matches.
func (r *reader) run(b block) (string, error) {
	want := 0
	if b.info != "" {
		if _, err := fmt.Sscanf(b.info, "exit=%d", &want); err != nil {
			return "", fmt.Errorf("want sh or sh exit=N, found %q", b.info)
		}
	}
	// go test's own limit ends what hangs: on an empty machine a first build takes minutes.
	c := exec.Command("bash", "-eo", "pipefail", "-c", `. "$STATE"
trap 'code=$?; { export -p; printf "cd %q\n" "$PWD"; } >"$STATE"; exit $code' EXIT
`+b.text)
	c.Dir, c.Env, c.WaitDelay = r.dir, append(os.Environ(), "STATE="+r.state, "LC_ALL=C"), time.Second
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", fmt.Errorf("%s%w", out, err)
	}
	if code := c.ProcessState.ExitCode(); code != want {
		return "", fmt.Errorf("want exit code %d, found %d:\n%s%s", want, code, b.text, out)
	}
	return fetched.ReplaceAllString(string(out), ""), nil
}
