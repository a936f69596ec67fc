package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/suggest"
)

// wrongFlags returns one Error with the code for bad input for all wrong flags of the command line args: first for err, with which
// pflag has ended, then for each other flag that does not exist or does not take its value, a line for each. Without a command it is
// about err alone.
func wrongFlags(c *cobra.Command, err error, args []string) error {
	lines := []string{flagError(c, err).Error()}
	for i := 0; c.HasParent() && i < len(args) && args[i] != "--"; i++ {
		name, long := strings.CutPrefix(args[i], "--")
		name, value, given := strings.Cut(name, "=")
		flag := c.Flags().Lookup(name)
		if long && flag != nil && !given && flag.NoOptDefVal == "" && i+1 < len(args) {
			i++
			value, given = args[i], true
		}
		var wrong error
		switch {
		case !long:
		case flag == nil:
			wrong = suggest.Unknown(c, name)
		case given:
			if wrong = c.Flags().Set(name, value); wrong != nil {
				wrong = flagError(c, wrong)
			}
		}
		if wrong != nil && !slices.Contains(lines, wrong.Error()) {
			lines = append(lines, wrong.Error())
		}
	}
	return &exit.Error{Code: exit.BadInput, Text: strings.Join(lines, "\n")}
}

// wantedOf has, for pflag's own types of flags, which values they take. Other types say so in their errors.
var wantedOf = map[string]string{
	"bool":     "true or false",
	"duration": "a duration such as 15s",
	"float64":  "a number",
	"int":      "a whole number",
	"int64":    "a whole number",
	"uint64":   "a whole number, 0 to 18446744073709551615",
}

// flagError returns an Error with the code for bad input in place of an error of pflag. Its text says which values the flag
// takes, or which flag was perhaps meant.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		why := invalid.Unwrap().Error()
		if want := wantedOf[invalid.GetFlag().Value.Type()]; want != "" {
			why = "want " + want
		}
		return exit.Usage(c.CommandPath(), "--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), why)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		return suggest.UnknownFlag(c, unknown)
	}
	return exit.Usage(c.CommandPath(), "%v", err)
}
