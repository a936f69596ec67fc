package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFound: testdata/db says that every version of go.yaml.in/yaml/v3, with which scenario files are read, is vulnerable where it
// parses.
func TestFound(t *testing.T) {
	db, err := filepath.Abs("testdata/db")
	if err != nil {
		t.Fatal(err)
	}
	for packages, want := range map[string]struct {
		status int
		text   string
	}{
		"./scenarios":    {found, "GO-0000-0001"},
		"./internal/sim": {nothingFound, "No vulnerabilities found."},
		"./missing":      {cannotTell, "missing"},
	} {
		var out strings.Builder
		status := check(context.Background(), &out, "file://"+db, "../..", packages)
		if status != want.status || !strings.Contains(out.String(), want.text) {
			t.Errorf("%s: want exit status %d and %q, got %d and\n%s", packages, want.status, want.text, status, out.String())
		}
	}
}

// TestReach: whatever keeps the database from being read is told, and waited for no longer than the context.
func TestReach(t *testing.T) {
	status := http.StatusOK
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer there.Close()
	if err := reach(context.Background(), there.URL); err != nil {
		t.Error(err)
	}
	status = http.StatusForbidden
	if err := reach(context.Background(), there.URL); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("want the status in the error, got %v", err)
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }))
	defer silent.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := reach(ctx, silent.URL); err == nil {
		t.Error("want an error of a server that does not answer")
	}
}
