package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"interregnum/reports/internal/axis"
)

// TestAxis has an axis for every horizon from a nanosecond to the longest, at every width.
func TestAxis(t *testing.T) {
	for horizon := int64(1); horizon > 0; horizon = horizon*3 + 1 {
		for columns := 30; columns <= 200; columns += 10 {
			s := axis.Scale{Horizon: horizon, Columns: columns}
			labels, marks := ruler(s)
			assert.LessOrEqual(t, utf8.RuneCountInString(labels), columns+1)
			assert.Equal(t, columns+1, utf8.RuneCountInString(marks))
			assert.True(t, strings.HasPrefix(labels, "0s"))
			ticks := ticks(s)
			assert.LessOrEqual(t, len(ticks), columns/4+1)
			if columns >= 60 && horizon > 3 {
				assert.GreaterOrEqual(t, len(ticks), 2, "%d %d %s", horizon, columns, labels)
			}
		}
		if horizon > 1<<61 {
			break
		}
	}
}

func TestLanes(t *testing.T) {
	for _, c := range []struct {
		name string
		bars []bar
		want []string
	}{
		{"inside", []bar{{first: 2, last: 12, label: "outage"}}, []string{"  [outage---]"}},
		{"beside", []bar{{first: 2, last: 4, label: "outage"}}, []string{"  [-] outage"}},
		{"left of it", []bar{{first: 16, last: 18, label: "outage"}}, []string{"         outage [-]"}},
		{"instant", []bar{{first: 3, last: 3, label: "crash", instant: true}}, []string{"   ^ crash"}},
		{"one column", []bar{{first: 3, last: 3, label: "pause"}}, []string{"   | pause"}},
		{"endless", []bar{{first: 8, last: 19, label: "outage", endless: true}}, []string{"        [outage---->"}},
		{"stacked", []bar{{first: 2, last: 12, label: "pause"}, {first: 4, last: 5, label: "crash"}},
			[]string{"  [pause----]", "    [] crash"}},
		{"in a row", []bar{{first: 0, last: 0, label: "a", instant: true}, {first: 5, last: 5, label: "b", instant: true}},
			[]string{"^ a  ^ b"}},
		{"too many to name", []bar{{first: 0, last: 0, label: "crash", instant: true}, {first: 1, last: 1, label: "crash", instant: true},
			{first: 2, last: 2, label: "crash", instant: true}, {first: 3, last: 3, label: "crash", instant: true},
			{first: 4, last: 4, label: "crash", instant: true}, {first: 5, last: 5, label: "crash", instant: true}},
			[]string{"^ crash", " ^ crash", "  ^ crash", "   ^^^"}},
		{"short of room", []bar{{first: 9, last: 10, label: "delay response 9.9s"}}, []string{"         [] delay"}},
	} {
		var got []string
		for _, r := range lanes(c.bars, 20) {
			got = append(got, r.String())
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// TestCrowdedLanes: a hundred faults take four lines, each leaves a mark.
func TestCrowdedLanes(t *testing.T) {
	var bars []bar
	for i := range 100 {
		bars = append(bars, bar{first: i % 20, last: i % 20, label: "crash", instant: true})
	}
	rows := lanes(bars, 20)
	assert.Len(t, rows, maxLanes)
	for c := range 20 {
		marked := false
		for _, r := range rows {
			marked = marked || r[c] == '^'
		}
		assert.True(t, marked, c)
	}
}
