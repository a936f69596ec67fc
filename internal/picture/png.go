package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// raster is a canvas of pixels. It can draw only horizontal and vertical lines, which is enough for the pictures here.
type raster struct{ pixels *image.RGBA }

// newPNG returns a canvas of white pixels, to be written as PNG.
func newPNG() *raster {
	r := &raster{image.NewRGBA(image.Rect(0, 0, width, height))}
	draw.Draw(r.pixels, r.pixels.Bounds(), image.White, image.Point{}, draw.Src)
	return r
}

// inked returns a colour for drawing, from a text such as #1f5fa8.
func inked(text string) *image.Uniform {
	c := color.RGBA{A: 0xff}
	_, _ = fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B) // one of the constants
	return image.NewUniform(c)
}

// pixel returns the number of the pixel that is nearest to a coordinate.
func pixel(at float64) int { return int(math.Round(at)) }

// line draws a line, which must be horizontal or vertical.
func (r *raster) line(x1, y1, x2, y2 float64, color string) {
	box := image.Rect(pixel(x1), pixel(y1), pixel(x2), pixel(y2)) // in order, whichever end comes first
	box.Max = box.Max.Add(image.Pt(1, 1))
	draw.Draw(r.pixels, box, inked(color), image.Point{}, draw.Src)
}

// circle draws a circle around x and y: a disc if filled is true, otherwise a ring.
func (r *raster) circle(x, y, radius float64, filled bool, color string) {
	ink, reach := inked(color), pixel(radius)+1
	for dx := -reach; dx <= reach; dx++ {
		for dy := -reach; dy <= reach; dy++ {
			far := math.Hypot(float64(dx), float64(dy))
			if filled && far <= radius || !filled && math.Abs(far-radius) < 0.75 {
				r.pixels.Set(pixel(x)+dx, pixel(y)+dy, ink.C)
			}
		}
	}
}

// text writes a text in black. Its start, middle or end, as anchor says, is at x, and its baseline at y.
func (r *raster) text(x, y float64, anchor, text string) {
	d := font.Drawer{Dst: r.pixels, Src: inked(ink), Face: basicfont.Face7x13}
	before := 0
	switch wide := d.MeasureString(text).Ceil(); anchor {
	case "middle":
		before = wide / 2
	case "end":
		before = wide
	}
	d.Dot = fixed.P(pixel(x)-before, pixel(y))
	d.DrawString(text)
}

// write writes the picture to w as PNG.
func (r *raster) write(w io.Writer) error { return png.Encode(w, r.pixels) }
