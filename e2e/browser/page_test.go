package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	overlap  = `document.querySelector(".violation.single-work")`
	shown    = `document.getElementById("range").textContent`
	wholeRun = shown + `.startsWith("The whole run")`
)

// middle is where on the screen the middle of an element is.
func (b *tab) middle(element string) (x, y float64) {
	b.t.Helper()
	at, err := chromedp.Run(b, chromedp.Evaluate[[]float64](`(() => { const r = `+element+`.getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2]; })()`))
	require.NoError(b.t, err)
	return at[0], at[1]
}

// TestCanFail: what clean looks for is seen where it is.
func TestCanFail(t *testing.T) {
	page := filepath.Join(t.TempDir(), "bad.html")
	require.NoError(t, os.WriteFile(page, []byte(`<!doctype html><img src="http://localhost:9/x"><script>hurt()</script>`), 0o666))
	b := open(t, page, 800, 600)
	b.until(`document.readyState === "complete"`)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	assert.Len(t, b.requests, 2)
	assert.Contains(t, strings.Join(b.problems, "; "), "Uncaught")
}

func TestViolationIsSeen(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 1440, 1200)
	b.until(wholeRun)
	assert.Equal(t, "Split brain: h01-late-ack", b.text("document.title"))
	assert.Equal(t, "true", b.text(overlap+".getBoundingClientRect().width > 40"))
	assert.Contains(t, b.text("document.querySelector('.violations .label').textContent"), "3.899s")
	assert.Contains(t, b.text("document.querySelector('.sum').textContent"), "exceeded by")
	assert.Contains(t, b.text("document.getElementById('command').textContent"), "simulate run h01-late-ack --seed 1")
	b.until(`document.querySelectorAll("#events tbody tr").length > 100`)
	b.shot("h01")
	b.clean()
}

func TestZoomAndPan(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 1440, 1200)
	b.until(wholeRun)
	x, y := b.middle(overlap)
	width := func() float64 {
		w, err := strconv.ParseFloat(b.text(overlap+".getAttribute('width')"), 64)
		require.NoError(t, err)
		return w
	}
	before := width()
	b.do(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 0.01, DeltaY: -300}))
	b.until("!" + wholeRun)
	assert.Greater(t, width(), 1.3*before)
	now, _ := b.middle(overlap)
	assert.InDelta(t, x, now, 2, "what is under the pointer stays there")

	old := b.text(shown)
	px, py := b.middle(`document.querySelector(".requests .service")`)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, px, py+10, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, px-120, py+10, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, px-120, py+10, chromedp.ButtonLeft))
	b.until(shown + " !== " + strconv.Quote(old))
	b.shot("h01-zoomed")
	b.do(chromedp.Click(chromedp.CSS("#zoom-reset")))
	b.until(wholeRun)
	b.clean()
}

func TestHoverAndClick(t *testing.T) {
	b := open(t, render(t, "h04-release-wipes-successor", ""), 1440, 1200)
	b.until(wholeRun)
	x, y := b.middle(overlap)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	b.until(`!document.getElementById("tip").hidden`)
	assert.Contains(t, b.text(`document.getElementById("tip").textContent`), "single-work violated by a and b: 205ms")
	b.shot("h04-hover")
	b.do(chromedp.MouseClickXY(x, y))
	b.until(`document.getElementById("events-about").textContent.includes("single-work violated")`)
	b.until(`document.getElementById("cursor").getAttribute("visibility") === "visible"`)
	b.do(chromedp.Click(chromedp.CSS("#violations li:nth-child(2) button")))
	b.until("!" + wholeRun)
	b.until(`document.querySelectorAll("#violations li")[1].classList.contains("current")`)
	b.until(`document.getElementById("events-about").textContent.includes("single-work violation")`)
	b.shot("h04-jumped")
	b.do(chromedp.Click(chromedp.CSS("#unpick")), chromedp.Click(chromedp.CSS("#events tbody tr:nth-child(3)")))
	b.until(`document.querySelector("#events tr.current") !== null`)
	b.clean()
}

