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

// WriteFile makes a file of what content writes, which only its owner may read. Where content fails there is no file.
func WriteFile(path string, content func(io.Writer) error) error {
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return err
	}
	return private.WriteFile(path, b.Bytes())
}

// Temporary returns the name, in the directory for temporary files, of what a test leaves: the same each time, and another one
// for a package elsewhere, as in another checkout, whatever it is called.
func Temporary(test string) string {
	dir, _ := os.Getwd() // go test runs a package's tests in its directory
	place := crc32.ChecksumIEEE([]byte(dir))
	return fmt.Sprintf("electiontest-%s-%08x-%s", fileName(packagePath()), place, fileName(test))
}

// fileName makes a text fit for a file's name: each character but letters, digits and dashes becomes _.
func fileName(test string) string {
	return regexp.MustCompile(`[^a-zA-Z0-9-]`).ReplaceAllString(test, "_")
}
