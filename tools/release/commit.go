package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/tools/internal/modversion"
)

// commit is the commit that is released.
type commit struct{ time time.Time }

// nested are the modules below the main one whose programs are released. Go takes the version of such a module from the
// tag that has its folder and a slash before the version.
var nested = []string{"cmd/elector"}

// commitOf returns the commit at HEAD. It returns an error for a version that cannot be published, a tree with changes, and a
// commit that lacks a tag of the version.
func commitOf(root, version string) (*commit, error) {
	if !modversion.Publishable(version) {
		return nil, fmt.Errorf("version %q: want v0.X.Y or v1.X.Y, or such with -PRERELEASE", version)
	}
	changed, err := git(root, "status", "--porcelain", "--untracked-files=normal")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		first, _, _ := strings.Cut(changed, "\n")
		return nil, fmt.Errorf("%s: want a tree without changes, found %s", root, first)
	}
	tags, err := git(root, "tag", "--points-at", "HEAD")
	if err != nil {
		return nil, err
	}
	for _, tag := range append([]string{version}, tagsOf(version)...) {
		if !slices.Contains(strings.Fields(tags), tag) {
			return nil, fmt.Errorf("HEAD does not have the tag %s: want git tag -a -m %s %s, or the commit that has it", tag, tag, tag)
		}
	}
	seconds, err := git(root, "show", "-s", "--format=%ct", "HEAD")
	if err != nil {
		return nil, err
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("git show: want the time of the commit, got %q", seconds)
	}
	return &commit{time: time.Unix(at, 0)}, nil
}

// tagsOf returns the tags of the nested modules for a version.
func tagsOf(version string) (tags []string) {
	for _, folder := range nested {
		tags = append(tags, folder+"/"+version)
	}
	return tags
}

// git runs git in a folder, and returns its standard output, without spaces around it.
func git(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	var stderr bytes.Buffer
	c.Dir, c.Stderr = dir, &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
