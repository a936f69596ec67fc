package text

import "strings"

// The colours of a picture on a terminal, as sequences of ECMA-48 (Select Graphic Rendition). Only overlaps have a background.
const (
	overlapPaint = "\x1b[1;97;41m"
	workPaint    = "\x1b[32m"
	drainPaint   = "\x1b[33m"
	beliefPaint  = "\x1b[36m"
	faultPaint   = "\x1b[35m"
	alarmPaint   = "\x1b[1;31m"
	noPaint      = "\x1b[0m"
)

// paints are the colours of marks that have one.
var paints = map[rune]string{overlapMark: overlapPaint, workMark: workPaint, drainMark: drainPaint, beliefMark: beliefPaint}

// painted returns a row as text. If the picture has colours, each mark in paints has its colour.
func (p *picture) painted(r row) string {
	text := r.String()
	if !p.Color {
		return text
	}
	var b strings.Builder
	now := ""
	for _, mark := range text {
		if next := paints[mark]; next != now {
			if now != "" {
				b.WriteString(noPaint)
			}
			b.WriteString(next)
			now = next
		}
		b.WriteRune(mark)
	}
	if now != "" {
		b.WriteString(noPaint)
	}
	return b.String()
}

// tinted returns a text in one colour, except the spaces at its beginning. It returns the text as it is if the picture has no
// colours.
func (p *picture) tinted(text, color string) string {
	body := strings.TrimLeft(text, " ")
	if !p.Color || body == "" {
		return text
	}
	return text[:len(text)-len(body)] + color + body + noPaint
}
