package phrase

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMessages(t *testing.T) {
	long := strings.Repeat("a", 59) + "ü" + strings.Repeat("b", 10)
	assert.Equal(t, strings.Repeat("a", 59)+"…", Clip(long), "no half rune")
	assert.Equal(t, `"`+strings.Repeat("a", 59)+`"…`, Quote(long))
	for _, s := range []string{"", "a", strings.Repeat("a", 60)} {
		assert.Equal(t, s, Clip(s))
		assert.Equal(t, `"`+s+`"`, Quote(s))
	}
	assert.Equal(t, "a b c d  e", OneLine("a\nb\x1bc\u2028d\r\ne"))
	assert.Equal(t, "a b c d", OneLine("a\u009bb\u202ec\x7fd"), "nor does it set colours, or turn the rest around")
}

func TestOrAnd(t *testing.T) {
	assert.Equal(t, "a", Or([]string{"a"}))
	assert.Equal(t, "a, b or c", Or([]string{"a", "b", "c"}))
	assert.Equal(t, "a and b", And([]string{"a", "b"}))
	assert.Empty(t, And(nil))
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"found/a-b_c.yaml": "found/a-b_c.yaml", "": "''", "my files": "'my files'", "it's": `'it'\''s'`, "$HOME": "'$HOME'",
	} {
		assert.Equal(t, want, ShellWord(word))
	}
}
