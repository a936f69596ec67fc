package sql_test

import (
	"flag"
	"testing"

	"interregnum/internal/electorproc"
)

var (
	soak     = flag.Duration("soak", 0, "how long TestElectorSoak does harm to electors; 0: not at all")
	soakSeed = flag.Uint64("soak.seed", 1, "what TestElectorSoak draws from")
)

// TestElectorSoak: three electors on PostgreSQL, see electorproc.Soak.
func TestElectorSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("make elector-soak does this for minutes")
	}
	electorproc.Soak(t, onPostgres(t, electorproc.Build(t, "../../cmd/elector")), *soak, *soakSeed,
		"", electorproc.Stubborn, electorproc.Nested)
}
