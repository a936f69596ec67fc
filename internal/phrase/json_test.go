package phrase

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJSON(t *testing.T) {
	type inner struct {
		N    int8
		Text string
		List []int
		Rate float64
		Yes  bool
	}
	type outer struct {
		Inner inner
		At    time.Time
	}
	for text, want := range map[string]string{
		`{"inner":{"n":300}}`:                   "Inner.N: want a whole number that fits, got number 300",
		`{"inner":{"text":1}}`:                  "Inner.Text: want a text in quotes, got number",
		`{"inner":{"list":{}}}`:                 "Inner.List: want a list, got object",
		`{"inner":{"rate":"1"}}`:                "Inner.Rate: want a number, got string",
		`{"inner":{"yes":[]}}`:                  "Inner.Yes: want true or false, got array",
		`{"inner":7}`:                           "Inner: want an object, got number",
		`[]`:                                    "want an object, got array",
		`{"at":"yesterday"}`:                    `want a time such as 2006-01-02T15:04:05Z, got "yesterday"`,
		`{"at":1}`:                              "want a time such as 2006-01-02T15:04:05Z, in quotes",
		`{"inner":`:                             "ends too early",
		``:                                      "ends too early",
		`{"x\u001b":1}`:                         `unknown field "x\u001b"`,
		`x`:                                     "invalid character 'x' looking for beginning of value",
		`{"` + strings.Repeat("a", 99) + `":1}`: `unknown field "` + strings.Repeat("a", 45) + "…",
	} {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.DisallowUnknownFields()
		err := d.Decode(&outer{})
		require.Error(t, err, text)
		got := JSON(err)
		assert.Equal(t, strings.ReplaceAll(want, `\u001b`, `\x1b`), got, text)
	}
}

func TestLegible(t *testing.T) {
	for text, want := range map[string]string{
		`{"a\"b":"c\\d\n\t\/\u00e4ä"}`:   `{"a\"b":"c\\d\n\t\/\u00e4ä"}`,
		`"\u001B[31m\r\b\f\u007f\u009b"`: `"�[31m�����"`,
		"\"\u009b\x7f\"":                 `"��"`,
		`"\\u001b \\\u001b"`:             `"\\u001b \\�"`,
		"\"\u0085\"":                     `"�"`,
		"{ \"a\": [1, true] }\n":         "{ \"a\": [1, true] }\n",
		`"\u000a\u0009\u000A\u000d \\r"`: `"\u000a\u0009\u000A� \\r"`,
	} {
		assert.Equal(t, want, string(Legible([]byte(text))), text)
	}
}
