package page

import (
	"cmp"
	"fmt"
	"slices"

	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// othersBlock returns one block for all candidates without their own block; nil if there are none.
func (p *Page) othersBlock(c *chart) *block {
	if c.Others == 0 {
		return nil
	}
	b := &block{Kind: "others", Candidate: -1, Name: words.Count(c.Others) + " others", Height: 36}
	b.Lanes = []laneLabel{{20, "run, work"}}
	var ran, worked []reports.Span
	for i := range p.Candidates {
		if !slices.Contains(c.shown, int32(i)) {
			ran = append(ran, p.Candidates[i].Ran...)
			worked = append(worked, termSpans(p.Candidates[i].Terms)...)
		}
	}
	p.bars(c, b, "run", union(ran), 26, 2, "at least one of "+b.Name+" runs")
	p.bars(c, b, "work", union(worked), 8, 18, "at least one of "+b.Name+" works")
	return b
}

// union returns the spans, sorted by start, with those joined that overlap or touch. It sorts its argument in place.
func union(spans []reports.Span) []reports.Span {
	slices.SortFunc(spans, func(a, b reports.Span) int { return cmp.Compare(a.From, b.From) })
	var joined []reports.Span
	for _, s := range spans {
		if n := len(joined); n > 0 && s.From <= joined[n-1].To {
			joined[n-1].To = max(joined[n-1].To, s.To)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// densityBlock returns a block that shows how many requests were sent over time, and how many of them failed. It returns nil if
// all requests are shown one by one and all candidates have their own block.
func (p *Page) densityBlock(c *chart) *block {
	if c.Others == 0 && p.requests.total == len(p.requests.all) {
		return nil
	}
	const height = 34
	most := slices.Max(p.requests.count[:])
	b := &block{Kind: "density", Candidate: -1, Name: "all requests", Height: height + 12}
	b.Lanes = []laneLabel{{20, "up to " + words.Count(most)}, {34, "per " + words.Duration(int64(p.Header.Horizon)/requestBins)}}
	for i, n := range p.requests.count {
		if n == 0 {
			continue
		}
		bad := p.requests.bad[i]
		s := reports.Span{From: p.binStart(i), To: p.binStart(i + 1)}
		title := fmt.Sprintf("%s requests from %s to %s, %s of them lost, refused or given up", words.Count(n),
			words.Duration(s.From), words.Duration(s.To), words.Count(bad))
		h := max(1, height*n/most)
		b.Marks = append(b.Marks, p.mark("count", s, 6+height-h, h, title))
		if bad > 0 {
			h = max(1, height*min(bad, n)/most)
			b.Marks = append(b.Marks, p.mark("count bad", s, 6+height-h, h, title))
		}
	}
	return b
}

// binStart returns the instant at which part i of the requestBins parts of the horizon begins.
func (p *Page) binStart(i int) int64 {
	return int64(float64(p.Header.Horizon) * float64(i) / requestBins)
}
