// Package browser opens the pages that simulate writes in a real browser: Debian's chromium.
package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// out is where screenshots are kept; git ignores it.
const out = "../../reports/out"

// simulate builds the command once.
var simulate = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		return "", err
	}
	command := filepath.Join(dir, "simulate")
	build := exec.Command("go", "build", "-o", command, "./cmd/simulate")
	build.Dir, build.Stderr = "../..", os.Stderr
	return command, build.Run()
})

// render writes the page of a scenario, the name of one that ships or a file's text, and returns its path.
func render(t *testing.T, name, text string) string {
	t.Helper()
	command, err := simulate()
	require.NoError(t, err)
	dir := t.TempDir()
	if text != "" {
		name = filepath.Join(dir, "scenario.yaml")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	page := filepath.Join(dir, "page.html")
	run := exec.Command(command, "run", name, "--html", page, "-o", "json")
	output, err := run.CombinedOutput()
	require.NoError(t, err, "%s", tail(output))
	return page
}

func tail(output []byte) []byte { return output[max(0, len(output)-400):] }

// tab is one page in the browser, with what it asked the network for and complained of.
type tab struct {
	context.Context
	t        *testing.T
	mutex    sync.Mutex
	requests []string
	problems []string
}

// step is something done to a page.
type step = chromedp.Action[chromedp.Void]

// command is a step of the browser's own protocol.
func command[P any](c cdp.Command[P, cdp.Empty], params P) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, c, params)
		return err
	})
}

// chromium is where Debian and other systems have it, "" if nowhere.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// open opens a page, once what is to be set before has been.
func open(t *testing.T, page string, width, height int64, before ...step) *tab {
	t.Helper()
	path := chromium()
	if path == "" {
		t.Skip("SKIPPED: no chromium on this machine, so no page was opened; apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	b := &tab{t: t}
	ctx, done := chromedp.NewContext(allocator, chromedp.WithListener(b.listen))
	t.Cleanup(done)
	require.NoError(t, chromedp.Do(ctx), "the browser starts")
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b.Context = ctx
	b.do(command(network.Enable, network.EnableParams{}), command(log.Enable, cdp.Empty{}),
		chromedp.EmulateViewport(width, height))
	b.do(before...)
	b.do(chromedp.Navigate("file://" + page))
	return b
}

func (b *tab) listen(event any) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.problems = append(b.problems, "console."+string(e.Type))
	case *log.EventEntryAdded:
		b.problems = append(b.problems, e.Entry.Text)
	}
}

func (b *tab) do(steps ...step) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b, steps...))
}

// text is what an expression gives.
func (b *tab) text(expression string) string {
	b.t.Helper()
	s, err := chromedp.Run(b, chromedp.Evaluate[string]("String("+expression+")"))
	require.NoError(b.t, err, expression)
	return s
}

// until waits for an expression to hold.
func (b *tab) until(expression string) {
	b.t.Helper()
	_, err := chromedp.Run(b, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(100*time.Second)))
	require.NoError(b.t, err, expression)
}

// click clicks into the middle of an element until an expression holds: while the page draws itself anew, a click can miss. It waits before
// it clicks again, since two clicks that follow each other mean something else.
func (b *tab) click(element, shown string) {
	b.t.Helper()
	for missed := true; missed; {
		x, y := b.middle(element)
		b.do(chromedp.MouseClickXY(x, y))
		_, err := chromedp.Run(b, chromedp.Poll[bool](shown, chromedp.WithPollingTimeout(2*time.Second)))
		require.NoError(b.t, b.Err(), shown)
		missed = err != nil
	}
}

// shot keeps a screenshot to look at.
func (b *tab) shot(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(out, 0o777))
	require.NoError(b.t, os.WriteFile(filepath.Join(out, name+".png"), png, 0o666))
}

// clean is that the page asked for nothing but itself, and that nothing went wrong in it.
func (b *tab) clean() {
	b.t.Helper()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	require.Len(b.t, b.requests, 1, "the page itself and nothing else: %v", b.requests)
	require.Empty(b.t, b.problems)
}
