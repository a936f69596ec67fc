package finding

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/reporttest"
)

// hostileLog is a line of a process's log about a lock, of a leader whose name is no name.
const hostileLog = "2026-03-01T12:00:00.000000Z\tINFO\tnew leader elected: <script>alert(1)</script> | `x` \\u001b[31m @all\n" +
	"2026-03-01T12:00:01.000000Z\tINFO\tsuccessfully acquired lease other/<script>|`x`@all\n"

// TestInvestigation: what follows from the tutorial's logs in each form, the same every time.
func TestInvestigation(t *testing.T) {
	v := reporttest.Investigation(t, "")
	var j, m strings.Builder
	require.NoError(t, InvestigationJSON(&j, v))
	require.NoError(t, InvestigationMarkdown(&m, v))
	var indented strings.Builder
	e := json.NewEncoder(&indented)
	e.SetIndent("", " ")
	require.NoError(t, e.Encode(json.RawMessage(j.String())))
	reporttest.Golden(t, "investigation.json", indented.String())
	reporttest.Golden(t, "investigation.md", m.String())

	var again strings.Builder
	require.NoError(t, InvestigationJSON(&again, reporttest.Investigation(t, "")))
	assert.Equal(t, j.String(), again.String())
}

// TestInvestigationOfSeveral: several locks are a table, and foreign text is nothing but text.
func TestInvestigationOfSeveral(t *testing.T) {
	v := reporttest.Investigation(t, hostileLog)
	v.Problems = []string{"a.log: \x1b[2J <b> is no log"}
	require.Len(t, v.Locks, 2)
	var j, m strings.Builder
	require.NoError(t, InvestigationJSON(&j, v))
	require.NoError(t, InvestigationMarkdown(&m, v))
	reporttest.Golden(t, "investigation-several.md", m.String())
	var out investigationJSON
	require.NoError(t, json.Unmarshal([]byte(j.String()), &out))
	assert.Equal(t, "certain", string(out.Verdict))
	for _, raw := range []string{"<script>", "\x1b"} {
		assert.NotContains(t, m.String()+j.String(), raw)
	}
}
