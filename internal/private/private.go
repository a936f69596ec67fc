// Package private writes files that are nobody else's business.
package private

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes a file that only its owner may read, as a whole or not at all. It takes the place of what was there: of a
// link too, which is not followed, so that the path may be one in a folder in which all may write.
func WriteFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".private-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
