package browser

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// broken are the words of a page that go on in a second line. A word may end behind a hyphen or an ellipsis; names and hashes of
// more than thirty letters have to go somewhere.
const broken = `(() => {
	const words = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		if (n.parentElement.closest("script, style, svg, datalist")) continue;
		const isCommand = n.parentElement.closest("pre");
		for (const m of n.data.matchAll(isCommand ? /\S+/g : /[^\s…-]+[…-]?/g)) {
			if (m[0].length > 30) continue;
			const r = document.createRange();
			r.setStart(n, m.index);
			r.setEnd(n, m.index + m[0].length);
			if (new Set([...r.getClientRects()].filter((c) => c.width > 0).map((c) => Math.round(c.top))).size > 1) words.push(m[0]);
		}
	}
	return words.join(" ");
})()`

// inView tells whether the longest violation is, in the window and in the box that the chart scrolls in, with what is written
// beside it.
const inView = `(() => {
	const box = document.getElementById("chart-box").getBoundingClientRect();
	return [".violation", ".violations .label"].every((of) => {
		const v = document.querySelector("#chart " + of).getBoundingClientRect();
		return v.width > 2 && v.left >= box.left && v.right <= box.right + 1 && v.top >= 0 && v.bottom <= innerHeight;
	});
})()`

// cutNames are the names of rows in a chart, and what is written at violations, that are not wholly within the box of the chart, or
// too small to read.
const cutNames = `[...document.querySelectorAll(".chart-box .name, .chart-box .lane, .chart-box .head, .violations .label")].filter((e) => {
	const r = e.getBoundingClientRect(), box = e.closest(".chart-box").getBoundingClientRect();
	return e.getAttribute("visibility") !== "hidden" && r.width && (r.left < box.left || r.right > box.right + 1 || r.height < 9);
}).map((e) => e.textContent).join(", ")`

// wide are the elements that reach beyond the window and do not scroll in a box of their own.
const wide = `[...document.body.querySelectorAll("*")].filter((e) => {
	const r = e.getBoundingClientRect();
	for (let p = e; p; p = p.parentElement) if (["auto", "scroll"].includes(getComputedStyle(p).overflowX)) return false;
	return r.width && r.right > innerWidth + 1;
}).map((e) => e.tagName + "." + e.className).join(" ")`

// widths are those of telephones, a tablet, and two screens.
var widths = []int64{360, 420, 768, 1280, 1920}

// fits is that at each width a page breaks no word, cuts no name of a row, and does not scroll sideways.
func (b *tab) fits(what string) {
	b.t.Helper()
	for _, width := range widths {
		b.do(chromedp.EmulateViewport(width, 900))
		b.until(fmt.Sprintf(`innerWidth === %d && document.readyState === "complete"`, width))
		b.until(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		assert.Equal(b.t, "", b.text(broken), "%s at %d", what, width)
		assert.Equal(b.t, "", b.text(cutNames), "%s at %d", what, width)
		assert.Equal(b.t, "", b.text(wide), "%s at %d", what, width)
		assert.Equal(b.t, "true", b.text(`document.documentElement.scrollWidth <= innerWidth`), "%s at %d", what, width)
		if width == 420 {
			b.shot("narrow-" + what)
		}
	}
}

// TestNarrow: a page opens at the violation, on a telephone too, and fits into every window.
func TestNarrow(t *testing.T) {
	for _, name := range []string{"h01-late-ack", "elections-overload", "rust-errors-change-nothing", "stand-zombie"} {
		b := open(t, render(t, name, ""), 360, 740)
		b.until(`document.querySelectorAll("#events tbody tr").length > 20`)
		b.until(inView)
		b.fits(name)
		b.clean()
	}
}

// TestNarrowAbout: where what a scenario is about takes the window, its page opens at the verdict.
func TestNarrowAbout(t *testing.T) {
	about := "about: " + strings.Repeat("All that could go wrong did go wrong. ", 30)
	b := open(t, render(t, "", "name: long\nhorizon: 60s\n"+about+`
candidates: [{id: a}, {id: b}]
faults:
  - {kind: delay, at: 20s, until: 22s, on: [leader], response: 9.9s}
  - {kind: partition, at: 22s, on: [leader]}
expect: {single-work: violated, single-belief: violated, safety-window: violated}
`), 420, 800)
	b.until(inView)
	assert.Equal(t, "true", b.text(`document.getElementById("verdict").getBoundingClientRect().top >= 0`))
}

// TestNarrowFaults: what is written at a fault is to be seen beside the list of events too.
func TestNarrowFaults(t *testing.T) {
	b := open(t, render(t, "", `name: brownouts
horizon: 120s
candidates: [{id: controller-manager-7d9f5c6b48-abcde}, {id: controller-manager-7d9f5c6b48-xyzzy}]
faults: [{kind: brownout, at: 30s, until: 38s, factor: 200}, {kind: brownout, at: 60s, until: 62s, factor: 20}]
expect: {liveness: any}
`), 1280, 900)
	b.until(wholeRun)
	assert.Equal(t, "brownout factor 200, brownout factor 20", b.text(`[...document.querySelectorAll(".fault + .label")]
		.filter((e) => getComputedStyle(e).visibility === "visible").map((e) => e.textContent).join(", ")`))
	b.fits("brownouts")
	b.do(chromedp.EmulateViewport(420, 900))
	b.until(`document.querySelector("#chart .candidate .name").textContent === "controller-manager-7d9f5c6b48-abcde"`)
	b.click(`document.querySelector("#chart .everybody .fault")`, `document.getElementById("events-about").textContent.includes("brownout factor 200")`)
}

// written writes a page with the command, which may end with exit code 1, and returns its path.
func written(t *testing.T, args ...string) string {
	t.Helper()
	command, err := simulate()
	require.NoError(t, err)
	page := filepath.Join(t.TempDir(), "page.html")
	output, err := exec.Command(command, append(args, "--html", page)...).CombinedOutput()
	var found *exec.ExitError
	if errors.As(err, &found) && found.ExitCode() == 1 {
		err = nil
	}
	require.NoError(t, err, "%s", tail(output))
	return page
}

// TestNarrowOthers: the pages of searches, forecasts and investigations fit into every window.
func TestNarrowOthers(t *testing.T) {
	b := open(t, renderSearch(t), 420, 900)
	b.fits("search")
	assert.Equal(t, "true", b.text(`[...document.querySelectorAll("tr")].every((r) => r.getBoundingClientRect().height < 160)`))
	logs, err := filepath.Glob("../../docs/tutorials/leaders/*.log")
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	open(t, written(t, append([]string{"investigate"}, logs...)...), 420, 900).fits("investigate")
	b = open(t, written(t, "forecast", "--lease-duration", "15s", "--p99", "800ms", "--outage", "20s/7d", "--crash", "2/30d",
		"--max-windows", "200"), 420, 900)
	b.fits("forecast")
	b.do(chromedp.EmulateViewport(420, 900))
	b.until(`innerWidth === 420`)
	assert.Equal(t, "true", b.text(`[...document.querySelectorAll(".causes td")].every((e) => e.getBoundingClientRect().right <= innerWidth)`))
}

// TestNarrowJump: the buttons too show a violation where it can be seen.
func TestNarrowJump(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 420, 900)
	b.until(`document.querySelectorAll("#events tbody tr").length > 50`)
	b.text(`document.getElementById("next").click()`)
	b.until(`document.getElementById("range").textContent.indexOf("The whole run") < 0`)
	b.until(inView)
}
