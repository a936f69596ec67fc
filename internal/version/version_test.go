package version

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func build(version string, settings ...string) *debug.BuildInfo {
	b := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: version}}
	for i := 0; i < len(settings); i += 2 {
		b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return b
}

func TestInfo(t *testing.T) {
	for _, c := range []struct {
		build *debug.BuildInfo
		want  string
	}{
		{
			build("v0.1.0", "GOARCH", "arm64", "GOOS", "linux", "vcs", "git", "vcs.modified", "false",
				"vcs.revision", "d11abd6", "vcs.time", "2026-11-21T16:41:00Z"),
			"p v0.1.0\nrevision d11abd6 of 2026-11-21T16:41:00Z\nbuilt by go1.26.8 for linux/arm64\n",
		},
		{
			build("v0.0.0-20261121164100-d11abd6d11ab+dirty", "GOARCH", "amd64", "GOOS", "windows", "vcs.modified", "true",
				"vcs.revision", "d11abd6", "vcs.time", "2026-11-21T16:41:00Z"),
			"p v0.0.0-20261121164100-d11abd6d11ab+dirty\nrevision d11abd6 of 2026-11-21T16:41:00Z, with changes\n" +
				"built by go1.26.8 for windows/amd64\n",
		},
		{build("", "GOARCH", "amd64", "GOOS", "linux"), "p (devel)\nbuilt by go1.26.8 for linux/amd64\n"},
	} {
		assert.Equal(t, c.want, describe("p", c.build).String())
	}
}

// TestRead: of this test's binary at least the toolchain and the platform are known.
func TestRead(t *testing.T) {
	i := Read("p")
	assert.Equal(t, []string{runtime.Version(), runtime.GOOS, runtime.GOARCH}, []string{i.Go, i.OS, i.Arch})
	assert.Equal(t, i, Read("p"))
}
