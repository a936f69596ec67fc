package cliflag

import (
	"strings"

	"github.com/spf13/pflag"
)

// group is the key of the annotation with the title of a flag's group.
const group = "group"

// OtherLocks is the title of the flags that matter only to other locks than a Lease. Help shows that group last, since few
// people need it.
const OtherLocks = "Other locks than a Lease"

// Group puts flags into a group, which the help shows under its title. The groups are in the order of their first flags. It
// panics if there is no flag of one of the names.
func Group(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, group, []string{title}); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// GroupOf returns the title of a flag's group, "" for none.
func GroupOf(f *pflag.Flag) string { return strings.Join(f.Annotations[group], "") }
