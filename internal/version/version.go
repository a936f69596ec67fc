// Package version tells a program how it was built. It knows only what the Go toolchain has stamped into the program.
package version

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Info describes a build. It is the same for every run of one binary.
type Info struct {
	Program string `json:"program"`
	// Version is the tag that the build was made of, a pseudo-version after the last one, with +dirty where files had been
	// changed, or "(devel)" where the toolchain did not know.
	Version string `json:"version"`
	// Revision is nil if the build was made outside of a repository, or with -buildvcs=false.
	Revision *Revision `json:"revision,omitempty"`
	// Go is the toolchain's version; OS and Arch are what it built for.
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// Revision is the commit that a build was made of.
type Revision struct {
	ID string `json:"id"`
	// Time is the time of the commit, in RFC 3339.
	Time string `json:"time"`
	// Modified tells that files had been changed or added since.
	Modified bool `json:"modified"`
}

// Read returns how this binary was built. program becomes Info.Program.
func Read(program string) Info {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{} // built without modules
	}
	return describe(program, build)
}

// describe returns the Info of a program from what the toolchain has stamped into it.
func describe(program string, build *debug.BuildInfo) Info {
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	i := Info{
		Program: program, Version: build.Main.Version, Go: build.GoVersion,
		OS: settings["GOOS"], Arch: settings["GOARCH"],
	}
	if i.Version == "" {
		i.Version = "(devel)"
	}
	if id := settings["vcs.revision"]; id != "" {
		i.Revision = &Revision{ID: id, Time: settings["vcs.time"], Modified: settings["vcs.modified"] == "true"}
	}
	return i
}

// String describes the build in two or three lines, each with a newline.
func (i Info) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", i.Program, i.Version)
	if r := i.Revision; r != nil {
		fmt.Fprintf(&b, "revision %s of %s", r.ID, r.Time)
		if r.Modified {
			b.WriteString(", with changes")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "built by %s for %s/%s\n", i.Go, i.OS, i.Arch)
	return b.String()
}
