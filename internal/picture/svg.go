package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
)

// svg is a canvas that keeps what is drawn as SVG text in body.
type svg struct{ body bytes.Buffer }

// newSVG returns a white canvas, to be written as SVG.
func newSVG() *svg {
	s := &svg{}
	fmt.Fprintf(&s.body, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="13">
<rect width="%[1]d" height="%[2]d" fill="#ffffff"/>
`, width, height)
	return s
}

// line adds a line to the SVG text.
func (s *svg) line(x1, y1, x2, y2 float64, color string) {
	fmt.Fprintf(&s.body, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`+"\n", x1, y1, x2, y2, color)
}

// circle adds a circle around x and y to the SVG text: a disc if filled is true, otherwise a ring.
func (s *svg) circle(x, y, radius float64, filled bool, color string) {
	fill, stroke := "none", color
	if filled {
		fill, stroke = color, "none"
	}
	fmt.Fprintf(&s.body, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="%s"/>`+"\n", x, y, radius, fill, stroke)
}

// text adds a text to the SVG text. Its start, middle or end, as anchor says, is at x, and its baseline at y.
func (s *svg) text(x, y float64, anchor, text string) {
	fmt.Fprintf(&s.body, `<text x="%.1f" y="%.1f" text-anchor="%s">`, x, y, anchor)
	_ = xml.EscapeText(&s.body, []byte(text)) // a buffer takes everything
	s.body.WriteString("</text>\n")
}

// write completes the SVG text and writes it to w.
func (s *svg) write(w io.Writer) error {
	s.body.WriteString("</svg>\n")
	_, err := s.body.WriteTo(w)
	return err
}
