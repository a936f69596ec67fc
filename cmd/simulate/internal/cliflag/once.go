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
	// Check returns an error for a text that the flag does not take.
	Check func(text string) error
	given bool
}

// Given tells whether the flag was given.
func (o *Once) Given() bool { return o.given }

// Duration returns a flag for a duration above zero. Its value is d until the flag is given.
func Duration(d time.Duration) Once {
	return Once{Text: gate.FormatDuration(d), Kind: "DURATION", Check: AtLeast(1)}
}

// MostAtOnce is the highest number of workers that a flag takes: each has memory of its own.
const MostAtOnce = 4096

// AtLeast returns a function for Once.Check that accepts durations of least or more.
func AtLeast(least time.Duration) func(string) error {
	return func(text string) error {
		_, err := gate.ParseDuration(text, least)
		return err
	}
}

// Among returns a function for Once.Check that accepts only these words.
func Among(words ...string) func(string) error {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want %s, got %s%s", phrase.Or(words), phrase.Quote(text), phrase.DidYouMean(text, words))
		}
		return nil
	}
}

// Set implements pflag.Value. It sets o.Text and that the flag is given. It returns an error, and does not change o.Text, for a
// value that o.Check refuses, and for a second value that differs from the first.
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

// String implements pflag.Value. It returns the value.
func (o *Once) String() string { return o.Text }

// Type implements pflag.Value. The help shows it as the name of the value.
func (o *Once) Type() string { return o.Kind }

// Duration returns the value of a flag that takes durations; 0 if its text is "".
func (o *Once) Duration() time.Duration {
	d, _ := time.ParseDuration(o.Text)
	return d
}

// Parsed is a flag, like Once, whose text is parsed to a T.
type Parsed[T any] struct {
	Once
	// Value is what the flag's text means, which can be the default. It is nil if the flag has neither.
	Value *T
}

// Parse adds the flag p to flags, called name. It sets p.Check to a function that stores in p.Value what parse returns for a text,
// and returns parse's error. kind, the name of the value in the help, becomes p.Kind. The default is the text in p.Text, whose
// value Parse stores at once; "" is none.
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
