package outlook

import (
	"encoding/csv"
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
	"interregnum/internal/gate/files"
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

// corpusRow is a project with its configuration.
type corpusRow struct {
	project string
	config  bound.Config
	// client is the lock's client, for the worst overlap alone; others use it too where it is shared.
	client gate.ClientSaid
	shared bool
}

func corpus(t *testing.T) (rows []corpusRow) {
	file, err := os.Open("../../../testdata/corpus/timings.csv")
	require.NoError(t, err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	for _, line := range lines[1:] {
		var d [5]time.Duration
		for i, column := range []int{2, 3, 4, 6} {
			d[i], err = time.ParseDuration(line[column])
			require.NoError(t, err, line[0])
		}
		profile := machine.ClientGo
		if strings.Contains(line[0], "java-operator-sdk") || strings.Contains(line[0], "flink") {
			profile = machine.Fabric8
		}
		rows = append(rows, corpusRow{line[0], bound.Config{
			Timings: machine.Timings{LeaseDuration: d[0], RenewDeadline: d[1], RetryPeriod: d[2]}, Profile: profile,
			ReleaseOnCancel: line[5] == "true", RequestTimeout: d[3],
		}, clientOf(t, line[7:10]), line[10] == "true"})
	}
	return rows
}

// clientOf reads the kind of a client, and the numbers of its limiter where the project sets them.
func clientOf(t *testing.T, cells []string) (said gate.ClientSaid) {
	said.Kind = cells[0]
	if cells[1] != "" {
		qps, err := strconv.ParseFloat(cells[1], 64)
		require.NoError(t, err)
		burst, err := strconv.Atoi(cells[2])
		require.NoError(t, err)
		said.QPS, said.Burst = &qps, &burst
	}
	return said
}

// overlapCell returns the worst overlap with answers within a second and the project's client. Of a shared limiter others take a whole burst at once.
func (r *corpusRow) overlapCell(t *testing.T) string {
	e, c := gate.DefaultEnvironment().Environment, r.config
	if bound.Refused(&c) != nil {
		return "refused"
	}
	if c.Profile.Name == machine.ClientGo.Name {
		var err error
		c.Client, err = r.client.Client()
		require.NoError(t, err, r.project)
		if r.shared && c.Client.Limits() {
			e.OtherBurst = c.Client.Burst
		}
	}
	j, err := gate.Judge(gate.Target{
		Position: files.Position{File: "corpus"}, Config: c, Timeout: files.FixedTimeout(c.RequestTimeout), TimeoutFrom: "corpus",
	}, &e)
	require.NoError(t, err, r.project)
	o := Overlap(j)
	if o.Value <= 0 {
		return "none"
	}
	cell := "**" + strings.Replace(strconv.FormatFloat(math.Round(o.Value*1000)/1000, 'f', -1, 64)+"s", "+Infs", "∞", 1) + "**"
	if j.Result.AtLeast {
		cell = "≥ " + cell
	}
	return cell
}

// corpusCells returns what becomes of a configuration: in each behaviour its losses and its time without a leader, a month.
func corpusCells(t *testing.T, c *bound.Config, sites []*behaviour.Behaviour) string {
	e := gate.DefaultEnvironment()
	j, err := gate.Judge(gate.Target{
		Position: files.Position{File: "corpus"}, Config: *c, Timeout: files.FixedTimeout(c.RequestTimeout), TimeoutFrom: "corpus",
	}, &e.Environment)
	require.NoError(t, err)
	if j.Verdict == gate.Refused {
		return strings.Repeat(" | ", len(sites)-1)
	}
	var cells []string
	for _, b := range sites {
		if c.LeaseDuration > corpusLongest {
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
	rows, known := corpus(t), map[bound.Config]string{}
	var b strings.Builder
	b.WriteString("\n| project | timings, request timeout, release | worst overlap | calm | typical cloud | overloaded every night |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for i, r := range rows {
		again := *update || r.config.Timings == rows[0].config.Timings && r.config == rows[0].config
		if known[r.config] == "" && again {
			known[r.config] = corpusCells(t, &r.config, sites)
		}
		line := fmt.Sprintf("| %s | %s, %s, %t | ", r.project, timingsText(&r.config.Timings), gate.FormatDuration(r.config.RequestTimeout), r.config.ReleaseOnCancel)
		if r.config.Profile != machine.ClientGo {
			line = strings.TrimSuffix(line, " | ") + ", " + r.config.Profile.Name + " | "
		}
		line += r.overlapCell(t) + " | "
		if again {
			line += known[r.config] + " |\n"
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
