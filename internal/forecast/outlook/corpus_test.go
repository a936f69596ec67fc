package outlook

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/bound"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
	"interregnum/internal/gate/corpus"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
)

var update = flag.Bool("update", false, "write docs/corpus.md again")

const (
	corpusPage  = "../../../docs/corpus.md"
	corpusBegin = "<!-- from here on written by go test ./internal/forecast/outlook -run TestCorpus -update -->\n"
	// corpusLongest is the longest lease that is simulated.
	corpusLongest = 10 * time.Minute
)

// corpusSites are the behaviours of the table.
var corpusSites = []string{"calm", "cloud", "nights"}

func readCorpus(t *testing.T) []corpus.Row {
	rows, err := corpus.Read("../../../testdata/corpus/timings.csv")
	require.NoError(t, err)
	return rows
}

// corpusTarget returns the target that has the configuration, without a client.
func corpusTarget(c *bound.Config) gate.Target {
	return gate.Target{
		Position: files.Position{File: "corpus"}, Config: *c, Timeout: programs.FixedTimeout(c.RequestTimeout), TimeoutFrom: "corpus",
	}
}

// overlapCell returns the worst overlap with answers within a second and the project's client.
func overlapCell(t *testing.T, r *corpus.Row) string {
	target := corpusTarget(&r.Config)
	switch c := &target.Config; {
	case bound.Refused(c) != nil:
		return "refused"
	case bound.Unknown(c) != nil:
		return "not known"
	case c.Profile.Client == machine.OfClientGo:
		client, err := (&gate.ClientSaid{Kind: r.Kind, QPS: r.QPS, Burst: r.Burst}).Client()
		require.NoError(t, err, r.Project)
		c.Client = client
	}
	j, err := gate.Judge(target, r.Site(gate.DefaultEnvironment().Environment, target.Client))
	require.NoError(t, err, r.Project)
	o := Overlap(j)
	switch {
	case o.Value <= 0 && !r.Alike:
		return "none if alike"
	case o.Value <= 0:
		return "none"
	}
	if j.Result.Upper && j.Result.AtLeast {
		if o.Value = j.Shown.Seconds(); o.Value == 0 {
			return "not ruled out"
		}
	}
	cell := "**" + strings.Replace(strconv.FormatFloat(math.Round(o.Value*1000)/1000, 'f', -1, 64)+"s", "+Infs", "∞", 1) + "**"
	if j.Result.AtLeast {
		cell = "≥ " + cell
	} else if j.Result.Upper && !j.Result.Unbounded {
		cell = "≤ " + cell
	}
	return cell
}

// corpusCells returns what becomes of a configuration: in each behaviour its losses and its time without a leader, a month. Requests that nothing
// ends are not simulated, since a process that waits for ever does so only until its window is over.
func corpusCells(t *testing.T, c *bound.Config, sites []*behaviour.Behaviour) string {
	if bound.Refused(c) != nil {
		return strings.Repeat(" | ", len(sites)-1)
	}
	j := &gate.Judgement{Target: corpusTarget(c), Environment: gate.DefaultEnvironment().Environment}
	var cells []string
	for _, b := range sites {
		if c.LeaseDuration > corpusLongest || !c.Profile.CarriesContext() {
			cells = append(cells, "not simulated")
			continue
		}
		back := behaviour.Constant(10 * time.Second)
		s := Site{Behaviour: b, Replicas: 2, Restart: &back}
		q := s.question(j)
		f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.2, MaxWindows: 600, Workers: 2})
		require.NoError(t, err)
		losses, leaderless := Losses(f.Losses), Leaderless(f.Leaderless)
		cells = append(cells, fmt.Sprintf("%s (%s to %s), %ss", two(losses.Value), two(losses.Low), two(losses.High), two(leaderless.Value)))
	}
	return strings.Join(cells, " | ")
}

// two returns a number with two significant digits, or less than a thousandth as 0.
func two(x float64) string {
	if x < 1e-3 {
		return "0"
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// TestCorpus: docs/corpus.md has a row for each project of the corpus. Rows are computed again with -update alone, but for those of one
// configuration, which must be as they are there. Each configuration has one forecast, which its projects share.
func TestCorpus(t *testing.T) {
	var sites []*behaviour.Behaviour
	for _, name := range corpusSites {
		b, _, err := behaviour.ReadFile("testdata/"+name+".yaml", nil)
		require.NoError(t, err)
		sites = append(sites, b)
	}
	page, err := os.ReadFile(corpusPage)
	require.NoError(t, err)
	before, table, found := strings.Cut(string(page), corpusBegin)
	require.True(t, found)
	for _, name := range corpusSites {
		usual, err := os.ReadFile("testdata/" + name + ".yaml")
		require.NoError(t, err)
		assert.Contains(t, before, string(usual), "the page shows what is usual")
	}
	rows, known := readCorpus(t), map[bound.Config]string{}
	var b strings.Builder
	b.WriteString("\n| project | client-go, lock | timings, request timeout, release | worst overlap | calm | typical cloud | overloaded every night |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n")
	for i, r := range rows {
		again := *update || r.Config.Timings == rows[0].Config.Timings && r.Config == rows[0].Config
		simulated := r.Config
		simulated.Minor = 0 // which makes no difference to a forecast
		if known[simulated] == "" && again {
			known[simulated] = corpusCells(t, &simulated, sites)
		}
		line := fmt.Sprintf("| %s | %s | %s, %s, %t | %s | ", r.Project, r.Library(), timingsText(&r.Config.Timings),
			gate.FormatDuration(r.Config.RequestTimeout), r.Config.ReleaseOnCancel, overlapCell(t, &r))
		if again {
			line += known[simulated] + " |\n"
		}
		b.WriteString(line)
		if !*update {
			assert.Contains(t, table, "\n"+line, "row %d", i+1)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(corpusPage, []byte(before+corpusBegin+b.String()), 0o644))
	}
}
