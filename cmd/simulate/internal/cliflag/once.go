package cliflag

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"interregnum/internal/gate"
	"interregnum/internal/phrase"
)

// Once is a flag that says what it wants, and is refused when it is given twice with two values.
type Once struct {
	// Text is the value; Kind says in the help what it is.
	Text, Kind string
	// Check refuses a text that is no value.
	Check func(text string) error
	given bool
}

// Duration is a flag for a duration above zero, with its default.
func Duration(d time.Duration) Once {
	return Once{Text: gate.FormatDuration(d), Kind: "DURATION", Check: AtLeast(1)}
}

// AtLeast is the check of a flag that takes a duration of at least so much.
func AtLeast(least time.Duration) func(string) error {
	return func(text string) error {
		_, err := gate.ParseDuration(text, least)
		return err
	}
}

// among is the check of a flag that takes only these words.
func among(words ...string) func(string) error {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want %s, got %s", phrase.Or(words), strconv.Quote(phrase.Clip(text)))
		}
		return nil
	}
}

// Set implements pflag.Value. It refuses a value that is wrong, and a second one that differs from the first.
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

// Type implements pflag.Value: the help shows it as the name of the value.
func (o *Once) Type() string { return o.Kind }

// Duration is the flag's value as a duration, which was checked when it was set; 0 where there is none.
func (o *Once) Duration() time.Duration {
	d, _ := time.ParseDuration(o.Text)
	return d
}
