package main

import (
	"bytes"
	"debug/elf"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// block is a fenced block of what docs/platform.md says of CI: its language, the file that it is, and its text.
type block struct{ language, file, text string }

func blocks(t *testing.T) []block {
	page, err := os.ReadFile("../../docs/platform.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "\n## The gate in CI\n")
	require.True(t, found, "docs/platform.md: expected a section The gate in CI")
	text, _, _ = strings.Cut(text, "\n## ")
	var all []block
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+) ?(\\S*)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		all = append(all, block{m[1], m[2], m[3]})
	}
	return all
}

// site is a checkout of a user's project, with the files that docs/platform.md tells them to add.
type site struct {
	t    *testing.T
	dir  string
	file map[string]string
}

func newSite(t *testing.T) *site {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	s := &site{t: t, dir: t.TempDir(), file: map[string]string{}}
	for _, b := range blocks(t) {
		if b.file != "" {
			s.file[b.file] = b.text
			s.write(b.file, b.text)
		}
	}
	require.NoError(t, os.Symlink(root, filepath.Join(s.dir, ".interregnum")))
	t.Setenv("INTERREGNUM", root)
	t.Setenv("GITHUB_PATH", filepath.Join(s.dir, "path"))
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(s.dir, "summary.md"))
	flags, err := exec.Command("go", "env", "GOFLAGS").Output()
	require.NoError(t, err)
	t.Setenv("GOFLAGS", strings.TrimSpace(string(flags))+" -ldflags=-w") // to link takes half the time without debug information
	t.Setenv("PATH", filepath.Join(s.dir, "bin")+":"+os.Getenv("PATH"))
	return s
}

func (s *site) write(name, text string) {
	path := filepath.Join(s.dir, name)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o777))
}

// deploy writes the one manifest, with that lease.
func (s *site) deploy(lease string) {
	s.write("deploy/manager.yaml", `apiVersion: apps/v1
kind: Deployment
metadata: {name: manager, namespace: example}
spec:
  template:
    spec:
      containers:
        - name: manager
          args: [--leader-elect, --leader-elect-lease-duration=`+lease+`, --leader-elect-renew-deadline=10s]
`)
}

// shell runs a script as CI systems do, and returns its exit code.
func (s *site) shell(script string) (code int, output string) {
	c := exec.Command("bash", "-eo", "pipefail", "-c", script)
	c.Dir = s.dir
	out, err := c.CombinedOutput()
	if err != nil {
		require.IsType(s.t, &exec.ExitError{}, err, "%s", script)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// TestShellPartsOfCI runs what docs/platform.md tells users to run, on a manifest that is safe and on one that is not.
func TestShellPartsOfCI(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	s := newSite(t)
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Name, Run string
				With      map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(s.file[".github/workflows/leader-election.yaml"]), &workflow))
	var pipeline map[string]struct{ Script []string }
	require.NoError(t, yaml.Unmarshal([]byte(s.file[".gitlab-ci.yml"]), &pipeline))
	var hooks struct {
		Repos []struct{ Hooks []struct{ Entry string } }
	}
	require.NoError(t, yaml.Unmarshal([]byte(s.file[".pre-commit-config.yaml"]), &hooks))

	for _, b := range blocks(t) {
		if b.language == "sh" && b.file == "" {
			code, output := s.shell(b.text)
			require.Zero(t, code, output)
		}
	}
	steps := workflow.Jobs["gate"].Steps
	build, gate, findings, upload := steps[3], steps[4], steps[5], steps[6]
	code, output := s.shell(build.Run)
	require.Zero(t, code, output)
	code, output = s.shell("git init -q . && printf 'bin\n.interregnum\n' > .git/info/exclude")
	require.Zero(t, code, output)

	for name, script := range map[string]string{
		"github":     gate.Run,
		"findings":   findings.Run,
		"gitlab":     strings.Join(pipeline["leader-election"].Script, "\n"),
		"pre-commit": "git add deploy && .git/hooks/pre-commit",
		"framework":  hooks.Repos[0].Hooks[0].Entry + " deploy/manager.yaml",
		"make":       "make gate",
	} {
		unsafe := 1
		switch name {
		case "pre-commit":
			unsafe = 123 // xargs
		case "make":
			unsafe = 2
		}
		for lease, want := range map[string]int{"60s": 0, "11s": unsafe} {
			s.deploy(lease)
			code, output := s.shell(script)
			assert.Equal(t, want, code, "%s with a lease of %s\n%s", name, lease, output)
		}
	}
	for _, f := range []string{"summary.md", "gate.xml"} {
		text, err := os.ReadFile(filepath.Join(s.dir, f))
		require.NoError(t, err)
		assert.Contains(t, string(text), "manager", f)
	}
	s.deploy("11s")
	s.shell(findings.Run)
	s.assertUploads(upload.With["sarif_file"])
}

// assertUploads: the file is a SARIF log, with a finding on a line of the manifest.
func (s *site) assertUploads(name string) {
	schema, err := jsonschema.NewCompiler().Compile("../../reports/finding/testdata/sarif-schema-2.1.0.json")
	require.NoError(s.t, err)
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	require.NoError(s.t, err)
	log, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(s.t, err)
	assert.NoError(s.t, schema.Validate(log))
	assert.Regexp(s.t, `"uri": "deploy/manager.yaml",\s+"uriBaseId": "%SRCROOT%"\s+},\s+"region": {\s+"startLine": 8\s`, string(data))
}

var image = flag.Bool("image.build", false, "build what the image holds: an empty build cache takes a minute longer, since all is compiled without cgo")

// TestDockerfile builds what the image holds, as the Dockerfile builds it: it must need nothing but itself.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^USER [1-9]\d*:\d+$`, string(text))
	build := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 GOWORK=off go build .* -o /simulate \./cmd/simulate)$`).FindSubmatch(text)
	require.NotNil(t, build)
	if *image {
		assertStatic(t, string(build[1]))
	}
}

// assertStatic runs the command that builds /simulate, for another place.
func assertStatic(t *testing.T, build string) {
	binary := filepath.Join(t.TempDir(), "simulate")
	c := exec.Command("sh", "-c", strings.Replace(build, "-o /simulate", "-o "+binary, 1))
	c.Dir = "../.."
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	f, err := elf.Open(binary)
	require.NoError(t, err)
	defer f.Close()
	for _, p := range f.Progs {
		assert.NotEqual(t, elf.PT_INTERP, p.Type, "a static binary asks for no loader")
	}
	require.NoError(t, exec.Command(binary, "list").Run())
}
