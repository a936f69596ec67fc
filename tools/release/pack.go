package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file that goes into archives.
type file struct {
	name string
	mode int64
	text []byte
	// of is the folder of the program that it belongs to, "" for all.
	of string
}

// sums is the name of the file with the sums.
const sums = "SHA256SUMS"

// textFiles returns the files for archives that are no programs: documentation, licences and shell completions. To make some of
// them it runs programs of the repository.
func textFiles(root string) (files []file, err error) {
	paths := []string{filepath.Join(root, "LICENSE"), filepath.Join(root, "README.md")}
	for _, pattern := range []string{"docs/*.md", "docs/method/*.md", "docs/tutorials/*.md", "docs/gallery/*"} {
		pages, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		paths = append(paths, pages...)
	}
	for _, path := range paths {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: filepath.ToSlash(name), mode: 0o644, text: text})
	}
	for _, folder := range allPrograms {
		made, err := madeFiles(root, folder)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// madeFiles runs programs of the repository, and returns what they print as files: the shell completions for the program in a
// folder, and the licences of what is linked into it.
func madeFiles(root, folder string) (files []file, err error) {
	program := filepath.Base(folder)
	for _, made := range []struct {
		name, folder string
		args         []string
	}{
		{"completions/" + program + ".bash", folder, []string{".", "completion", "bash"}},
		{"completions/_" + program, folder, []string{".", "completion", "zsh"}},
		{"completions/" + program + ".fish", folder, []string{".", "completion", "fish"}},
		{"completions/" + program + ".ps1", folder, []string{".", "completion", "powershell"}},
		{"licences/" + program + ".txt", "tools", []string{"./licences", "-texts", "-of", program}},
	} {
		text, err := goRun(filepath.Join(root, made.folder), made.args...)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: made.name, mode: 0o644, text: text, of: folder})
	}
	return files, nil
}

// pack writes the archive dir/name.tar.gz. Its bytes depend only on the name, the files and the time at.
func pack(dir, name string, files []file, at time.Time) error {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var archive bytes.Buffer
	z, err := gzip.NewWriterLevel(&archive, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: name + "/" + f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: at,
			Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".tar.gz"), archive.Bytes(), 0o666)
}

// writeSums writes the file SHA256SUMS, with the checksums of all files in the folder, as sha256sum --check reads them.
func writeSums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(text), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, sums), lines.Bytes(), 0o666)
}
