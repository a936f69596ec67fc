// Package scalar reads a value that a file has as text: a duration, a yes or no, or what only stands for a value that is elsewhere.
package scalar

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// Longest is ten years, as in scenario files.
const Longest = 87600 * time.Hour

// Elsewhere is the error for a value that is not in the file. What is the template or variable that stands for the value.
type Elsewhere struct{ What string }

// Error returns a text that names what stands for the value.
func (e Elsewhere) Error() string {
	return "the value " + e.What + " is not in this file; put in what it stands for, or render the file first"
}

// NoUnit is the error for a duration without a unit, in a place where a number is not known to be one of seconds.
type NoUnit struct{ text string }

// Error returns a text that has the number, and how it could be given.
func (e NoUnit) Error() string {
	return "units missing: got " + e.text + ", want a duration such as " + e.text + "s"
}

var placeholder = regexp.MustCompile(`\{\{|\$[({A-Za-z_]`)

// Given returns nil if the text is a value itself, and an error if the text only stands for a value elsewhere, such as a template
// or a variable.
func Given(text string) error {
	if strings.ContainsAny(text, "{$") && placeholder.MatchString(text) { // most texts have neither, which is found sooner
		return Elsewhere{What: phrase.Clip(phrase.OneLine(text))}
	}
	return nil
}

// IsNumber tells whether a text is a number without a unit.
func IsNumber(text string) bool { return number.MatchString(text) }

var number = regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]*)?$`)

// octal matches a number that begins with a zero. Helm and kubectl read it in YAML as an octal one, and other programs do not.
var octal = regexp.MustCompile(`^[-+]?0[0-9]+$`)

// Duration parses a duration in Go's form; it must be above zero and at most ten years. If unit is not 0, text can also be a
// number without a unit: for milliseconds of that unit, otherwise a whole number of seconds.
func Duration(text string, unit time.Duration) (time.Duration, error) {
	if err := Given(text); err != nil {
		return 0, err
	}
	value := text
	switch bare := IsNumber(text); {
	case octal.MatchString(text) && strings.Trim(text, "+-0") != "":
		return 0, fmt.Errorf("want a number that does not begin with 0, which may be read as octal, got %s", phrase.Clip(text))
	case bare && unit == time.Millisecond:
		value += "ms"
	case bare && unit > 0 && !strings.Contains(text, "."):
		value += "s"
	case bare && unit > 0:
		return 0, fmt.Errorf("want a whole number of seconds, got %s", phrase.Clip(text))
	case bare && strings.Trim(text, "+-0.") != "":
		return 0, NoUnit{phrase.Clip(text)}
	}
	d, err := time.ParseDuration(value)
	switch {
	case err != nil:
		return 0, fmt.Errorf("want a duration such as 15s, 1500ms or 1m30s, got %s", Begins(text))
	case d <= 0:
		return 0, fmt.Errorf("want a duration above zero, got %s", phrase.Clip(text))
	case d > Longest:
		return 0, fmt.Errorf("want ten years (87600h) at most, got %s", phrase.Clip(text))
	}
	return d, nil
}

// Begins returns the first word of an invalid value, in quotes and with "and more" after it, since what follows the word by
// mistake is perhaps a secret. It returns a value of at most eight bytes, such as "15 s", whole.
func Begins(text string) string {
	const few = 8
	if end := strings.IndexAny(text, " \t\r\n,;&"); end > 0 && len(text) > few {
		return phrase.Quote(text[:end]) + " and more"
	}
	return phrase.Quote(text)
}

// Boolean parses true or false in all spellings that pflag takes, such as 1 and T. It returns an error for any other text.
func Boolean(text string) (bool, error) {
	if err := Given(text); err != nil {
		return false, err
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("want true or false, got %s", Begins(text))
	}
	return b, nil
}

// IsElsewhere tells whether err says that the file has only a template or a variable in place of a value.
func IsElsewhere(err error) bool { return errors.As(err, &Elsewhere{}) }
