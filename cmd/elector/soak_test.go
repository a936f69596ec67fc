package main

import (
	"flag"
	"os"
	"testing"

	"interregnum/internal/electorproc"
)

var (
	soak     = flag.Duration("soak", 0, "how long TestSoak does harm to electors; 0: not at all")
	soakSeed = flag.Uint64("soak.seed", 1, "what TestSoak draws from")
)

// TestSoak: three electors on SQLite, see electorproc.Soak.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("make elector-soak does this for minutes")
	}
	electorproc.Soak(t, electorproc.Elector{
		Program: os.Args[0], Env: []string{mainVariable + "=1"}, Args: quick(t.TempDir()),
	}, *soak, *soakSeed, append(anywhere, kept...)...)
}
