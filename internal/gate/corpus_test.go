package gate

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/corpus"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	corpusFile  = "../../testdata/corpus/timings.csv"
	corpusPage  = "../../docs/gate-files.md"
	corpusBegin = "<!-- from here on written by go test ./internal/gate -run TestCorpus -update -->\n"
)

// corpusEnvironments are argued for in corpusPage.
var corpusEnvironments = []struct {
	name string
	bound.Environment
}{
	{"ideal", bound.Environment{}},
	{"typical cloud", bound.Environment{
		MaxRoundTrip: time.Second, MaxDriftPPM: 200, MaxPause: 100 * time.Millisecond,
	}},
	{"hard", bound.Environment{MaxRoundTrip: 5 * time.Second, MaxDriftPPM: 500, MaxPause: 2 * time.Second}},
}

// typical is the environment of the table's last columns.
const typical = 1

func readCorpus(t *testing.T) []corpus.Row {
	rows, err := corpus.Read(corpusFile)
	require.NoError(t, err)
	return rows
}

// ifAlike is what cells add to a safe verdict of a profile that only stands for the project's version of client-go.
const ifAlike = " if alike"

// verdictCell is a margin. What it says of an unsafe one is shown by the witness, in part where the version of client-go is between those of
// the profiles.
func verdictCell(t *testing.T, c *bound.Config, e *bound.Environment, safe *int) string {
	switch {
	case bound.Refused(c) != nil:
		return "refused"
	case bound.Unknown(c) != nil:
		return "not known"
	}
	j, err := unchanged(Target{Config: *c}, e)
	require.NoError(t, err)
	if j.Witness != nil && c.Minor == 0 {
		assert.Empty(t, gatetest.Watched(t, j.Witness).Outside(j.Witness, e), "%+v", *c)
	}
	if j.Result.Safe() {
		*safe++
	}
	return marginCell(j)
}

// marginCell is the margin of a result, with a sign for what is known of it.
func marginCell(j *Judgement) string {
	switch r := j.Result; {
	case r.Safe():
		return "safe, " + margin(-r.Overlap)
	case r.Plan.Endless.InOnePlan():
		return "**unsafe**, ∞"
	case r.Unbounded:
		return "**unsafe**, ≥ " + margin(r.Overlap) + ", ∞"
	case r.AtLeast && r.Upper && j.Shown == 0:
		return "**unsafe**, not ruled out"
	case r.AtLeast && r.Upper:
		return "**unsafe**, ≥ " + margin(j.Shown)
	case r.AtLeast:
		return "**unsafe**, ≥ " + margin(r.Overlap)
	case r.Upper:
		return "**unsafe**, ≤ " + margin(r.Overlap)
	default:
		return "**unsafe**, −" + margin(r.Overlap)
	}
}

// margin is in seconds, so that margins compare at a glance.
func margin(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Round(time.Millisecond).Milliseconds())/1000, 'f', -1, 64) + "s"
}

// clientCell is the margin with the client that the project has: its limiter, and the connections that it closes. Of a shared limiter others take
// a whole burst at once.
func clientCell(t *testing.T, row *corpus.Row, e *bound.Environment, safe *int) string {
	target := Target{Config: row.Config}
	c := &target.Config
	if c.Profile.OtherClient() || bound.Refused(c) != nil || bound.Unknown(c) != nil {
		return ""
	}
	client, err := (&ClientSaid{row.Kind, row.QPS, row.Burst}).Client()
	require.NoError(t, err, row.Project)
	c.Client = client
	j, err := Judge(target, row.Site(*e, c.Client))
	require.NoError(t, err, row.Project)
	cell := marginCell(j)
	switch {
	case j.Verdict == Safe && !row.Alike:
		return strings.Replace(cell, ",", ifAlike+",", 1)
	case j.Verdict == Safe:
		*safe++
	}
	return cell
}

func smallestLeaseCell(c *bound.Config, e *bound.Environment) string {
	least := c.RenewDeadline.Truncate(time.Second) + time.Second
	if bound.Refused(c) != nil || bound.Unknown(c) != nil {
		return ""
	}
	longest := *c
	longest.LeaseDuration = 100 * least
	if r, err := bound.Sum(&longest, e); err == nil && r.Safe() {
		if lease := smallestSafeLease(longest, e, least, r); lease > 0 {
			return FormatDuration(lease)
		}
	}
	return "none"
}

// TestCorpus: the table of the verdicts is as in corpusPage.
func TestCorpus(t *testing.T) {
	rows := readCorpus(t)
	var table strings.Builder
	safe, strictSafe, taken, inJava, unknown := make([]int, len(corpusEnvironments)), 0, 0, 0, 0
	unlessClosed, clientSafe := make([]int, len(corpusEnvironments)), 0
	for _, row := range rows {
		c, strict := row.Config, row.Config
		strict.Profile, strict.Lock = machine.Strict, plan.Lease
		switch {
		case c.Profile == machine.Fabric8:
			inJava++
		case bound.Unknown(&c) != nil:
			unknown++
		}
		name := strings.ReplaceAll(row.Project, "|", "\\|")
		fmt.Fprintf(&table, "| %s | %s | %v / %v / %v | %s | %s |", name, row.Library(), FormatDuration(c.LeaseDuration),
			FormatDuration(c.RenewDeadline), FormatDuration(c.RetryPeriod), yes(c.ReleaseOnCancel), timeoutCell(c.RequestTimeout))
		for i := range corpusEnvironments {
			e, before := &corpusEnvironments[i].Environment, safe[i]
			cell := verdictCell(t, &c, e, &safe[i])
			if !row.Alike && safe[i] > before {
				cell, safe[i] = strings.Replace(cell, ",", ifAlike+",", 1), before
			}
			fmt.Fprintf(&table, " %s |", cell)
			if j := (Judgement{Target: Target{Config: c}, Environment: *e}); safe[i] > before && j.IfClosed() > 0 {
				unlessClosed[i]++
			}
		}
		e := &corpusEnvironments[typical].Environment
		fmt.Fprintf(&table, " %s |", clientCell(t, &row, e, &clientSafe))
		last := ""
		if bound.Refused(&c) == nil {
			taken++
			last = verdictCell(t, &strict, e, &strictSafe)
		}
		fmt.Fprintf(&table, " %s | %s |\n", smallestLeaseCell(&c, e), last)
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "%d of these %d configurations are of programs in Java, with the profile fabric8: two leaders without end, whatever the timings. "+
		"The library or a server refuses %d. Of %d no bound is known. Safe of the %d that are not refused: ",
		inJava, len(rows), len(rows)-taken, unknown, taken)
	for i, e := range corpusEnvironments {
		fmt.Fprintf(&doc, "%d in %s, ", safe[i], e.name)
	}
	fmt.Fprintf(&doc, "and with strict %d in %s.\n\n", strictSafe, corpusEnvironments[typical].name)
	fmt.Fprintf(&doc, "%d, %d and %d of these have no request timeout, and are safe only if the client closes no connection while a request is under way "+
		"([gate.md](gate.md)). client-go's does: with the client that each project has, %d are safe in %s.\n\n", unlessClosed[0], unlessClosed[1],
		unlessClosed[2], clientSafe, corpusEnvironments[typical].name)
	doc.WriteString("| project | client-go, lock | lease / deadline / retry | release | timeout | ideal | typical cloud | hard | " +
		"with its client | smallest lease | strict |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	doc.WriteString(table.String())
	assert.Equal(t, 1, len(rows)-taken, "refused")
	inPage(t, corpusPage, corpusBegin, doc.String())
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func timeoutCell(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return FormatDuration(d)
}
