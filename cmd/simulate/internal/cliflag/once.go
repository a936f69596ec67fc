package cliflag

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"interregnum/internal/gate"
	"interregnum/internal/phrase"
)

// Once is a flag that checks its values, and that cannot be given twice with different values.
type Once struct {
	// Text is the value, and Kind its name in the help.
	Text, Kind string
	// Check refuses a text that the flag does not take.
	Check func(text string) error
	given bool
}

// Given tells whether the flag was given.
func (o *Once) Given() bool { return o.given }

// Duration returns a flag for a duration above zero, with the default d.
func Duration(d time.Duration) Once {
	return Once{Text: gate.FormatDuration(d), Kind: "DURATION", Check: AtLeast(1)}
}

// MostAtOnce is how much may be done at once at most: each has memory of its own.
const MostAtOnce = 4096

// AtLeast returns the check of a flag that takes durations of least or more.
func AtLeast(least time.Duration) func(string) error {
	return func(text string) error {
		_, err := gate.ParseDuration(text, least)
		return err
	}
}

// Among returns the check of a flag that takes only these words.
func Among(words ...string) func(string) error {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want %s, got %s", phrase.Or(words), phrase.Quote(text))
		}
		return nil
	}
}

// Set implements pflag.Value. It refuses a value that Check refuses, and a second one that differs from the first.
func (o *Once) Set(text string) error {
	if err := o.Check(text); err != nil {
		return err
	}
	if o.given && o.Text != text {
		return fmt.Errorf("contradictory: it was %s before; want one value", o.Text)
	}
	o.Text, o.given = text, true
	return nil
}

func (o *Once) String() string { return o.Text }

// Type implements pflag.Value. The help shows it as the name of the value.
func (o *Once) Type() string { return o.Kind }

// Duration returns the value of a flag that takes durations; 0 if it has none.
func (o *Once) Duration() time.Duration {
	d, _ := time.ParseDuration(o.Text)
	return d
}

// Parsed is a Once that keeps what its text means.
type Parsed[T any] struct {
	Once
	// Value is nil if the flag has no text.
	Value *T
}

// Parse adds the flag called name to flags. parse reads its text, and refuses what the flag does not take. kind is the name of
// the value in the help. The default is p.Text.
func Parse[T any](flags *pflag.FlagSet, p *Parsed[T], name, kind string, parse func(string) (T, error), usage string) {
	p.Kind, p.Check = kind, func(text string) error {
		v, err := parse(text)
		p.Value = &v
		return err
	}
	if p.Text != "" {
		_ = p.Check(p.Text)
	}
	flags.Var(p, name, usage)
}
