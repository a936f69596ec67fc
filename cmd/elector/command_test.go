package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnvironment: what is elector's own is not the command's, unless somebody says so.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{lockVariable, "PGPASSWORD", "PGSSLPASSWORD", "PGUSER", tokenVariable} {
		t.Setenv(name, "is "+name)
	}
	for kind, want := range map[string][]string{
		onPostgreSQL:          {"PGUSER"},
		onSQLite:              {"PGPASSWORD", "PGSSLPASSWORD", "PGUSER"},
		onEtcd:                {"PGPASSWORD", "PGSSLPASSWORD", "PGUSER"},
		onPostgreSQL + " but": {"PGPASSWORD", "PGUSER"},
	} {
		o := &options{}
		o.at.kind, _, _ = strings.Cut(kind, " ")
		if strings.HasSuffix(kind, "but") {
			o.passEnv = []string{"PGPASSWORD"}
		}
		var got []string
		for _, pair := range environment(t.Context(), o.secrets()) {
			if name, value, _ := strings.Cut(pair, "="); value == "is "+name {
				got = append(got, name)
			}
		}
		require.ElementsMatch(t, want, got, kind)
	}
}
