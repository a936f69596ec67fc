package scenariotest

import (
	"flag"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

var update = flag.Bool("update", false, "write the tables of docs/method/model.md")

// departure takes back one of strict's differences from client-go.
type departure struct {
	name string
	take func(*machine.Profile)
	// covered says why, among strict candidates, nothing is lost with it alone; "" where something is.
	covered string
}

var departures = []departure{
	{"lease counted from the ack", func(p *machine.Profile) { p.FromSend = false },
		"the deadline counts from the send as well, and comes first"},
	{"deadline from the poll", func(p *machine.Profile) { p.FromRenewal = false }, ""},
	{"one stamp an attempt", func(p *machine.Profile) { p.StampRequest = false }, ""},
	{"records compared by seconds", func(p *machine.Profile) { p.CompareExact = false }, ""},
	{"seconds cut off", func(p *machine.Profile) { p.RoundUp = false }, ""},
	{"another holder ignored", func(p *machine.Profile) { p.ForeignObeyed = false },
		"no other takes over before the deadline; one of client-go can"},
	{"own by name", func(p *machine.Profile) { p.OwnByTerm = false }, ""},
	{"vacant lock taken at once", func(p *machine.Profile) { p.VacancyWaitedOut = false }, ""},
	{"release before the work", func(p *machine.Profile) { p.WorkFirst = false }, ""},
	{"release as believed", func(p *machine.Profile) { p.Release = machine.ReleaseBelieved },
		"a release believes what it has just read"},
	{"no optimistic update", func(p *machine.Profile) { p.ReadFirst = true },
		"it costs a request, nothing else"},
}

// TestAblation computes the tables of docs/method/model.md anew and compares: go test ./scenarios/scenariotest -run TestAblation -update writes it.
func TestAblation(t *testing.T) {
	var b strings.Builder
	b.WriteString("| scenario | client-go-v0.17 | v0.24 | v0.37 | strict |")
	for i := range departures {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString(" together |\n|" + strings.Repeat(" --- |", len(departures)+6) + "\n")
	all, err := scenarios.Library()
	require.NoError(t, err)
	for _, s := range all {
		if strings.HasPrefix(s.Name, "h0") || strings.HasPrefix(s.Name, "h2") || strings.HasPrefix(s.Name, "h1") && !strings.HasPrefix(s.Name, "h12-") {
			row(t, &b, s.Name)
		}
	}
	b.WriteString("\n| | strict, but | why nothing is lost with it alone |\n| --- | --- | --- |\n")
	for i, d := range departures {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", i+1, d.name, d.covered)
	}
	const (
		begin = "<!-- from here on written by go test ./scenarios/scenariotest -run TestAblation -update -->\n"
		end   = "<!-- to here -->\n"
	)
	page := filepath.Join("..", "..", "docs", "method", "model.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	require.True(t, found && ended, "%s: expected the lines %s and %s", page, begin, end)
	want := before + begin + b.String() + end + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text))
}

func row(t *testing.T, b *strings.Builder, name string) {
	strict := cell(t, name, machine.Strict)
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s |", name, cell(t, name, machine.ClientGoV017),
		cell(t, name, machine.ClientGoV024), cell(t, name, machine.ClientGo), strict)
	alone := false
	for i := range departures {
		c := departed(t, name, 1<<i)
		if c != strict {
			alone, c = true, "**"+c+"**"
		}
		fmt.Fprintf(b, " %s |", c)
	}
	together := ""
	for n := 2; !alone && together == "" && n <= len(departures); n++ {
		together = fewest(t, name, strict, n)
	}
	fmt.Fprintf(b, " %s |\n", together)
}

// departed is a scenario by strict with a set of its changes taken back.
func departed(t *testing.T, name string, set int) string {
	p := machine.Strict
	for i, d := range departures {
		if set&(1<<i) != 0 {
			d.take(&p)
		}
	}
	return cell(t, name, p)
}

// fewest is the first set of n departures that brings a hazard back, and what it does; "" where there is none.
func fewest(t *testing.T, name, strict string, n int) string {
	for set := range 1 << len(departures) {
		if bits.OnesCount(uint(set)) != n {
			continue
		}
		if c := departed(t, name, set); c != strict {
			var members []string
			for i := range departures {
				if set&(1<<i) != 0 {
					members = append(members, strconv.Itoa(i+1))
				}
			}
			return strings.Join(members, " + ") + ": " + c
		}
	}
	return ""
}

func cell(t *testing.T, name string, p machine.Profile) string {
	s, err := scenarios.Named(name)
	require.NoError(t, err)
	for i := range s.Candidates {
		s.Candidates[i].Profile = p
	}
	quiet := &quietHazards{term: map[int32]int64{}, gauge: map[int32]bool{}}
	r, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{quiet}})
	require.NoError(t, err)
	text := "·"
	switch {
	case quiet.taken:
		text = "(t)"
	case quiet.left:
		text = "(g)"
	}
	for _, p := range r.Properties {
		switch {
		case p.Verdict != check.Violated:
		case p.Name == check.SingleWork:
			return strings.TrimSuffix(fmt.Sprintf("%.2f s %s", time.Duration(p.OverlapNs).Seconds(), text), " ·")
		case p.Name == check.SafetyWindow:
			text = "(w)"
		}
	}
	return text
}

// quietHazards looks for the two hazards that no property is about.
type quietHazards struct {
	// term has the transitions of the record with which each leader's work began, gauge whose metric is on.
	term        map[int32]int64
	gauge       map[int32]bool
	written     trace.Event
	taken, left bool
}

func (q *quietHazards) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Written:
		q.written = *e
		began, works := q.term[e.Candidate]
		q.taken = q.taken || works && e.Holder != "" && e.Transitions != began
	case trace.WorkStarted:
		q.term[e.Candidate] = q.written.Transitions
	case trace.WorkEnded:
		delete(q.term, e.Candidate)
	case trace.MetricSet:
		q.gauge[e.Candidate] = e.Cause == trace.MetricOn || e.Cause != trace.MetricOff && q.gauge[e.Candidate]
	case trace.RunReturned:
		q.left = q.left || q.gauge[e.Candidate]
	}
}
