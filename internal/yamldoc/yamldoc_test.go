package yamldoc

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]Error{
		"a: 1\nb: [":               {Line: 2, Problem: "not YAML: did not find expected node content"},
		"a: 1\n b: 2\n":            {Line: 2, Problem: "not YAML: mapping values are not allowed in this context"},
		"a: 1\nb: *x\n":            {Line: 2, Problem: "not YAML: unknown anchor 'x' referenced", Anchor: "x"},
		"a: 1\n---\nb: 2\n":        {Line: 2, Problem: "a second document begins here", Cause: ErrSecond},
		`{"a": 1}` + "\n{\"b\":2}": {Line: 2, Problem: "a second document begins here", Cause: ErrSecond},
		// A hint is for the message that it explains, and not for all that happens in such a line.
		"%TAG ! x:\n---\nb: *x\n":       {Line: 3, Problem: "not YAML: unknown anchor 'x' referenced", Anchor: "x"},
		"a: {\n\tb: \"\\q\"}":           {Line: 2, Problem: "not YAML: found unknown escape character"},
		"a:\n\t- b":                     {Line: 2, Problem: "not YAML: a tab cannot stand here; indent with spaces"},
		"%YAML 1.2\n---\na: 1":          {Line: 1, Problem: "not YAML: found incompatible YAML document; a line with % says which YAML it is, and can be left out"},
		strings.Repeat(",", maxMarks+1): {Line: 1, Problem: "more than 4000000 marks of punctuation; nobody writes so many"},
	} {
		_, err := Parse([]byte(text))
		require.NotNil(t, err, text[:min(20, len(text))])
		assert.Equal(t, want, *err)
	}
	_, err := Parse([]byte("a: 1\n---\n"))
	assert.True(t, errors.Is(err, ErrSecond))
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", "# a comment\n", "\n\n"} {
		root, err := Parse([]byte(text))
		assert.Nil(t, root)
		assert.Nil(t, err)
	}
}

// TestJSONMeansTheSame: a string that encoding/json reads is read the same here.
func TestJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", " ", `\n`, `\/`, `/`, `\\`, `\"`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\u0000`, "é", "\u2028",
			"\u0085", "😀", `\u2028`, "'", "#", ": "})).Draw(t, "parts")
		text := `{"x": "` + strings.Join(parts, "") + `"}`
		var want struct{ X string }
		require.NoError(t, json.Unmarshal([]byte(text), &want), text)
		root, err := Parse([]byte(text))
		require.Nil(t, err, text)
		assert.Equal(t, want.X, root.Content[1].Value, text)
	})
}
