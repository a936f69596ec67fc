package cliflag

import (
	"strings"

	"github.com/spf13/pflag"
)

// group is the annotation of a flag that has the title of its group.
const group = "group"

// OtherLocks is the title of the flags that count for no Lease. Help shows that group last: few want it.
const OtherLocks = "Other locks than a Lease"

// Group has the help show flags under a title of their own, in the order in which their titles come first.
func Group(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, group, []string{title}); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// GroupOf is the title of the group that a flag is in, "" for none.
func GroupOf(f *pflag.Flag) string { return strings.Join(f.Annotations[group], "") }
