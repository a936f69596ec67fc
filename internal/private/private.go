// Package private writes files that only their owner may read, and refuses links that others may have made.
package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckLink returns an error if path is a symbolic link in a sticky folder in which all may write, such as /tmp: anybody can
// have made such a link, so that another file is overwritten. It also returns an error for a link whose folder cannot be looked
// at. It returns nil otherwise, also if there is nothing at path.
func CheckLink(path string) error {
	const all = 0o002
	link, err := os.Lstat(path)
	if err != nil || link.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil || folder.Mode()&fs.ModeSticky != 0 && folder.Mode()&all != 0 {
		return fmt.Errorf("%s: is a link in a folder in which all may write: anybody can have made it; want another name", path)
	}
	return nil
}

// WriteFile writes a file that only its owner may read, as a whole or not at all. It replaces what was there. If the path is a
// link, it replaces the link instead of following it; so a path in a folder in which all may write is safe.
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
