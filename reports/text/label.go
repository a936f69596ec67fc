package text

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"interregnum/reports/internal/words"
)

// maxShown is how many candidates have rows in a picture.
const maxShown = 12

// leftOut returns a sentence which says how many candidates have no rows in the picture, which is the number left, and how many of
// these ever led.
func (p *picture) leftOut(left int) string {
	led := 0
	for i := range p.Candidates {
		if p.Candidates[i].Led() && !slices.Contains(p.shown, int32(i)) {
			led++
		}
	}
	who := "none of them ever led"
	if led > 0 {
		who = fmt.Sprintf("%s of them led at some time, marked %c", words.Count(led), unshownMark)
	}
	return fmt.Sprintf("%s more of %s candidates are left out; %s",
		words.Count(left), words.Count(len(p.Candidates)), who)
}

// label sets the labels and idWidth of the picture, and the mark of each shown candidate, which stands for it in a record's row.
// An id of one character that is one column wide is its own mark; any other candidate gets a letter. width is that of the
// picture.
func (p *picture) label(width int) {
	p.marks = make([]rune, len(p.Candidates))
	taken := map[rune]bool{overlapMark: true}
	for _, i := range p.shown {
		id := p.Header.Candidates[i].Name()
		if first, size := utf8.DecodeRuneInString(id); size == len(id) && words.Width(id) == 1 {
			p.marks[i] = first
			taken[unicode.ToUpper(p.marks[i])] = true
		}
	}
	letter := 'A'
	limit := min(max(width/6, 8), 24)
	for i := range p.Records {
		name := words.Shorten(p.Records[i].Name(), limit+kindWidth)
		p.recordLabels = append(p.recordLabels, name)
		p.idWidth = max(p.idWidth, words.Width(name)-kindWidth)
	}
	for _, i := range p.shown {
		label := p.Header.Candidates[i].Name()
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

// markOf returns the mark of the candidate with that name; the name itself if the candidate has no rows.
func (p *picture) markOf(id string) string {
	for _, i := range p.shown {
		if p.Header.Candidates[i].Name() == id {
			return string(p.marks[i])
		}
	}
	return id
}
