package scenarios

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
	"interregnum/plan"
)

const twoElections = `name: two
horizon: 1s
defaults: {drain: 1s, rejoin: 1s}
elections:
  - {name: main}
  - {name: other, leaseDuration: 40s, drain: 3s, onLoss: exit}
candidates:
  - {id: a}
  - {id: b, elections: [other], drain: 5s}
  - {id: c, leaseDuration: 15s, drain: 0s, onLoss: ignore, livenessProbe: {period: 5s}}
`

// TestElectionPrecedence: a candidate's own value wins over the election's, and that over the defaults.
func TestElectionPrecedence(t *testing.T) {
	s, err := Read(strings.NewReader(twoElections), "two")
	require.NoError(t, err)
	assert.Equal(t, []string{"main", "other"}, s.Elections)
	type entry struct {
		id, election string
		lease, drain time.Duration
		onLoss       plan.OnLoss
	}
	var got []entry
	for _, c := range s.Candidates {
		got = append(got, entry{c.ID, c.Election, c.LeaseDuration, c.Drain, c.OnLoss})
		assert.Equal(t, time.Second, *c.Rejoin)
		if c.ID == "c" {
			assert.Equal(t, &plan.LivenessProbe{Period: 5 * time.Second, FailureThreshold: 3, Tolerance: 20 * time.Second}, c.LivenessProbe)
		}
	}
	assert.Equal(t, []entry{
		{"a", "main", 15 * time.Second, time.Second, ""},
		{"a", "other", 40 * time.Second, 3 * time.Second, "exit"},
		{"b", "other", 40 * time.Second, 5 * time.Second, "exit"},
		{"c", "main", 15 * time.Second, 0, "ignore"},
		{"c", "other", 15 * time.Second, 0, "ignore"},
	}, got)
	var out bytes.Buffer
	require.NoError(t, s.WriteYAML(&out))
	again, err := Read(&out, "again")
	require.NoError(t, err)
	assert.Equal(t, s, again)
}

// TestElectionsThatNoFileCanSay are refused, and not written as something else.
func TestElectionsThatNoFileCanSay(t *testing.T) {
	s, err := Read(strings.NewReader(twoElections), "two")
	require.NoError(t, err)
	s.Candidates[3].Jitter = new(0.5)
	s.Candidates[0].Jitter = new(0.25)
	assert.ErrorContains(t, s.Validate(), "jitter differs both by candidate and by election")
}

// TestElectionsWithoutSameElector: a candidate says that it has not what an election has.
func TestElectionsWithoutSameElector(t *testing.T) {
	want, err := readText("name: x\nhorizon: 1s\ndefaults: {rejoin: 1s}\nelections: [{name: main, sameElector: true}, {name: other}]\n" +
		"candidates:\n- {id: a}\n- {id: b, sameElector: false}\n")
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, want.WriteYAML(&text))
	got, err := readText(text.String())
	require.NoError(t, err, text.String())
	assert.Equal(t, want, got, text.String())
}

// TestVerdictsOfElections: each is judged by itself, the worst verdict counts, and violations say whose they are.
func TestVerdictsOfElections(t *testing.T) {
	s, err := Named("elections-overload")
	require.NoError(t, err)
	r, err := Run(s, Options{Explain: true})
	require.NoError(t, err)
	work := property(t, r, check.SingleWork)
	require.Len(t, work.Violations, 1)
	assert.Equal(t, "main", work.Violations[0].Election)
	assert.Equal(t, []string{"a", "b"}, work.Violations[0].Candidates)
	require.Len(t, work.Violations[0].Explanations, 1)
	assert.Equal(t, "main", work.Violations[0].Explanations[0].Election)
	for i := range r.Terms {
		assert.NotEmpty(t, r.Terms[i].Election)
	}
	for i := range r.Writes {
		assert.NotEmpty(t, r.Writes[i].Election)
	}
	// a leads the one election and b the other: nothing of that is a violation.
	s.Faults = []Fault{{Kind: plan.FaultPartition, At: 20 * time.Second, On: []string{"a"}, Election: "main"}}
	r, err = Run(s, Options{})
	require.NoError(t, err)
	last := r.Terms[len(r.Terms)-1]
	assert.Equal(t, "b", last.Candidate)
	for _, p := range r.Properties {
		assert.NotEqual(t, check.Violated, p.Verdict, p.Name)
	}
}

// TestElectionsAreBounded: a short file must not become a run that fits in no memory.
func TestElectionsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("name: x\nhorizon: 1s\nelections:\n")
	for i := range plan.MaxElections {
		b.WriteString("  - {name: e" + strconv.Itoa(i) + "}\n")
	}
	b.WriteString("candidates:\n")
	for i := range 200 {
		b.WriteString("  - {id: c" + strconv.Itoa(i) + "}\n")
	}
	_, err := Read(strings.NewReader(b.String()), "x")
	assert.ErrorContains(t, err, "more than 100000 candidates, each counted in each of its elections")
	_, err = Read(strings.NewReader(strings.Replace(b.String(), "candidates:", "  - {name: one-more}\ncandidates:", 1)), "x")
	assert.ErrorContains(t, err, "elections: has more than 1000 entries")
}

// TestElectionFieldsInDocs: scenarios.md names every field that an entry of elections may have.
func TestElectionFieldsInDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/scenarios.md")
	require.NoError(t, err)
	_, from, _ := strings.Cut(string(page), "An entry of the top-level `elections`")
	said, _, found := strings.Cut(from, "All other fields belong to the process")
	require.True(t, found)
	for _, field := range electionFields {
		assert.Contains(t, said, "`"+field+"`")
	}
}
