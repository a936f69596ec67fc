package browser

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var gallery = flag.Bool("gallery", false, "take the pictures of docs/gallery anew")

const galleryFolder = "../../docs/gallery"

// TestGalleryPictures takes a picture of the upper part of each page in the gallery.
func TestGalleryPictures(t *testing.T) {
	if !*gallery {
		t.Skip("only with -gallery")
	}
	pages, err := filepath.Glob(filepath.Join(galleryFolder, "*.html"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, file := range pages {
		if strings.HasPrefix(filepath.Base(file), "search") {
			searchPicture(t, file)
			continue
		}
		file, err := filepath.Abs(file)
		require.NoError(t, err)
		b := open(t, file, 1200, 1000)
		b.until(wholeRun)
		height, err := chromedp.Run(b, chromedp.Evaluate[float64](
			`Math.ceil(document.querySelector(".legend").getBoundingClientRect().bottom + 6)`))
		require.NoError(t, err)
		b.do(chromedp.EmulateViewport(1200, int64(height)))
		shot, err := chromedp.Run(b, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		b.clean()
		require.Less(t, len(shot), 200_000)
		require.NoError(t, os.WriteFile(strings.TrimSuffix(file, ".html")+".png", shot, 0o666))
	}
}

// searchPicture takes a picture of the page of a search, as far as its map.
func searchPicture(t *testing.T, file string) {
	file, err := filepath.Abs(file)
	require.NoError(t, err)
	b := open(t, file, 1200, 1000)
	height, err := chromedp.Run(b, chromedp.Evaluate[float64](
		`Math.ceil(document.querySelector("[aria-label=Colours]").getBoundingClientRect().bottom + 10)`))
	require.NoError(t, err)
	b.do(chromedp.EmulateViewport(1200, int64(height)))
	shot, err := chromedp.Run(b, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	b.clean()
	require.Less(t, len(shot), 400_000)
	require.NoError(t, os.WriteFile(strings.TrimSuffix(file, ".html")+".png", shot, 0o666))
}
