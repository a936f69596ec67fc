// Package version has the command simulate version.
package version

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/elector/machine"
	"interregnum/internal/version"
	"interregnum/reports/text"
)

// Build is the version of this program, with the libraries that its profiles model.
type Build struct {
	version.Info
	Profiles []modelled `json:"profiles"`
}

// modelled is a profile and the library that it models, with the library's version; "" for Interregnum's own profiles.
type modelled struct {
	Profile string `json:"profile"`
	Library string `json:"library,omitempty"`
}

// libraries are the libraries that profiles model. The parity tests and make python compare with the versions of client-go and of
// Python here. Nothing compares fabric8, java, csharp and rust, and no version has the change of client-go-next yet.
var libraries = map[string]string{
	machine.ClientGo.Name:     "k8s.io/client-go v0.37.2",
	machine.ClientGoV024.Name: "k8s.io/client-go v0.24.17",
	machine.ClientGoV017.Name: "k8s.io/client-go v0.17.17",
	machine.ClientGoNext.Name: "k8s.io/client-go v0.37.2 with kubernetes/kubernetes#139991, a preview",
	machine.Fabric8.Name:      "fabric8io/kubernetes-client v6.9, as its source reads",
	machine.Python.Name:       "kubernetes-client/python v22.6.0",
	machine.Java.Name:         "kubernetes-client/java since 2023 (#2617), as its source reads",
	machine.CSharp.Name:       "kubernetes-client/csharp, as its source reads",
	machine.Rust.Name:         "kube-leader-election v0.10, as its source reads",
}

// This returns the version of this program, with its profiles and the libraries that they model.
func This() *Build {
	b := &Build{Info: version.Read("simulate")}
	for _, name := range machine.ProfileNames() {
		b.Profiles = append(b.Profiles, modelled{Profile: name, Library: libraries[name]})
	}
	return b
}

// Text returns the build as lines of text, with a line for each profile.
func (b *Build) Text() string { return b.text(text.Unlimited) }

// text returns what Text returns, with the lines of profiles broken so that they have at most width columns.
func (b *Build) text(width int) string {
	var t strings.Builder
	t.WriteString(b.String())
	for _, p := range b.Profiles {
		t.WriteString(text.Beside(fmt.Sprintf("profile %-16s is ", p.Profile), orOwn(p.Library), width) + "\n")
	}
	return t.String()
}

// orOwn returns the library that a profile models; "Interregnum's own" if it is "".
func orOwn(library string) string {
	if library == "" {
		return "Interregnum's own"
	}
	return library
}

// forms are the forms of output of simulate version.
var forms = cliflag.Forms[func(io.Writer, *Build) error]{
	{Name: cliflag.Text, Write: func(w io.Writer, b *Build) error {
		_, err := io.WriteString(w, b.text(terminal.Of(w).MaxLine()))
		return err
	}},
	{Name: cliflag.JSON, Write: func(w io.Writer, b *Build) error { return json.NewEncoder(w).Encode(b) }},
}

// New returns the command simulate version.
func New() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "version",
		Short: "Of what this was built, and which libraries its profiles model",
		Long: `Of what this was built, and which libraries its profiles model.

A release has the version of its tag. All others have the one that Go derives from the last tag and the commit, with
+dirty where files had been changed, or (devel) where there was no repository. --version says the same.

With -o json one object: {"program":…,"version":…,"revision":{"id":…,"time":…,"modified":…},"go":…,"os":…,"arch":…,
"profiles":[{"profile":…,"library":…}…]}; revision is absent where there was no repository.`,
		Example: `  simulate version
  simulate version -o json`,
		Args: exit.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			write, err := forms.Chosen(c, output)
			if err != nil {
				return err
			}
			return write(c.OutOrStdout(), This())
		},
	}
	forms.Register(c, &output)
	return c
}
