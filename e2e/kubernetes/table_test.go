package kubernetes_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what TestElectors has seen into docs/method/testing.md")

// row is one trial in the table.
type row struct {
	c         scenarioCase
	trial     *trial
	predicted prediction
	seen      outcome
	// longer is the prediction for a lease that is a second longer.
	longer prediction
}

const (
	tableBegins = "<!-- The table is written by e2e/kubernetes, TestElectors -update. -->\n"
	tableEnds   = "<!-- Its end. -->\n"
	tableHead   = `| what happens | profile | timings | old leader stops after: predicted | seen | next one leads after: predicted | seen | overlap: predicted | seen |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`
)

// key is what of a row is the same in each run.
func (r *row) key() string {
	return fmt.Sprintf("| %s | %s | %s |", r.c.shown, r.trial.profile, r.timings())
}

func (r *row) text() string {
	text := r.key()
	for _, m := range []struct {
		predicted span
		seen      time.Duration
	}{
		{r.predicted.stop, r.seen.stop}, {r.predicted.failover, r.seen.failover}, {r.predicted.overlap, r.seen.overlap()},
	} {
		text += fmt.Sprintf(" %s | %s |", r.predictedText(m.predicted), r.seenText(m.seen))
	}
	return text
}

func (r *row) timings() string {
	c := r.trial.scenario.Candidates[0]
	return fmt.Sprintf("%g/%g/%g", c.LeaseDuration.Seconds(), c.RenewDeadline.Seconds(), c.RetryPeriod.Seconds())
}

func (r *row) predictedText(s span) string {
	switch {
	case r.predicted.none == runs:
		return "–"
	case seconds(s.min) == seconds(s.max):
		return seconds(s.min)
	}
	text := fmt.Sprintf("%s to %s", seconds(s.min), seconds(s.max))
	if r.predicted.none > 0 {
		text += fmt.Sprintf(", or – in %d of %d", r.predicted.none, runs)
	}
	return text
}

func (r *row) seenText(d time.Duration) string {
	if !r.seen.taken {
		return "–"
	}
	return seconds(d)
}

func seconds(d time.Duration) string {
	text := fmt.Sprintf("%.2f", d.Seconds())
	return strings.Replace(text, "-", "−", 1)
}

// checkTable holds the table in the documentation against the trials that there are, or writes it.
func checkTable(t *testing.T, rows []row, note string) {
	path := filepath.Join("..", "..", "docs", "method", "testing.md")
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(page), tableBegins)
	require.True(t, found, "%s: expected the line %q", path, tableBegins)
	old, after, found := strings.Cut(rest, tableEnds)
	require.True(t, found, "%s: expected the line %q", path, tableEnds)
	if !*update {
		for i := range rows {
			require.Contains(t, old, "\n"+rows[i].key(), "%s: run this test with -update", path)
		}
		require.Equal(t, len(rows), strings.Count(old, "\n| ")-1, "%s: run this test with -update", path)
		return
	}
	table := tableHead
	for i := range rows {
		table += rows[i].text() + "\n"
	}
	page = []byte(before + tableBegins + table + "\n" + note + "\n" + tableEnds + after)
	require.NoError(t, os.WriteFile(path, page, 0o644))
}

// machineNote says on what the table was measured.
func machineNote(b *bench) string {
	median, slowest := b.meter.quantiles()
	note := fmt.Sprintf("Seen on %s/%s with %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil { // Linux
		note += fmt.Sprintf(" and a load average of %s", strings.Fields(string(load))[0])
	}
	return note + fmt.Sprintf("; an update of a Lease took %s in the median, %s at the 99th percentile.",
		median.Round(100*time.Microsecond), slowest.Round(100*time.Microsecond))
}
