package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

var rewriteGallery = flag.Bool("gallery", false, "write the pages of docs/gallery anew")

// galleryNames are the scenarios of docs/gallery: each as it is, and with strict under the same faults.
var galleryNames = []string{"h01-late-ack", "h04-release-wipes-successor", "h16-retry-in-disguise"}

// TestGallery: what is in docs/gallery is what the command writes today.
func TestGallery(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pictures, on one goroutine")
	}
	for _, name := range galleryNames {
		compareWithGallery(t, name, "run", name)
		compareWithGallery(t, name+"-strict", "run", name, "--profile", "strict")
	}
	compareWithGallery(t, "search", gallerySearch...)
	compareWithGallery(t, "search-strict", append(gallerySearch, "--profile", "strict")...)
}

// gallerySearch is a search on the library's recommended timings.
var gallerySearch = []string{"search", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s",
	"--max-round-trip", "2s", "--runs", "12800"}

func compareWithGallery(t *testing.T, name string, args ...string) {
	fresh := filepath.Join(t.TempDir(), "fresh.html")
	got := simulate("", append(args, "--html", fresh, "-o", "json")...)
	require.Contains(t, []int{exit.AsExpected, exit.NotAsExpected}, got.code, got.stderr)
	page, err := os.ReadFile(fresh)
	require.NoError(t, err)
	kept := filepath.Join("../../docs/gallery", name+".html")
	if *rewriteGallery {
		require.NoError(t, os.WriteFile(kept, page, 0o666))
		return
	}
	committed, err := os.ReadFile(kept)
	require.NoError(t, err)
	assert.True(t, string(page) == string(committed), "%s is not what the command writes: make gallery", kept)
}
