package tutorial_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// right is a page on which all is as it says.
const right = "```sh\nmkdir mine && cd mine\nexport WHO=you\n```\n" +
	"```txt mine/greeting\nhello\nhow are you\n```\n" +
	"```diff mine/greeting\n-hello\n+good day\n how are you\n```\n" +
	"```sh exit=3\ncat greeting; echo \"took 4 ms, $WHO\"; printf 'a\\nb\\nc\\n' >&2; exit 3\n```\n" +
	"```text\ngood day\nhow are you\ntook … ms, you\n…\nc\n```\n"

// TestCanFail: whatever differs from the page is an error that names its line.
func TestCanFail(t *testing.T) {
	try := func(page string) error {
		r, err := newReader(t.TempDir(), t.TempDir())
		require.NoError(t, err)
		return r.follow(page)
	}
	require.NoError(t, try(right))
	for _, wrong := range []struct{ from, to, want string }{
		{"how are you\ntook", "how were you\ntook", `line 17: line 2 of the output, "how were you", is not there: found "how are you"`},
		{"…\nc\n", "…\n", ""}, // lines at the end are lines
		{"…\nc\n", "", `line 17: line 4 of the output, "", is not there: found "a"`},
		{"…\nc\n", "…\nd\n", `line 17: line 5 of the output, "d", is not there`},
		{"ms, you\n…", "ms, me\n…", `line 17: line 3 of the output, "took … ms, me", is not there`},
		{"good day\nhow", "\ngood day\nhow", `line 17: line 1 of the output, "", is not there: found "good day"`},
		{"exit=3", "", "line 14: want exit code 0, found 3"},
		{"exit=3", "exits", `line 14: want sh or sh exit=N, found "exits"`},
		{"-hello", "-goodbye", "line 9: mine/greeting: want these lines once, found them 0 times"},
		{"cd mine", "cd yours", "line 1: want exit code 0, found 1"},
		{"export ", "", `line 17: line 3 of the output, "took … ms, you", is not there: found "took 4 ms, "`},
		{"```txt mine/greeting", "```txt", `line 5: want a block of sh, its output (text) or a file with a name, found "txt"`},
		{"```sh exit=3", "```bash exit=3", `line 17: want a block of sh`},
	} {
		page := strings.Replace(right, wrong.from, wrong.to, 1)
		require.NotEqual(t, right, page)
		err := try(page)
		if wrong.want == "" {
			assert.NoError(t, err, wrong.to)
			continue
		}
		assert.ErrorContains(t, err, wrong.want)
	}
}
