package reports

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestHuman(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s":           0,
		"1ns":          1,
		"999ns":        999,
		"1.005µs":      1005,
		"1.5ms":        1_500_000,
		"1.235ms":      1_234_567,
		"999.999ms":    999_999_499,
		"1s":           1_000_000_499,
		"1.001s":       1_000_500_000,
		"37.968s":      37_968_000_000,
		"3.944s":       3_943_999_999,
		"90s":          90 * time.Second,
		"599.999s":     599_999 * time.Millisecond,
		"10m":          10 * time.Minute,
		"13h22m5.123s": 13*time.Hour + 22*time.Minute + 5123*time.Millisecond,
		"1d":           24 * time.Hour,
		"3650d1s":      3650*24*time.Hour + time.Second,
		"-5s":          -5 * time.Second,
	} {
		assert.Equal(t, want, human(int64(d)))
	}
}

// TestAxis has an axis for every horizon from a nanosecond to the longest, at every width.
func TestAxis(t *testing.T) {
	for horizon := int64(1); horizon > 0; horizon = horizon*3 + 1 {
		for columns := 30; columns <= 200; columns += 10 {
			s := scale{horizon: horizon, columns: columns}
			labels, marks := s.axis()
			assert.LessOrEqual(t, utf8.RuneCountInString(labels), columns+1)
			assert.Equal(t, columns+1, utf8.RuneCountInString(marks))
			assert.True(t, strings.HasPrefix(labels, "0s"))
			ticks := s.ticks()
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

// TestCells: every instant lies in one column, and what touches in time touches in columns.
func TestCells(t *testing.T) {
	for _, horizon := range []int64{1, 7, 99, 100, 101, 1 << 40, 1<<63 - 1} {
		s := scale{horizon: horizon, columns: 100}
		last := -1
		for i := range int64(8) {
			from, to := horizon/8*i, horizon/8*(i+1)
			if i == 7 {
				to = horizon
			}
			first, end := s.cells(from, to)
			assert.LessOrEqual(t, first, last+1, "no gap")
			assert.GreaterOrEqual(t, first, max(last, 0), "at most a column is shared")
			assert.GreaterOrEqual(t, end, first)
			last = end
		}
		assert.Equal(t, 99, last)
		first, end := s.cells(horizon, horizon)
		assert.Equal(t, []int{99, 99}, []int{first, end})
		first, end = s.cells(0, open)
		assert.Equal(t, []int{0, 99}, []int{first, end})
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

func TestShorten(t *testing.T) {
	assert.Equal(t, "manager-1", shorten("manager-1", 9))
	assert.Equal(t, "man…-abcde", shorten("manager-5d9f7-abcde", 10))
	for limit := 6; limit < 30; limit++ {
		short := shorten("manager-5d9f7-abcde", limit)
		assert.Equal(t, min(limit, 19), utf8.RuneCountInString(short))
	}
}
