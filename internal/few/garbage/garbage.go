// Package garbage makes a test, and the commands that it starts, collect garbage a tenth as often, if GOGC is not set. The heaps of
// tests are small, and a third of their processor time was the collector's. Tests import it for that alone.
package garbage

import (
	"os"
	"runtime/debug"
	"strconv"
)

// rarely is GOGC in percent, and mostMemory the memory in bytes from which on the collector runs more often than that.
const (
	rarely     = 1000
	mostMemory = 2 << 30
)

func init() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(rarely)
	debug.SetMemoryLimit(mostMemory)
	inherit("GOGC", rarely)
	inherit("GOMEMLIMIT", mostMemory)
}

// inherit sets a variable of the commands that the test starts.
func inherit(name string, value int) {
	if err := os.Setenv(name, strconv.Itoa(value)); err != nil {
		panic(err)
	}
}
