package cliflag

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/plan"
)

// LockFlags has the flags that describe the lock.
type LockFlags struct {
	Kind, Now, Precision Once
	// PrecisionFlag is the name of the flag for Precision; "" is precision.
	PrecisionFlag string
}

// Register adds the flags to the command. It sets l.PrecisionFlag to "precision" if that is "". note is added to the help of
// --lock.
func (l *LockFlags) Register(c *cobra.Command, note string) {
	l.Kind = Once{Text: string(plan.Lease), Kind: "KIND", Check: Among(plan.LockNames()...)}
	l.Now = Once{Text: "", Kind: "CLOCK", Check: Among(string(plan.CallerNow), string(plan.DatabaseNow))}
	l.Precision = Once{Text: "", Kind: "UNIT", Check: Among("1us", "1ms", "1s")}
	l.PrecisionFlag = cmp.Or(l.PrecisionFlag, "precision")
	flags, timed := c.Flags(), plan.OneLockThat(plan.Lock.ByWallClock)
	flags.Var(&l.Kind, "lock", "what the record is kept in: "+strings.Join(plan.LockNames(), ", ")+note)
	flags.Var(&l.Now, "now", "of "+timed+", whose time statements carry: caller or database (default: caller)")
	flags.Var(&l.Precision, l.PrecisionFlag, "of "+timed+", what the column of the time keeps: 1us, 1ms or 1s (default: 1us)")
	Group(flags, OtherLocks, "lock", "now", l.PrecisionFlag)
}

// Check returns an error if --now or the flag of the precision is given with a lock that does not expire by a wall clock.
func (l *LockFlags) Check(c *cobra.Command) error {
	for _, name := range []string{"now", l.PrecisionFlag} {
		if c.Flags().Changed(name) && !plan.Lock(l.Kind.Text).ByWallClock() {
			return exit.Usage(c.CommandPath(), "--%s is of --lock %s; that is %s", name, plan.OneLockThat(plan.Lock.ByWallClock), l.Kind.Text)
		}
	}
	return nil
}
