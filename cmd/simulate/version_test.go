package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/version"
	"interregnum/elector/machine"
)

func TestVersion(t *testing.T) {
	text := simulate("", "version")
	assert.Equal(t, exit.AsExpected, text.code, text.stderr)
	assert.Regexp(t, `^simulate \S+\n(revision .*\n)?built by go\S+ for \w+/\w+\nprofile client-go +is k8s.io/client-go v`, text.stdout)
	assert.Regexp(t, `profile strict +is Interregnum's own\n`, text.stdout)
	assert.Equal(t, text, simulate("", "--version"))

	var got version.Build
	object := simulate("", "version", "-o", "json")
	require.NoError(t, json.Unmarshal([]byte(object.stdout), &got))
	assert.Equal(t, text.stdout, got.Text())
	assert.Equal(t, exit.BadInput, simulate("", "version", "-o", "junit").code)
	assert.Equal(t, exit.BadInput, simulate("", "version", "me").code)
}

// TestLibraries: each version named is the one that the parity tests of its profile link, and only strict has none.
func TestLibraries(t *testing.T) {
	libraries := map[string]string{}
	for _, p := range version.This().Profiles {
		libraries[p.Profile] = p.Library
		assert.Equal(t, p.Profile == machine.Strict.Name, p.Library == "", p.Profile)
	}
	for profile, module := range map[string]string{
		machine.ClientGo.Name: "e2e/newest", machine.ClientGoV024.Name: "e2e/clientgo024", machine.ClientGoV017.Name: "e2e/clientgo017",
	} {
		text, err := os.ReadFile(filepath.Join("../..", module, "go.mod"))
		require.NoError(t, err)
		linked := regexp.MustCompile(`(?m)^(?:replace .* => |\tk8s.io/client-go => |\t)(k8s.io/client-go v\S+)$`).
			FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, linked, module)
		assert.Equal(t, linked[len(linked)-1][1], libraries[profile], module) // a replacement comes after what it replaces
	}
}
