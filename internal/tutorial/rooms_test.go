package tutorial

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// room is a line of the table of docs/architecture.md: folders, and by their last elements the rooms that they may import.
type room struct {
	folders []string
	may     []string
}

var folderIn = regexp.MustCompile("`([a-z0-9/]+)`")

// rooms returns the rooms of the table, with what they may import, and what that may import in turn.
func rooms(t *testing.T) []room {
	page, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "## The packages")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "## Where to begin")
	var all []room
	may := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "`") {
			continue
		}
		var r room
		for _, m := range folderIn.FindAllStringSubmatch(cells[1], -1) {
			folder := m[1]
			if folder == "gate/files" || folder == "explain" {
				folder = "internal/" + folder
			}
			r.folders = append(r.folders, folder)
		}
		for name := range strings.FieldsFuncSeq(cells[3], func(r rune) bool { return r == ',' || r == ' ' }) {
			r.may = append(r.may, name)
		}
		switch strings.TrimSpace(cells[3]) {
		case "the above", "all":
			r.may = nil
			for _, above := range all {
				r.may = append(r.may, names(above.folders)...)
			}
		case "nothing":
			r.may = nil
		}
		for _, name := range slices.Clone(r.may) {
			r.may = append(r.may, may[name]...)
		}
		r.may = append(r.may, names(r.folders)...)
		for _, name := range names(r.folders) {
			may[name] = r.may
		}
		all = append(all, r)
	}
	return all
}

func names(folders []string) (names []string) {
	for _, f := range folders {
		names = append(names, filepath.Base(f))
	}
	return names
}

// imports returns the packages of this project that a folder's production code imports.
func imports(t *testing.T, folder string) (all []string) {
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, folder)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			if below, ours := strings.CutPrefix(path, "interregnum/"); ours {
				all = append(all, below)
			}
		}
	}
	return all
}

// TestVerbs: no verb of simulate imports another one's folder, and only calibrate and investigate, which can look at a server, link a
// Kubernetes client.
func TestVerbs(t *testing.T) {
	folders, err := filepath.Glob("../../cmd/simulate/*")
	require.NoError(t, err)
	checked := 0
	for _, folder := range folders {
		verb := filepath.Base(folder)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() || verb == "internal" || verb == "testdata" {
			continue
		}
		for _, imported := range imports(t, "cmd/simulate/"+verb) {
			if shared, ours := strings.CutPrefix(imported, "cmd/simulate/"); ours {
				checked++
				assert.True(t, strings.HasPrefix(shared, "internal/"), "%s imports %s", verb, shared)
			}
			client := imported == "internal/calibrate" || imported == "internal/leasewatch"
			assert.False(t, client && verb != "calibrate" && verb != "investigate", verb)
		}
	}
	assert.Greater(t, checked, 20)
}

// TestRooms: no package imports another above it in the table of docs/architecture.md, or one that its line does not name.
// Packages without a line are small helpers of several rooms.
func TestRooms(t *testing.T) {
	all := rooms(t)
	require.Greater(t, len(all), 15)
	listed := map[string]bool{}
	for _, r := range all {
		for _, f := range r.folders {
			listed[f] = true
		}
	}
	checked := 0
	for _, r := range all {
		for _, folder := range r.folders {
			for _, imported := range imports(t, folder) {
				if listed[imported] {
					checked++
					assert.Contains(t, r.may, filepath.Base(imported), "%s imports %s: see docs/architecture.md", folder, imported)
				}
			}
		}
	}
	assert.Greater(t, checked, 100)
	for _, r := range all {
		if slices.Contains(r.folders, "internal/bound") {
			assert.NotContains(t, r.may, "sim", "arithmetic needs no engine")
		}
	}
}
