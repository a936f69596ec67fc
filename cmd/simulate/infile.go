package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// openInput opens a file to read, and refuses a folder; want says, for the error, what the file should be. The error
// has the file's name once.
func openInput(name, want string) (*os.File, error) {
	file, err := os.Open(name)
	if err == nil {
		var info os.FileInfo
		if info, err = file.Stat(); err == nil && !info.IsDir() {
			return file, nil
		}
		file.Close()
	}
	if err == nil {
		return nil, fmt.Errorf("%s: is a directory; want %s", name, want)
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}
