package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// surprise matches what JSON text may hold and the YAML library reads as something else: an escape that it does not
// know, and characters that break a line in YAML. It matches all other escapes too.
var surprise = regexp.MustCompile(`\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)|[\x{85}\x{2028}\x{2029}]`)

// asYAML returns a JSON object with each escape and character replaced that the YAML library would read differently from
// encoding/json. It returns any other text as it is: YAML, a JSON array, and text that is not valid JSON.
func asYAML(text []byte) []byte {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) || !json.Valid(text) {
		return text
	}
	return surprise.ReplaceAllFunc(text, func(s []byte) []byte {
		switch {
		case s[0] != '\\':
			r, _ := utf8.DecodeRune(s)
			return fmt.Appendf(nil, `\u%04x`, r)
		case len(s) > 6:
			high, _ := strconv.ParseUint(string(s[2:6]), 16, 16)
			low, _ := strconv.ParseUint(string(s[8:12]), 16, 16)
			return utf8.AppendRune(nil, utf16.DecodeRune(rune(high), rune(low)))
		case len(s) > 2: // half a pair, for which encoding/json too reads this
			return utf8.AppendRune(nil, utf8.RuneError)
		case s[1] == '/':
			return s[1:]
		}
		return s
	})
}
