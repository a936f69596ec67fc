package usual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
)

const (
	defaultRestart = "10s"
	// noRestart is the value of --restart for a process that does not exit.
	noRestart = "none"
)

// Site returns what is usual for targets with that many replicas, which count instead of those in files if a flag says so: from the
// file of --behaviour, or from the flags. How long a process takes to be back comes from --restart, else from the file's startup, else
// it is assumed. The error says what is wrong with the file or the flags.
func (f *Behaviour) Site(c *cobra.Command, replicas int, thresholds outlook.Thresholds) (*outlook.Site, error) {
	s := &outlook.Site{
		Replicas: replicas, ReplicasSaid: c.Flags().Changed("replicas"), RestartText: f.restart.Text, RestartAssumed: !c.Flags().Changed("restart"), Thresholds: thresholds,
	}
	back, _ := parseLength(defaultRestart)
	if s.Restart = *f.restart.Value; s.Restart != nil {
		back = *s.Restart
	}
	var err error
	s.Behaviour, s.From, err = f.read(c, back)
	if err == nil && s.RestartAssumed && s.Behaviour.Startup != nil {
		s.Restart, s.RestartText, s.RestartAssumed = s.Behaviour.Startup, "the behaviour's startup", false
	}
	return s, err
}

// Environment returns the gate's environment. Without --environment it is read from the file of --behaviour, and t.File is set to
// that, unless the file is standard input. If nothing else gives the longest round trip, that is the value of --max.
func (f *Behaviour) Environment(c *cobra.Command, t *target.EnvironmentFlags) (gate.Environment, error) {
	if t.File == "" && f.File != "-" {
		t.File = f.File
	}
	e, err := t.Read(c)
	if err != nil || f.max.Value == nil {
		return e, err
	}
	for _, n := range e.Numbers() {
		if n.Flag == "max-round-trip" && n.Source == gate.TimeoutDefault {
			if err := e.Set(n.Flag, gate.FormatDuration(*f.max.Value), "--max"); err != nil {
				return e, exit.Usage(c.CommandPath(), "--max: %v", err)
			}
		}
	}
	return e, nil
}

// parseRestart parses a value of --restart. It returns nil and no error for noRestart.
func parseRestart(text string) (*behaviour.Distribution, error) {
	if text == noRestart {
		return nil, nil
	}
	d, err := parseLength(text)
	return &d, err
}

// parseLength parses how long something lasts: a time, or a range such as 10s-40s, within which all lengths are equally likely.
func parseLength(text string) (behaviour.Distribution, error) {
	from, to, ranged := strings.Cut(text, "-")
	if from == "" || !ranged {
		d, err := outlook.ParseTime(text)
		return behaviour.Constant(d), err
	}
	least, err := outlook.ParseTime(from)
	if err != nil {
		return behaviour.Distribution{}, err
	}
	most, err := outlook.ParseTime(to)
	if err == nil && most < least {
		err = fmt.Errorf("want a range that does not fall, got %s", text)
	}
	return behaviour.Uniform(least, most), err
}
