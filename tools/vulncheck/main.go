// Vulncheck runs govulncheck (golang.org/x/vuln) on the packages of modules, whose folders are its arguments. It fails where
// the code calls what the database of Go's vulnerabilities knows to be vulnerable. Where that database cannot be reached it
// says that it was skipped, and succeeds.
//
// The exit status is 0, 3 where something was found, and 1 where it cannot tell.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/vuln/scan"
)

const (
	nothingFound = 0
	cannotTell   = 1
	// found is govulncheck's own exit status when it finds something.
	found = 3
)

// patience is how long the database may take to answer.
const patience = 20 * time.Second

func main() {
	db := flag.String("db", "https://vuln.go.dev", "the URL of the database: https:// or file://")
	packages := flag.String("packages", "./...", "the packages of each module")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	err := reach(ctx, *db)
	cancel()
	if err != nil {
		fmt.Printf("skipped: the database of vulnerabilities cannot be reached: %v\n", err)
		return
	}
	worst := nothingFound
	for _, dir := range flag.Args() {
		fmt.Printf("%s\n", dir)
		worst = max(worst, check(context.Background(), os.Stdout, *db, dir, *packages))
	}
	os.Exit(worst)
}

// reach asks the database at that URL for its smallest file, and returns an error if it cannot be reached. It does not
// ask a database of files, since govulncheck itself says if that is missing.
func reach(ctx context.Context, db string) error {
	if strings.HasPrefix(db, "file:") {
		return nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(db, "/")+"/index/db.json.gz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: want status 200, got %s", request.URL, response.Status)
	}
	return nil
}

// check prints to out what govulncheck finds in the packages of the module in dir. It returns nothingFound, found or
// cannotTell.
func check(ctx context.Context, out io.Writer, db, dir, packages string) int {
	c := scan.Command(ctx, "-db", db, "-C", dir, packages)
	c.Stdout, c.Stderr = out, out
	err := c.Start()
	if err == nil {
		err = c.Wait()
	}
	var status interface{ ExitCode() int }
	switch {
	case err == nil:
		return nothingFound
	case errors.As(err, &status) && status.ExitCode() == found:
		return found
	}
	fmt.Fprintf(out, "vulncheck: %s: %v\n", dir, err)
	return cannotTell
}
