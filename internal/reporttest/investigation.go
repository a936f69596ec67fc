package reporttest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
	"interregnum/reports"
)

// Leaders is the folder with the logs of a tutorial, from the folder of a package right below reports.
const Leaders = "../../docs/tutorials/leaders/"

// Investigation returns what follows from the logs of the tutorial in Leaders. further are more lines, as of a process's log in a
// file of their own; "" adds none. It ends the test, as failed, if a log cannot be read or no story follows.
func Investigation(t *testing.T, further string) *reports.Investigation {
	r := read.New(read.Options{})
	for _, name := range []string{"audit.log", "manager-a.log", "manager-b.log"} {
		f, err := os.Open(Leaders + name)
		require.NoError(t, err)
		require.NoError(t, r.Read(read.File{Name: name, Reader: f}))
		require.NoError(t, f.Close())
	}
	v := &reports.Investigation{}
	if further != "" {
		require.NoError(t, r.Read(read.File{Name: "a|b<c>&\x1b[31m.log", Reader: strings.NewReader(further)}))
	}
	v.Evidence = r.Evidence()
	for _, p := range investigate.Parts(v.Evidence) {
		x, err := reports.NewLockStory(&p, nil)
		require.NoError(t, err)
		v.Locks = append(v.Locks, x)
	}
	return v
}
