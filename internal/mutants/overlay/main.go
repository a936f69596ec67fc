// Overlay writes the patched sources of all mutants into a directory, and overlay.json for go's -overlay beside them.
// It runs in the root of the repository: go run ./internal/mutants/overlay DIRECTORY
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"interregnum/internal/mutants"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: overlay DIRECTORY")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "overlay:", err)
		os.Exit(1)
	}
}

// write writes into dir a patched copy of each file that mutants change, and the overlay.json for go build -overlay that names
// them. It creates the folders for the copies. The working directory must be the root of the repository. It stops at the first
// error.
func write(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	replace := make(map[string]string)
	for _, file := range mutants.Files(mutants.All()) {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		patched, err := mutants.Patch(mutants.All(), file, string(source))
		if err != nil {
			return err
		}
		original, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		replace[original] = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(replace[original]), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(replace[original], []byte(patched), 0o600); err != nil {
			return err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o600)
}
