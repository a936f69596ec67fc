package check

import (
	"strings"
	"testing"
)

// overlaps are told with work; TestSingleBelief tells the same ones with belief.
var overlaps = []script{
	{name: "one after the other", text: `
		1s a works
		2s a ended
		3s b works
		4s b ended`},
	{name: "back to back is no overlap", text: `
		1s a works
		2s a ended
		2s b works
		3s b ended`},
	{name: "back to back, the later one told first", text: `
		1s a works
		2s b works
		2s a ended
		3s b ended`},
	{name: "by a nanosecond", text: `
		1s a works
		2s b works
		2.000000001s a ended
		3s b ended`,
		want: []string{"2s..2.000000001s a b"}},
	{name: "inside", text: `
		1s a works
		2s b works
		3s b ended
		4s a ended`,
		want: []string{"2s..3s a b"}},
	{name: "begun at the same instant", text: `
		1s b works
		1s a works
		3s b ended
		4s a ended`,
		want: []string{"1s..3s a b"}},
	{name: "of no length, inside another", text: `
		1s a works
		2s b works
		2s b ended
		3s a ended`},
	{name: "of no length, at an edge", text: `
		1s b works
		1s b ended
		1s a works
		3s a ended
		3s b works
		3s b ended`},
	{name: "three at once are one violation", text: `
		1s a works
		2s c works
		3s b works
		5s a ended
		7s c ended
		8s b ended`,
		want: []string{"2s..7s a b c"}},
	{name: "the third only touches", text: `
		1s a works
		2s b works
		3s c works
		3s c ended
		4s a ended
		4s c works
		4s b ended
		5s c ended`,
		want: []string{"2s..4s a b"}},
	{name: "another takes its part at the same instant", text: `
		1s a works
		2s b works
		3s a ended
		3s c works
		4s b ended
		5s c ended`,
		want: []string{"2s..4s a b c"}},
	{name: "two violations", text: `
		1s a works
		2s b works
		3s b ended
		5s b works
		9s a ended`,
		want: []string{"2s..3s a b", "5s..9s a b"}},
	{name: "one candidate twice", text: `
		1s a works
		2s a works
		3s a ended
		4s a ended`},
	{name: "one candidate twice, and another", text: `
		1s a works
		2s a works
		3s a ended
		4s b works
		5s a ended
		6s b ended`,
		want: []string{"4s..5s a b"}},
	{name: "open at the horizon", text: `
		1s a works
		60s b works`,
		want: []string{"1m0s..1m40s a b"}},
	{name: "open at the horizon, alone", text: `
		1s a works`},
	{name: "begun at the horizon", text: `
		1s a works
		100s b works`},
	{name: "ended without a begin", text: `
		1s a ended
		2s b works
		3s a ended
		4s a works
		4s b ended`},
}

func TestSingleWork(t *testing.T) {
	runScripts(t, SingleWork, append([]script{
		{name: "work goes on after its context has ended", text: `
			1s a works
			2s a cancelled
			2s b works
			5s a ended
			6s b cancelled
			6s b ended`,
			want: []string{"2s..5s a b"}},
		{name: "drained while the next term of the same candidate runs", text: `
			1s a works
			2s a cancelled
			3s a works
			4s a ended
			5s a cancelled
			6s a ended
			6s b works`},
		{name: "a crash ends all of it", text: `
			1s a works
			2s a cancelled
			3s a works
			4s a crashes
			4s a cancelled
			4s a ended
			4s a ended
			4s b works
			5s a#2 works
			6s a#2 crashes
			6s a#2 cancelled
			6s a#2 ended`,
			want: []string{"5s..6s a b"}},
		{name: "a crash does not end another's", text: `
			1s a works
			2s b works
			3s b crashes
			3s b cancelled
			3s b ended
			9s a ended`,
			want: []string{"2s..3s a b"}},
		{name: "belief is no work", text: `
			1s a believes
			2s b believes
			3s b works
			4s a doubts`},
	}, overlaps...))
}

func TestSingleBelief(t *testing.T) {
	scripts := []script{{name: "work is no belief", text: `
		1s a works
		2s b works
		3s a believes
		4s a doubts
		4s b believes`}}
	for _, s := range overlaps {
		s.text = strings.NewReplacer("works", "believes", "ended", "doubts").Replace(s.text)
		scripts = append(scripts, s)
	}
	runScripts(t, SingleBelief, scripts)
}
