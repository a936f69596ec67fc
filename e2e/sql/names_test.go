package sql_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// hostile is names that would do harm, or go wrong, where they are not quoted.
var hostile = []string{
	"a", "A", "select", "two words", `"`, `""`, `a"b`, `a"; DROP TABLE witness; --`, `a'; DROP TABLE witness; --`,
	"'", "`", "[a]", `\`, `\"`, "$1", "?1", ":me", "@me", "%s", "{key}", "{table}", "/*", "--", ";", "a\nb", "\t",
	"ünï", "世界", "\u202e", "0", "NULL", "key", strings.Repeat("x", 63),
}

// Each name makes a table of just that name, and each lock in it is its own.
func TestHostileNames(t *testing.T) {
	for i, list := range map[int]string{
		0: "SELECT name FROM sqlite_master WHERE type = 'table'",
		3: "SELECT tablename FROM pg_tables WHERE schemaname = 'hostile'",
		4: "SELECT tablename FROM pg_tables WHERE schemaname = 'hostile'",
	} {
		k := kinds[i]
		t.Run(k.name, func(t *testing.T) {
			w := newWorld(t, k)
			schema := ""
			if k.dialect == sqllock.PostgreSQL {
				w.exec("DROP SCHEMA IF EXISTS hostile CASCADE")
				w.exec("CREATE SCHEMA hostile")
				schema = "hostile."
			}
			w.exec("CREATE TABLE " + schema + "witness (a int)")
			want := []string{"witness"}
			for _, name := range hostile {
				if name == "A" && k.dialect == sqllock.SQLite {
					continue // SQLite's names have no case
				}
				want = append(want, name)
				c := w.config(name)
				c.Table, c.Key = schema+name, name
				l := w.lockOn(w.db, c)
				require.NoError(t, l.CreateTable(t.Context()), "%q", name)
				entry, err := l.Create(t.Context())
				require.NoError(t, err, "%q", name)
				found, err := l.Get(t.Context())
				require.NoError(t, err, "%q", name)
				require.Equal(t, ttl.Entry{Holder: name, Token: entry.Token}, found)
				_, err = l.Refresh(t.Context())
				require.NoError(t, err, "%q", name)
				require.NoError(t, l.Release(t.Context()), "%q", name)
				_, err = l.Replace(t.Context())
				require.NoError(t, err, "%q", name)
			}
			rows, err := w.db.QueryContext(t.Context(), list)
			require.NoError(t, err)
			defer func() { require.NoError(t, rows.Close()) }()
			var tables []string
			for rows.Next() {
				var name string
				require.NoError(t, rows.Scan(&name))
				tables = append(tables, name)
			}
			require.NoError(t, rows.Err())
			require.ElementsMatch(t, want, tables)
		})
	}
}
