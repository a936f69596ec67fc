package tutorial

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeMake notes what it is to make. It fails to make what the test names, once that and what comes before it have begun; of
// these, what has not to end before that begins takes a minute.
const fakeMake = `#!/bin/sh
echo "$1" >>made
echo "says $1"
[ "$FAILS" ] || exit 0
case "$1" in
"$FAILS") until [ "$(wc -l <made)" -eq "$BEGUN" ]; do sleep 0.01; done; echo "why $1 fails" >&2; exit 7 ;;
vet) ;;
*) sleep 60; echo "$1" >>outlived ;;
esac
`

// ci is a folder in which .ci/run makes nothing.
type ci struct {
	t   *testing.T
	dir string
}

func newCI(t *testing.T) ci {
	script, err := os.ReadFile("../../.ci/run")
	require.NoError(t, err)
	c := ci{t, t.TempDir()}
	for name, text := range map[string]string{
		".ci/run": string(script), "README.md": "```sh\necho first\necho second\n```\n",
		"bin/make": fakeMake, "bin/dpkg": "#!/bin/sh\n", // all packages are there
	} {
		path := filepath.Join(c.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o777))
	}
	return c
}

// run returns the exit code and the output, when no process is left.
func (c ci) run(environment ...string) (code int, output string) {
	r, w, err := os.Pipe()
	require.NoError(c.t, err)
	defer r.Close()
	run := exec.Command("bash", filepath.Join(c.dir, ".ci/run"))
	run.Env = append(os.Environ(), "PATH="+filepath.Join(c.dir, "bin")+":"+os.Getenv("PATH"), "TMPDIR="+c.dir)
	run.Env = append(run.Env, environment...)
	run.ExtraFiles = []*os.File{w} // which all that it starts have open, too
	out, _ := run.CombinedOutput()
	w.Close()
	_, err = io.ReadAll(r)
	require.NoError(c.t, err)
	return run.ProcessState.ExitCode(), string(out)
}

// made is what make was to make, in order.
func (c ci) made() []string {
	text, err := os.ReadFile(filepath.Join(c.dir, "made"))
	require.NoError(c.t, err)
	return strings.Fields(string(text))
}

// TestCI: CI makes every step once, shows in one piece what a step says, and how long it took.
func TestCI(t *testing.T) {
	t.Parallel()
	c := newCI(t)
	code, output := c.run("FAILS=")
	require.Zero(t, code, output)
	made := c.made()
	assert.Greater(t, len(made), 30)
	for _, target := range made {
		assert.Equal(t, 1, strings.Count(output, "\nsays "+target+"\n"), "%s\n%s", target, output)
	}
	said, seconds, _ := strings.Cut(output, "\nSeconds (")
	assert.Contains(t, said, "\n== first\nfirst\n")
	assert.Contains(t, said, "\n== test\nsecond\n")
	for _, step := range strings.Split(said, "\n== ")[1:] {
		name, text, _ := strings.Cut(step, "\n")
		assert.LessOrEqual(t, strings.Count(text, "says "), 1, step)
		assert.Contains(t, seconds, " "+name+"\n")
	}
}

// TestCIFails: a step that fails, alone or beside others, fails CI. What it said is shown last, and the others are ended.
func TestCIFails(t *testing.T) {
	t.Parallel()
	for step, begun := range map[string][]string{
		"vet": {"vet"}, "lint": {"browser", "format", "lint", "vet"}, "browser": {"browser", "format", "lint", "vet"},
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			c := newCI(t)
			code, output := c.run("FAILS="+step, "BEGUN="+string('0'+rune(len(begun))))
			assert.Equal(t, 7, code, output)
			assert.ElementsMatch(t, begun, c.made())
			assert.Regexp(t, `\nwhy `+step+` fails\n\n(`+step+`|waiting) has failed\n$`, output)
			assert.NoFileExists(t, filepath.Join(c.dir, "outlived"))
		})
	}
}
