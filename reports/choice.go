package reports

import (
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// maxShown is how many candidates a picture has lines for.
const maxShown = 12

// choose returns the indices of the candidates to show, at most limit of them. Where there are more, those who were
// part of a violation come first, then those who ever led, then the rest, each in the order of the scenario.
func (t *Timeline) choose(r *scenarios.Result, limit int) []int32 {
	shown := make([]int32, len(t.candidates))
	for i := range shown {
		shown[i] = int32(i)
	}
	if len(shown) <= limit {
		return shown
	}
	involved := map[string]bool{}
	for _, property := range r.Properties {
		for _, v := range property.Violations {
			for _, id := range v.Names() {
				involved[id] = true
			}
		}
	}
	rank := func(i int32) int {
		switch {
		case involved[t.header.Candidates[i].Name()]:
			return 0
		case t.candidates[i].led():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(shown, func(a, b int32) int { return cmp.Compare(rank(a), rank(b)) })
	return shown[:limit]
}

// leftOut says how many candidates have no lines in the picture, and how many of those ever led.
func (p *picture) leftOut(left int) string {
	led := 0
	for i := range p.candidates {
		if p.candidates[i].led() && !slices.Contains(p.shown, int32(i)) {
			led++
		}
	}
	who := "none of them ever led"
	if led > 0 {
		who = fmt.Sprintf("%s of them led at some time, marked %c", words.Count(led), unshownMark)
	}
	return fmt.Sprintf("%s more of %s candidates are left out; %s",
		words.Count(left), words.Count(len(p.candidates)), who)
}

// label sets the labels of the records and of the shown candidates, and gives each shown candidate its mark: the one
// rune that stands for it in a record's row. An id of one rune that is one column wide is its own mark; other
// candidates get a letter.
func (p *picture) label(width int) {
	p.marks = make([]rune, len(p.candidates))
	taken := map[rune]bool{overlapMark: true}
	for _, i := range p.shown {
		id := p.header.Candidates[i].Name()
		if first, size := utf8.DecodeRuneInString(id); size == len(id) && words.Width(id) == 1 {
			p.marks[i] = first
			taken[unicode.ToUpper(p.marks[i])] = true
		}
	}
	letter := 'A'
	limit := min(max(width/6, 8), 24)
	for i := range p.records {
		name := words.Shorten(p.records[i].name(), limit+kindWidth)
		p.recordLabels = append(p.recordLabels, name)
		p.idWidth = max(p.idWidth, words.Width(name)-kindWidth)
	}
	for _, i := range p.shown {
		label := p.header.Candidates[i].Name()
		if p.marks[i] == 0 {
			for taken[letter] {
				letter++
			}
			p.marks[i], taken[letter] = letter, true
			label = string(letter) + " " + words.Shorten(label, limit-2)
		}
		p.labels = append(p.labels, label)
		p.idWidth = max(p.idWidth, words.Width(label))
	}
}

// markOf is the candidate's mark, or its id where it has no lines.
func (p *picture) markOf(id string) string {
	for _, i := range p.shown {
		if p.header.Candidates[i].Name() == id {
			return string(p.marks[i])
		}
	}
	return id
}
