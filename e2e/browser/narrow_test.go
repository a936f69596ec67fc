package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// broken are the words of a page that go on in a second line. A word may end behind a hyphen; names and hashes of more than
// thirty letters have to go somewhere.
const broken = `(() => {
	const words = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		if (n.parentElement.closest("script, style, svg, datalist")) continue;
		const isCommand = n.parentElement.closest("pre");
		for (const m of n.data.matchAll(isCommand ? /\S+/g : /[^\s-]+-?/g)) {
			if (m[0].length > 30) continue;
			const r = document.createRange();
			r.setStart(n, m.index);
			r.setEnd(n, m.index + m[0].length);
			if (new Set([...r.getClientRects()].filter((c) => c.width > 0).map((c) => Math.round(c.top))).size > 1) words.push(m[0]);
		}
	}
	return words.join(" ");
})()`

// inView tells whether the longest violation is, in the page and in the box that the chart scrolls in, with what is written
// beside it.
const inView = `(() => {
	const box = document.getElementById("chart-box").getBoundingClientRect();
	return [".violation", ".violations .label"].every((of) => {
		const v = document.querySelector("#chart " + of).getBoundingClientRect();
		return v.width > 8 && v.left >= box.left && v.right <= box.right + 1 && v.top >= 0 && v.bottom <= innerHeight;
	});
})()`

// TestNarrow: at every width the page opens at the violation, breaks no word and does not scroll sideways.
func TestNarrow(t *testing.T) {
	for _, width := range []int64{420, 1200} {
		for _, name := range []string{"h01-late-ack", "elections-overload"} {
			b := open(t, render(t, name, ""), width, 900)
			b.until(`document.querySelectorAll("#events tbody tr").length > 50`)
			assert.Equal(t, "", b.text(broken), "%s at %d", name, width)
			assert.Equal(t, "true", b.text(inView), "%s at %d", name, width)
			assert.Equal(t, "true", b.text(`document.documentElement.scrollWidth <= innerWidth`), "%s at %d", name, width)
			b.clean()
			if width == 420 {
				b.shot("narrow-" + name)
			}
		}
		b := open(t, renderSearch(t), width, 900)
		b.until(`document.readyState === "complete"`)
		assert.Equal(t, "", b.text(broken), width)
		assert.Equal(t, "true", b.text(`document.documentElement.scrollWidth <= innerWidth`), width)
		assert.Equal(t, "true", b.text(`[...document.querySelectorAll("tr")].every((r) => r.getBoundingClientRect().height < 160)`), width)
	}
}

// TestNarrowJump: the buttons too show a violation where it can be seen.
func TestNarrowJump(t *testing.T) {
	b := open(t, render(t, "h01-late-ack", ""), 420, 900)
	b.until(`document.querySelectorAll("#events tbody tr").length > 50`)
	b.text(`document.getElementById("next").click()`)
	b.until(`document.getElementById("range").textContent.indexOf("The whole run") < 0`)
	b.until(inView)
}
