package report

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"regexp"

	"interregnum/internal/private"
)

// WriteFile writes to a file what content writes to its argument. Only the owner may read the file. It replaces an existing
// file; if content fails, it leaves the path as it was.
func WriteFile(path string, content func(io.Writer) error) error {
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return err
	}
	return private.WriteFile(path, b.Bytes())
}

// Temporary returns the name that files of a test have in the directory for temporary files, without extension. It is the same
// in each run of the test, and differs between checkouts: it depends on the package and its directory.
func Temporary(test string) string {
	dir, _ := os.Getwd() // go test runs a package's tests in its directory
	place := crc32.ChecksumIEEE([]byte(dir))
	return fmt.Sprintf("electiontest-%s-%08x-%s", fileName(packagePath()), place, fileName(test))
}

// fileName replaces each character of a text by _, except letters, digits and dashes, so that it can be in a file's
// name.
func fileName(test string) string {
	return regexp.MustCompile(`[^a-zA-Z0-9-]`).ReplaceAllString(test, "_")
}
