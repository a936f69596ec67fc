package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/investigate"
	"interregnum/internal/reporttest"
	"interregnum/reports"
)

func storyPage(t *testing.T, v *reports.Investigation) string {
	var b strings.Builder
	require.NoError(t, Investigation(&b, v, "simulate investigate x --html y"))
	assert.NotContains(t, b.String(), "ZgotmplZ", "the template engine refused nothing")
	return b.String()
}

// TestStoryPage: what was logged, what that implies, and where two worked at once are on the page, the same every time.
func TestStoryPage(t *testing.T) {
	v := reporttest.Investigation(t, "")
	page := storyPage(t, v)
	assert.Equal(t, page, storyPage(t, reporttest.Investigation(t, "")))
	for _, want := range []string{
		`class="verdict bad"`, "what was logged", "what that implies", `class="certain c0"`, `class="possible"`,
		"certainly worked at once from 2026-03-01 12:00:24.529 until 2026-03-01 12:00:49.987", "certain, 25.458s",
		"audit.log:38: update by manager-b_0c5f1b2e-62, answered with 429", "simulate investigate x --html y",
	} {
		assert.Contains(t, page, want)
	}
}

// TestStoryTone: a page is good only where it is impossible that two worked at once.
func TestStoryTone(t *testing.T) {
	v := reporttest.Investigation(t, "")
	assert.Equal(t, "open", tone())
	for _, verdict := range []investigate.Verdict{investigate.Certain, investigate.Possible, investigate.Impossible} {
		for i := range v.Locks[0].Pairs {
			v.Locks[0].Pairs[i].Worked.Verdict = verdict
		}
		want := map[investigate.Verdict]string{investigate.Certain: "bad", investigate.Possible: "open", investigate.Impossible: "good"}[verdict]
		assert.Equal(t, want, tone(v.Locks...))
		assert.Contains(t, storyPage(t, v), `class="verdict `+want+`"`)
	}
	v.Locks[0].Pairs = nil
	assert.Equal(t, "open", tone(v.Locks...), "no change of the holder is logged")
}

// TestStoryPageOfHostileText: names are nothing but text; a lock of which there is one line is told too.
func TestStoryPageOfHostileText(t *testing.T) {
	v := reporttest.Investigation(t, "2026-03-01T12:00:01.000000Z\tINFO\tsuccessfully acquired lease other/<script>alert(1)\"'\n")
	v.Problems = []string{"<b>\x1b[31m"}
	require.Len(t, v.Locks, 2)
	page := storyPage(t, v)
	for _, raw := range []string{"<script>", "<b>", "\x1b"} {
		assert.NotContains(t, page, raw)
	}
	assert.Contains(t, page, "leases other/&lt;script&gt;")
}

// TestStoryPageWithoutSecrets: of an address in a log there is neither a password nor a query.
func TestStoryPageWithoutSecrets(t *testing.T) {
	v := reporttest.Investigation(t, "2026-03-01T12:00:01.000000Z\tERROR\terror retrieving resource lock other/x: Get \"https://me:hunter2@10.0.0.1/leases/x?token=abc\": EOF\n")
	page := storyPage(t, v)
	assert.Contains(t, page, "https://10.0.0.1/leases/x")
	assert.NotContains(t, page, "hunter2")
	assert.NotContains(t, page, "token=abc")
}
