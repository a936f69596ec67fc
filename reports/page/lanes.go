package page

import (
	"fmt"
	"strings"

	"interregnum/internal/trace"
)

// requestLane shows a candidate's requests as arrows between the candidate, at the lower edge, and the service, at the upper
// edge. The script draws the lane anew at every zoom; this is how it looks without a script.
type requestLane struct {
	Top, Height int
	Arrows      []arrow
}

// arrow is the SVG path of a leg of a request, or of many short requests together.
type arrow struct{ Class, Path string }

// maxArrows is how many arrows a lane may have before it draws no further requests one by one.
const maxArrows = 200

// fates are the fates of requests, in the order in which they are drawn.
var fates = [...]string{"read", "write", "late", "refused", "lost"}

// late is the index into fates from which on a request has failed.
const late = 2

// fate returns what became of the request, as an index into fates: read, write, late, refused or lost.
func (r *request) fate() int {
	switch {
	case r.arrival == trace.RequestLost || r.ending == trace.ResponseLost:
		return 4
	case r.arrival == trace.RequestRefused:
		return 3
	case r.gaveUp != none || r.ending == trace.ResponseLate:
		return late
	case r.wrote:
		return 1
	}
	return 0
}

// requestLane returns the lane of a candidate's requests, at top and of that height in pixels. Requests that take long enough to
// be seen, and those that were refused or lost, have their own arrows, until there are maxArrows. The others are drawn together
// as strokes. The log of requests must be finished.
func (p *Page) requestLane(candidate int32, top, height int) *requestLane {
	lane := &requestLane{Top: top, Height: height}
	var short [len(fates)]strings.Builder
	var last [len(fates)]int
	for _, r := range p.requests.of[candidate] {
		f := r.fate()
		end := max(r.sent+r.way, r.arrived, r.done, r.gaveUp)
		x := p.x(r.sent)
		if (p.x(end)-x >= 4 || f > late) && len(lane.Arrows) < maxArrows {
			lane.Arrows = append(lane.Arrows, p.arrows(r, top, height)...)
		} else if at := int(x) / 2 * 2; at > last[f] {
			last[f] = at
			fmt.Fprintf(&short[f], "M%d %dv%d", at, top, height)
		}
	}
	for f := range short {
		if short[f].Len() > 0 {
			lane.Arrows = append(lane.Arrows, arrow{fates[f], short[f].String()})
		}
	}
	return lane
}

// arrows returns the arrows of a request to the service and back. A message that is lost ends half way, with a cross; an answer
// that the candidate never got has no arrow.
func (p *Page) arrows(r *request, top, height int) []arrow {
	class := fates[r.fate()]
	bottom, middle := top+height, top+height/2
	sent := p.x(r.sent)
	if r.arrival == trace.RequestLost {
		return []arrow{{class, leg(sent, bottom, sent, middle) + cross(sent, middle)}}
	}
	if r.arrived == none {
		return []arrow{{class, leg(sent, bottom, min(p.x(r.sent+r.way), p.width-8), top)}}
	}
	at := p.x(r.arrived)
	out := []arrow{{class + " out", leg(sent, bottom, at, top)}}
	switch {
	case r.ending == trace.ResponseLost:
		out = append(out, arrow{class, leg(at, top, at, middle) + cross(at, middle)})
	case r.done != none:
		out = append(out, arrow{class + " out", leg(at, top, p.x(r.done), bottom)})
	}
	return out
}

// leg returns the SVG path of a line from one point to another.
func leg(x1 float64, y1 int, x2 float64, y2 int) string {
	return fmt.Sprintf("M%v %dL%v %d", tenth(x1), y1, tenth(x2), y2)
}

// cross returns the SVG path of a small cross around a point.
func cross(x float64, y int) string {
	const arm = 3
	return fmt.Sprintf("M%v %dl6 6m0 -6l-6 6", tenth(x-arm), y-arm)
}
