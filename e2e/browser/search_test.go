package browser

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// renderSearch writes the page of a search that finds overlaps, and returns its path.
func renderSearch(t *testing.T) string {
	t.Helper()
	command, err := simulate()
	require.NoError(t, err)
	page := filepath.Join(t.TempDir(), "search.html")
	search := exec.Command(command, "search", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s",
		"--max-round-trip", "2s", "--runs", "6400", "--html", page)
	output, err := search.CombinedOutput()
	var found *exec.ExitError
	require.ErrorAs(t, err, &found, "%s", tail(output))
	require.Equal(t, 1, found.ExitCode(), "%s", tail(output))
	return page
}

// TestSearchPage: the page of a search opens, shows what was found, and needs neither a script nor a network.
func TestSearchPage(t *testing.T) {
	page := renderSearch(t)
	for _, color := range []struct{ scheme, ground string }{
		{"light", "rgb(255, 255, 255)"}, {"dark", "rgb(15, 19, 24)"},
	} {
		b := open(t, page, 1280, 1400, scheme(color.scheme))
		b.until(`document.readyState === "complete"`)
		assert.Equal(t, color.ground, b.text("getComputedStyle(document.body).backgroundColor"))
		assert.Equal(t, "0", b.text("document.scripts.length"))
		assert.Contains(t, b.text("document.title"), "of 6,400 runs violate something")
		assert.Equal(t, "true", b.text(`document.querySelector(".histogram rect").getBoundingClientRect().width > 2`))
		assert.Equal(t, "true", b.text(`document.querySelector(".finding .overlap").getBoundingClientRect().width > 5`))
		assert.Equal(t, "−4s", b.text(`document.querySelector(".frontier .own.cell").textContent`))
		assert.Equal(t, "true", b.text(`document.documentElement.scrollWidth <= innerWidth`), "nothing sticks out")
		assert.Equal(t, "", b.text(`(() => { const seen = {}, twice = [];
			for (const e of document.querySelectorAll("[id]")) { if (seen[e.id]) twice.push(e.id); seen[e.id] = true; }
			return twice.join(" "); })()`), "each id once")
		b.shot("search-" + color.scheme)
		b.clean()
	}
}
