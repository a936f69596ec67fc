package sqllock

import (
	"database/sql"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"dialect":      {func(c *Config) { c.Dialect = 9 }, "dialect is 9: expected SQLite or PostgreSQL"},
		"table":        {func(c *Config) { c.Table = "" }, `table is "": expected a name, or schema.name, without an empty part`},
		"schema":       {func(c *Config) { c.Table = ".locks" }, `table is ".locks": expected a name`},
		"two dots":     {func(c *Config) { c.Table = "a.b.c" }, `table is "a.b.c": expected a name, or schema.name`},
		"NUL":          {func(c *Config) { c.Table = "a\x00b" }, "expected UTF-8 without a NUL"},
		"no UTF-8":     {func(c *Config) { c.Table = "\xff" }, "expected UTF-8 without a NUL"},
		"long table":   {func(c *Config) { c.Table = "a." + strings.Repeat("ü", 32) }, "has 64 bytes, expected at most 63"},
		"key":          {func(c *Config) { c.Key = "" }, "key is empty: expected 1 to 255 characters"},
		"long key":     {func(c *Config) { c.Key = strings.Repeat("ü", 256) }, "it has 256 characters, expected at most 255"},
		"key NUL":      {func(c *Config) { c.Key = "\x00" }, `key is "\x00": expected UTF-8 without a NUL`},
		"identity":     {func(c *Config) { c.Identity = "" }, "identity is empty: expected 1 to 255 characters"},
		"long name":    {func(c *Config) { c.Identity = strings.Repeat("x", 256) }, "it has 256 characters"},
		"no TTL":       {func(c *Config) { c.TTL = 0 }, "TTL is 0s: expected whole milliseconds, at least 1ms"},
		"negative TTL": {func(c *Config) { c.TTL = -time.Second }, "TTL is -1s"},
		"fraction":     {func(c *Config) { c.TTL = 1500 * time.Microsecond }, "TTL is 1.5ms: expected whole milliseconds"},
	} {
		t.Run(name, func(t *testing.T) {
			config := good
			c.change(&config)
			l, err := New(sql.OpenDB(&fake{}), config)
			require.Nil(t, l)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), ";")
		})
	}
	_, err := New(nil, Config{})
	require.EqualError(t, err, `sqllock: table is "": expected a name, or schema.name, without an empty part; `+
		"key is empty: expected 1 to 255 characters; identity is empty: expected 1 to 255 characters; "+
		"db is nil: expected a *sql.DB; dialect is 0: expected SQLite or PostgreSQL; "+
		"TTL is 0s: expected whole milliseconds, at least 1ms")
}

func TestSignature(t *testing.T) {
	made := func(identity string) string { return newSignature(identity, 15*time.Second) }
	for _, identity := range []string{"a", "a#b", made("a"), "#", strings.Repeat("ü", maxIdentity)} {
		for _, lasts := range []time.Duration{
			time.Millisecond, 15 * time.Second, time.Duration(maxMilliseconds) * time.Millisecond,
		} {
			signature := newSignature(identity, lasts)
			holder, said := readSignature(signature)
			require.Equal(t, identity, holder)
			require.Equal(t, lasts, said)
			require.NotEqual(t, signature, newSignature(identity, lasts))
			require.LessOrEqual(t, utf8.RuneCountInString(signature), 282) // the column's length
		}
	}
	require.Len(t, made(""), markLength)
	for _, written := range []string{
		"", "#", "a", made(""), "a#b", made("a") + "1", "a#" + strings.Repeat("a", 26),
		"a#ABCDEFGHIJKL-00000000000x1", "a#ABCDEFGHIJKL-+000000000001", "a#ABCDEFGHIJKL_0000000000001",
	} {
		holder, said := readSignature(written)
		require.Equal(t, written, holder) // by another program: all of it is the holder
		require.Zero(t, said)
	}
	holder, said := readSignature("a#ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	require.Equal(t, "a", holder, "an older version's")
	require.Zero(t, said)
}

// parse reads quoted identifiers as SQL does, joined by dots, to the end of the text.
func parse(t *testing.T, text string) (names []string) {
	t.Helper()
	for {
		require.NotEmpty(t, text)
		require.Equal(t, byte('"'), text[0], text)
		var name strings.Builder
		i := 1
		for ; ; i++ {
			require.Less(t, i, len(text), "unterminated")
			if text[i] == '"' {
				if i+1 == len(text) || text[i+1] != '"' {
					break
				}
				i++
			}
			name.WriteByte(text[i])
		}
		names = append(names, name.String())
		if text = text[i+1:]; text == "" {
			return names
		}
		require.Equal(t, byte('.'), text[0], "text after the identifier")
		text = text[1:]
	}
}

func FuzzQuoteTable(f *testing.F) {
	for _, seed := range []string{"locks", "app.locks", `"`, `"".""`, `a"; DROP TABLE b; --`, "{key}", "", ".", "\x00", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		quoted, err := quoteTable(name)
		if err != nil {
			return
		}
		names := parse(t, quoted)
		require.LessOrEqual(t, len(names), 2)
		require.Equal(t, name, strings.Join(names, "."))
		// Nothing in a name is taken for a parameter, and there is one statement.
		config := good
		config.Table = name
		s := newStatements(&config, quoted)
		require.Equal(t, "DELETE "+quoted, newStatement("$", "DELETE {table}", map[string]string{"table": quoted}).text)
		require.Equal(t, []string{"key"}, s.check.params)
	})
}

func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"secret", "se cret", "se`cret", `se"cret`, "se'cret", "se/cret", "se#cret", "s@cret"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		const mark = "cret4711"
		for _, text := range []string{
			"cannot parse `host=h password = " + secret + mark + "`: invalid port",
			"dial postgres://u:" + secret + mark + "@h:1/db: refused",
			`parse "postgres://u:` + secret + mark + `": invalid port ":` + mark + `" after host`,
			"open host=h PASSWORD='" + secret + mark + "'",
			"open host=h sslpassword=" + secret + mark,
			"open u:" + mark + "@h/db",
		} {
			require.NotContains(t, safe(text), mark)
		}
		require.NotContains(t, safe(secret), "\n")
	})
}

func TestSafeTellsTheRest(t *testing.T) {
	for _, text := range []string{
		`FATAL: password authentication failed for user "u" (SQLSTATE 28P01)`,
		"failed to connect to `user=u database=db`: 127.0.0.1:1 (127.0.0.1): dial error: connect: connection refused",
		"database is locked (5) (SQLITE_BUSY)", `relation "locks" does not exist (SQLSTATE 42P01)`,
	} {
		require.Equal(t, text, safe(text))
	}
}
