package tutorial_test

import (
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	_ "interregnum/internal/few/garbage"
)

var whole = flag.Bool("tutorials", false, "follow the pages whose programs are built with Kubernetes' libraries, too")

const docs = "../../docs"

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(docs, name))
	require.NoError(t, err)
	return string(text)
}

// follow does what a page says, and returns the reader that did it.
func follow(t *testing.T, page string) *reader {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	r, err := newReader(t.TempDir(), root)
	require.NoError(t, err)
	require.NoError(t, r.follow(read(t, page)), page)
	return r
}

func TestOperator(t *testing.T) {
	if !*whole {
		t.Skip("wants controller-runtime: make tutorials")
	}
	t.Parallel()
	follow(t, "tutorials/operator.md")
}

func TestStrict(t *testing.T) {
	if !*whole {
		t.Skip("wants the drivers of cmd/elector: make tutorials")
	}
	t.Parallel()
	follow(t, "tutorials/strict.md")
}

// TestPlatform also runs the steps of the workflow, on the manifests as they are in the end and on what they were.
func TestPlatform(t *testing.T) {
	t.Parallel()
	const page = "tutorials/platform.md"
	r := follow(t, page)
	all, err := blocks(read(t, page))
	require.NoError(t, err)
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Run string } }
	}
	for _, b := range all {
		if strings.HasPrefix(b.info, ".github/") {
			require.NoError(t, yaml.Unmarshal([]byte(b.text), &workflow))
		}
	}
	steps := workflow.Jobs["gate"].Steps
	require.Len(t, steps, 5)
	steps = steps[3:]
	summary := "export GITHUB_STEP_SUMMARY=summary.md; "
	for _, step := range steps {
		_, err := r.run(block{text: summary + step.Run})
		require.NoError(t, err)
	}
	_, err = r.run(block{info: "exit=1", text: "cp deploy/vendor.yaml deploy/new.yaml; " + summary + steps[1].Run})
	require.NoError(t, err)
	written, err := os.ReadFile(filepath.Join(r.dir, "summary.md"))
	require.NoError(t, err)
	assert.Contains(t, string(written), "3 judged: 2 safe, 1 unsafe, 0 refused; 1 of those accepted")
	assert.Contains(t, string(written), "4 judged: 2 safe, 2 unsafe, 0 refused; 1 of those accepted")
}

func TestIncident(t *testing.T) {
	t.Parallel()
	follow(t, "tutorials/incident.md")
}

func TestNight(t *testing.T) {
	t.Parallel()
	follow(t, "tutorials/night.md")
}

// TestPages: what can be said of a page without doing what it says.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob(docs + "/tutorials/*.md")
	require.NoError(t, err)
	require.Len(t, pages, 5)
	for _, page := range pages {
		text := read(t, "tutorials/"+filepath.Base(page))
		all, err := blocks(text)
		require.NoError(t, err, page)
		lines := strings.Count(text, "\n")
		for _, b := range all {
			if b.language != "text" && b.language != "sh" {
				lines -= strings.Count(b.text, "\n")
			}
			if b.language == "go" {
				formatted, err := format.Source([]byte(b.text))
				require.NoError(t, err, "%s:%d", page, b.line)
				assert.Equal(t, string(formatted), b.text, "%s:%d: gofmt", page, b.line)
			}
		}
		assert.LessOrEqual(t, lines, 200, "%s: lines, but for those of files: a page is read in ten minutes", page)
	}
}

// TestIndex: docs/README.md names every page, also of the folders, and no page, README.md included, links to a file or a heading that is not there.
func TestIndex(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	index := read(t, "README.md")
	for _, page := range append(pagesOf(t), "../../README.md") {
		if name := strings.TrimPrefix(page, docs+"/"); name != page && name != "README.md" {
			assert.Contains(t, index, "]("+name+")", "docs/README.md does not name %s", name)
		}
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			_, err := os.Stat(target)
			if assert.NoError(t, err, "%s links to %s", page, m[1]) && m[2] != "" {
				assert.Contains(t, anchors(t, target), m[2], "%s links to %s#%s", page, m[1], m[2])
			}
		}
	}
}

// TestContents: a page that lists what is on it lists each of its sections, in their order.
func TestContents(t *testing.T) {
	section, entry := regexp.MustCompile(`(?m)^## (.*)$`), regexp.MustCompile(`(?m)^- \[(.*?)\]\(#`)
	found := func(in *regexp.Regexp, text string) (all []string) {
		for _, m := range in.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		return all
	}
	lists := 0
	for _, page := range pagesOf(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		_, contents, has := strings.Cut(fence.ReplaceAllString(string(text), ""), "\nOn this page:\n\n")
		if !has {
			continue
		}
		lists++
		list, rest, _ := strings.Cut(contents, "\n\n")
		assert.Equal(t, found(section, rest), found(entry, list), page)
	}
	assert.NotZero(t, lists)
}

// pagesOf returns the pages of the documentation, those in its folders too.
func pagesOf(t *testing.T) []string {
	pages, err := filepath.Glob(docs + "/*.md")
	require.NoError(t, err)
	inFolders, err := filepath.Glob(docs + "/*/*.md")
	require.NoError(t, err)
	return append(pages, inFolders...)
}

// anchors returns the names by which a link can go to the headings of a page: small letters, no punctuation, "-" for
// each space. It fails the test if two headings have one name.
func anchors(t *testing.T, page string) (all []string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	heading, other := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`[^\pL\pN_ -]`)
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		name := strings.ReplaceAll(strings.ToLower(other.ReplaceAllString(m[1], "")), " ", "-")
		assert.NotContains(t, all, name, "%s: two headings of one name", page)
		all = append(all, name)
	}
	return all
}
