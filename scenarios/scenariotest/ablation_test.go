package scenariotest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/scenarios"
)

var update = flag.Bool("update", false, "write docs/ablation.md")

// departure takes back one of strict's differences from client-go.
type departure struct {
	name string
	take func(*machine.Profile)
	// covered says why, among strict candidates, nothing is lost with it alone; "" where something is.
	covered string
}

var departures = []departure{
	{"lease counted from the ack", func(p *machine.Profile) { p.LeaseFrom = machine.FromAck },
		"the deadline counts from the send as well, and comes first"},
	{"deadline from the poll", func(p *machine.Profile) { p.Deadline = machine.FromPoll }, ""},
	{"one stamp an attempt", func(p *machine.Profile) { p.Stamp = machine.StampAttempt }, ""},
	{"records compared by seconds", func(p *machine.Profile) { p.Compare = machine.CompareSeconds }, ""},
	{"seconds cut off", func(p *machine.Profile) { p.Seconds = machine.RoundDown }, ""},
	{"another holder ignored", func(p *machine.Profile) { p.Foreign = machine.ForeignIgnored },
		"no other takes over before the deadline; one of client-go can"},
	{"own by name", func(p *machine.Profile) { p.Own = machine.OwnByName }, ""},
	{"vacant lock taken at once", func(p *machine.Profile) { p.Vacancy = machine.VacancyTaken }, ""},
	{"release before the work", func(p *machine.Profile) { p.Stopping = machine.ReleaseFirst }, ""},
	{"release as believed", func(p *machine.Profile) { p.Release = machine.ReleaseBelieved }, ""},
	{"no optimistic update", func(p *machine.Profile) { p.Renewal = machine.ReadFirst },
		"it costs a request, nothing else"},
}

// TestAblation regenerates docs/ablation.md and compares: go test ./scenarios/scenariotest -run TestAblation -update writes it.
func TestAblation(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Which change closes which hazard

Each scenario that shows a hazard, run by client-go, by strict, and by strict with one of its changes taken back. A cell is
how long guarded work overlapped; **bold** where strict alone would have held; (w) where only the promised window of
LeaseDuration − RenewDeadline was cut short. Written by ` + "`go test ./scenarios/scenariotest -run TestAblation -update`" + `.

`)
	b.WriteString("| scenario | client-go | strict |")
	for i := range departures {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(departures)+3) + "\n")
	all, err := scenarios.Library()
	require.NoError(t, err)
	for _, s := range all {
		if len(s.Name) > 1 && s.Name[0] == 'h' && s.Name[1] <= '9' {
			row(t, &b, s.Name)
		}
	}
	b.WriteString("\n| | strict, but | why nothing is lost with it alone |\n| --- | --- | --- |\n")
	for i, d := range departures {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", i+1, d.name, d.covered)
	}
	file := filepath.Join("..", "..", "docs", "ablation.md")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

func row(t *testing.T, b *strings.Builder, name string) {
	strict := cell(t, name, machine.Strict)
	fmt.Fprintf(b, "| %s | %s | %s |", name, cell(t, name, machine.ClientGo), strict)
	for _, d := range departures {
		p := machine.Strict
		d.take(&p)
		c := cell(t, name, p)
		if c != strict {
			c = "**" + c + "**"
		}
		fmt.Fprintf(b, " %s |", c)
	}
	b.WriteString("\n")
}

func cell(t *testing.T, name string, p machine.Profile) string {
	s, err := scenarios.Named(name)
	require.NoError(t, err)
	for i := range s.Candidates {
		s.Candidates[i].Profile = p
	}
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	require.NoError(t, err)
	text := "·"
	for _, p := range r.Properties {
		switch {
		case p.Verdict != check.Violated:
		case p.Name == check.SingleWork:
			return fmt.Sprintf("%.2f s", time.Duration(p.OverlapNs).Seconds())
		case p.Name == check.SafetyWindow:
			text = "(w)"
		}
	}
	return text
}