// TestRequest: an arrow says what became of the request, and a click lists its events.
func TestRequest(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 1440, 1200)
	b.until(wholeRun)
	x, y := b.middle(`[...document.querySelectorAll(".requests .out")].find((e) => e.getBoundingClientRect().width > 50)`)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	b.until(`!document.getElementById("tip").hidden`)
	tip := b.text(`document.getElementById("tip").textContent`)
	assert.Contains(t, tip, "a: update sent at 20.024")
	assert.Contains(t, tip, "the answer is handled (update, after 9.9s)")
	b.shot("h01-request")
	b.do(chromedp.MouseClickXY(x, y))
	b.until(`document.querySelectorAll("#events tbody tr").length === 3`)
	b.until(`document.querySelector(".requests .picked") !== null`)
	b.clean()
}

func TestKeyboard(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 1440, 1200)
	b.until(wholeRun)
	b.do(chromedp.KeyEvent("n"))
	b.until("!" + wholeRun)
	at := b.text(shown)
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	b.until(shown + " !== " + strconv.Quote(at))
	b.do(chromedp.KeyEvent("-"), chromedp.KeyEvent("0"))
	b.until(wholeRun)
	b.do(chromedp.KeyEvent("+"))
	b.until("!" + wholeRun)
	b.do(chromedp.KeyEvent("0"))
	b.until(wholeRun)
	for range 30 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if b.text(`document.activeElement.classList.contains("violation")`) == "true" {
			break
		}
	}
	assert.Contains(t, b.text(`document.activeElement.getAttribute("aria-label")`), "single-work violated by a and b")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.getElementById("events-about").textContent.includes("single-work violated")`)
	b.shot("h01-keyboard")
	b.clean()
}

func TestFilter(t *testing.T) {
	b := open(t, render(t, "h04-release-wipes-successor", ""), 1440, 1200)
	b.until(wholeRun)
	visible := `[...document.querySelectorAll(".block.candidate")].filter((b) => b.style.display !== "none").length`
	assert.Equal(t, "3", b.text(visible))
	b.do(chromedp.SendKeys(chromedp.CSS("#filter"), "b"))
	b.until(visible + " === 1")
	b.until(`[...document.querySelectorAll("#events tbody tr")].every((r) => ["b", ""].includes(r.cells[1].textContent))`)
	b.clean()
}

// TestVerbsOfKeys: the table says what is asked of a key in the words of the scenario files.
func TestVerbsOfKeys(t *testing.T) {
	b := open(t, render(t, "kv-healthy-failover", ""), 1440, 1200)
	b.until(wholeRun)
	b.until(`document.querySelector("#events tbody").textContent.includes("is sent")`) // the script's, not the static one
	table := b.text(`document.querySelector("#events tbody").textContent`)
	assert.NotContains(t, table, "undefined")
	assert.Contains(t, table, "refresh of the key is sent naming a")
	assert.Contains(t, table, "watch of the key is sent")
	assert.NotContains(t, table, "watch of the key is sent naming nobody")
	b.clean()
}

// scheme is light or dark, as a system prefers it.
func scheme(name string) step {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

func TestDark(t *testing.T) {
	b := open(t, render(t, "h16-retry-in-disguise", ""), 1440, 1200, scheme("dark"))
	b.until(wholeRun)
	assert.Equal(t, "rgb(15, 19, 24)", b.text("getComputedStyle(document.body).backgroundColor"))
	b.shot("h16-dark")
	b.clean()
}

// TestContrast: WCAG AA, 4.5:1 for each color of text on each ground that it stands on, in both schemes.
func TestContrast(t *testing.T) {
	for _, name := range []string{"light", "dark"} {
		b := open(t, render(t, "h01-late-ack", ""), 1440, 1200, scheme(name))
		assert.Equal(t, "", b.text(`(() => {
			const probe = document.body.appendChild(document.createElement("i"));
			const light = (name) => {
				probe.style.color = "var(--" + name + ")";
				const c = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number).slice(0, 3)
					.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
				return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
			};
			const pairs = [["ink", "red-ground"], ["ink", "fault"]];
			for (const ink of ["ink", "muted", "red", "green", "late", "refused", "accent"])
				for (const ground of ["ground", "panel"]) pairs.push([ink, ground]);
			for (let i = 0; i < 8; i++) pairs.push(["on-mark", "c" + i]);
			pairs.push(["on-mark", "work"]);
			return pairs.filter(([a, b]) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05) < 4.5)
				.map((p) => p.join(" on ")).join(", ");
		})()`), name)
	}
}

func TestWithoutScript(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 1200, 1200,
		command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	b.do(chromedp.WaitVisible(chromedp.CSS(".violation.single-work")), chromedp.WaitVisible(chromedp.CSS("#events tbody tr")))
	b.do(chromedp.WaitNotVisible(chromedp.CSS("#controls")))
	b.shot("h01-no-script")
	b.clean()
}

func TestPrint(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 1000, 1400,
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	b.do(chromedp.WaitNotVisible(chromedp.CSS("#controls")), chromedp.WaitVisible(chromedp.CSS(".violation.single-work")))
	b.shot("h01-print")
	b.clean()
}

// TestExtremes: a run of a nanosecond and one of ten years.
func TestExtremes(t *testing.T) {
	for _, horizon := range []string{"1ns", "87600h"} {
		b := open(t, render(t, "", "{name: extreme, horizon: "+horizon+", candidates: [{id: a, startAt: 87599h}]}"), 1440, 900)
		b.until(wholeRun)
		b.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("+"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("n"))
		b.until(`document.querySelectorAll("#axis text").length > 0`)
		assert.Equal(t, "false", b.text(`document.getElementById("chart").outerHTML.includes("NaN")`))
		b.clean()
	}
}

// TestNamesAreText: what a file says is shown and never run.
func TestNamesAreText(t *testing.T) {
	long := strings.Repeat("x", 253)
	b := open(t, render(t, "", `name: hostile
