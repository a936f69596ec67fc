package phrase

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// JSON returns, in one line, an error of encoding/json in words for people who write no Go: without the names of Go types, and
// with little of the input. It returns the text of any other error, cut as Clip cuts it.
func JSON(err error) string {
	var wrong *json.UnmarshalTypeError
	var noTime *time.ParseError
	switch {
	case errors.As(err, &wrong):
		text := "want " + wanted(wrong.Type) + ", got " + Clip(wrong.Value)
		if wrong.Field != "" {
			text = Clip(wrong.Field) + ": " + text
		}
		return OneLine(text)
	case errors.As(err, &noTime):
		return "want a time such as 2006-01-02T15:04:05Z, got " + Quote(strings.Trim(noTime.Value, `"`))
	case strings.HasPrefix(err.Error(), "Time.UnmarshalJSON:"):
		return "want a time such as 2006-01-02T15:04:05Z, in quotes"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "ends too early"
	}
	return Clip(OneLine(strings.TrimPrefix(err.Error(), "json: ")))
}

// wanted returns, in words, which JSON value is expected for a Go type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text in quotes"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number that fits"
}

// control matches, in JSON text, a character that a terminal would obey, raw or as an escape. It matches all other
// escapes too, so that a second backslash does not begin one.
var control = regexp.MustCompile(`\\(?:u00[01][0-9a-fA-F]|u007[fF]|u00[89][0-9a-fA-F]|[bfr]|.)|[\x7f\x{80}-\x{9f}]`)

// Legible returns JSON that somebody else wrote with its control characters replaced by U+FFFD, raw ones and escapes, except ends
// of lines and tabs. A terminal would obey them, since names are shown as they are. Text without any is returned itself, not a
// copy.
func Legible(text []byte) []byte {
	const first = 0xc2 // of the bytes of U+0080 to U+009F in UTF-8
	if !slices.ContainsFunc(text, func(b byte) bool { return b == '\\' || b == 0x7f || b == first }) {
		return text
	}
	return control.ReplaceAllFunc(text, func(found []byte) []byte {
		if len(found) == 2 && found[0] == '\\' && !bytes.ContainsAny(found[1:], "bfr") ||
			strings.EqualFold(string(found), `\u000a`) || string(found) == `\u0009` {
			return found
		}
		return []byte("\uFFFD")
	})
}