about: "</script><script>window.hurt = 1</script> & <img src=x onerror='hurt = 1'> שלום"
horizon: 60s
candidates:
  - {id: "</script><script>window.hurt=1</script>"}
  - {id: "\" onload=hurt=1 x='"}
  - {id: "<!--<script>", identity: "${hurt=1}{{.}}"}
  - {id: "שלום עולם"}
  - {id: `+long+`}
faults: [{kind: crash, at: 20s, on: [leader]}]
expect: {liveness: any}
`), 1440, 1200)
	b.until(wholeRun)
	assert.Equal(t, "undefined", b.text("window.hurt"))
	assert.Contains(t, b.text("document.body.textContent"), "</script><script>window.hurt = 1</script>")
	assert.Equal(t, "0", b.text("document.images.length"))
	assert.Equal(t, "false", b.text("document.documentElement.scrollWidth > innerWidth"), "nothing sticks out")
	b.shot("hostile")
	b.clean()
}

// TestSize: ten candidates for an hour, and a thousand, within 5 MB and without keeping anybody waiting.
func TestSize(t *testing.T) {
	for name, text := range map[string]string{"10-for-1h": many(10), "1000-for-1h": many(1000)} {
		t.Run(name, func(t *testing.T) {
			page := render(t, "", text)
			info, err := os.Stat(page)
			require.NoError(t, err)
			assert.Less(t, info.Size(), int64(5e6))
			b := open(t, page, 1440, 1200)
			b.until(wholeRun)
			paint, err := chromedp.Run(b, chromedp.Poll[float64](
				`performance.getEntriesByName("first-contentful-paint")[0]?.startTime`))
			require.NoError(t, err)
			t.Logf("%d bytes, first paint after %.0f ms, loaded after %s ms", info.Size(), paint,
				b.text("Math.round(performance.timing.loadEventEnd - performance.timing.navigationStart)"))
			assert.Less(t, paint, 10_000.0, "milliseconds; about 300 on an idle machine")
			b.shot(name)
			b.do(chromedp.KeyEvent("n"))
			b.until("!" + wholeRun)
			b.shot(name + "-jumped")
			b.clean()
		})
	}
}

// many is a scenario of an hour with that many candidates, and something wrong now and then.
func many(candidates int) string {
	var s strings.Builder
	s.WriteString("name: many\nhorizon: 1h\ndefaults: {rejoin: 1s}\nfaults:\n")
	for _, minute := range []string{"5", "17", "42"} {
		s.WriteString("  - {kind: delay, at: " + minute + "m, until: " + minute + "m2s, on: [leader], response: 9.9s}\n")
		s.WriteString("  - {kind: partition, at: " + minute + "m2s, until: " + minute + "m40s, on: [leader]}\n")
	}
	s.WriteString("  - {kind: outage, at: 30m, until: 31m}\n")
	s.WriteString("expect: {single-work: any, single-belief: any, safety-window: any, liveness: any}\ncandidates:\n")
	for i := range candidates {
		s.WriteString("  - {id: replica-" + strconv.Itoa(i) + ", startAt: " + strconv.Itoa(i) + "ms}\n")
	}
	return s.String()
}
