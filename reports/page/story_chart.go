package page

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
)

// The measures of the chart of an investigation, in pixels. In a chart of narrowWidth, for telephones, the names of lanes are above
// them, each in a line of storyName.
const (
	storyWidth  = 1000
	storyGutter = 190
	storyAxis   = 24
	storyLane   = 26
	storyName   = 14
)

// storyChart shows what was logged in a time, and below it what that implies.
type storyChart struct {
	Title         string
	About         string
	Width, Height int
	LaneX         int
	// Narrow tells that the names of lanes are above them.
	Narrow bool
	Ticks  []tick
	Heads  []laneLabel
	Lanes  []laneLabel
	Marks  []storyMark
	Spans  []storySpan
	Bands  []storySpan
	// Thinned tells that marks were left out which would have been drawn over others.
	Thinned bool

	from, until time.Time
	// gutter is where the plot begins.
	gutter float64
	colors []string
	// seen are the marks that are drawn, without their titles. y is where the next lane begins.
	seen map[storyMark]bool
	y    int
}

// storyMark is a mark for something that was logged at an instant.
type storyMark struct {
	// Kind is write, refused, acquired, lost, failed or said; each has a form of its own.
	Kind  string
	Color string
	X     px
	Y     int
	Title string
}

// storySpan is a stretch of time in the chart. It begins at X and is W wide.
type storySpan struct {
	Kind, Color string
	X, W        px
	Y, H        int
	Title       string
	// Label is what is written into a band.
	Label string
	// Open: the end is not known.
	Open bool
}

// newStoryChart draws what was logged about a lock between two instants, and what that implies, width pixels wide. It adds a margin
// on both sides.
func newStoryChart(v *reports.Investigation, x *reports.LockStory, width int, title string, from, until time.Time) *storyChart {
	margin := max(until.Sub(from)/50, 500*time.Millisecond)
	c := &storyChart{Title: title, Width: width, LaneX: storyGutter - 10, gutter: storyGutter, from: from.Add(-margin),
		until: until.Add(margin), seen: map[storyMark]bool{}, y: storyAxis}
	if width == narrowWidth {
		c.Narrow, c.LaneX, c.gutter = true, 4, 38
	}
	c.About = fmt.Sprintf("%s: what was logged from %s to %s, and what that implies", title, reports.ClockTime(from), reports.ClockTime(until))
	for i := range x.Terms {
		if h := x.Terms[i].Holder; !slices.Contains(c.colors, h) {
			c.colors = append(c.colors, h)
		}
	}
	c.ticks()
	c.logged(v, x)
	c.implied(x)
	c.together(x)
	c.Height = c.y + 4
	return c
}

// x returns the horizontal position of an instant. An instant outside of the chart is drawn at its edge.
func (c *storyChart) x(at time.Time) px {
	if at.Before(c.from) {
		at = c.from
	}
	if at.After(c.until) {
		at = c.until
	}
	share := float64(at.Sub(c.from)) / float64(c.until.Sub(c.from))
	return tenth(c.gutter + float64(share*(float64(c.Width)-c.gutter-10)))
}

// shown tells whether an instant is in the chart.
func (c *storyChart) shown(at time.Time) bool { return !at.Before(c.from) && !at.After(c.until) }

// ticks adds the axis to c.Ticks: round times of the day, in UTC, as far as there is room for their labels.
func (c *storyChart) ticks() {
	length := int64(c.until.Sub(c.from))
	most := int64(8)
	if c.Narrow {
		most = 4
	}
	step := axis.Step(time.Millisecond, length, most)
	layout := "15:04:05"
	if step < time.Second {
		layout = "15:04:05.000"
	} else if step >= 6*time.Hour {
		layout = "Jan 2 15:04"
	}
	day := c.from.UTC().Truncate(24 * time.Hour)
	first := day.Add(c.from.Sub(day).Truncate(step))
	for at := first; !at.After(c.until); at = at.Add(step) {
		if c.shown(at) && c.x(at) < px(c.Width-35) {
			c.Ticks = append(c.Ticks, tick{c.x(at), at.Format(layout)})
		}
	}
}

// color returns the CSS class of a holder's colour; "" if the lock has no term of that holder.
func (c *storyChart) color(holder string) string {
	const different = 8
	if i := slices.Index(c.colors, holder); i >= 0 {
		return fmt.Sprintf("c%d", i%different)
	}
	return ""
}

// mark adds a mark for what was logged at the instant at to the lane that was begun last. It adds none if the instant is not in the
// chart. If a mark of the same kind and colour is at the same place, it adds none and sets c.Thinned. what says what was logged,
// and p is the place of that in the logs.
func (c *storyChart) mark(v *reports.Investigation, kind, color string, at time.Time, p evidence.Place, what string) {
	if !c.shown(at) {
		return
	}
	m := storyMark{Kind: kind, Color: color, X: c.x(at), Y: c.y - storyLane + 13}
	if c.seen[m] {
		c.Thinned = true
		return
	}
	c.seen[m] = true
	m.Title = fmt.Sprintf("%s, %s: %s", reports.ClockTime(at), v.At(p), what)
	c.Marks = append(c.Marks, m)
}

// head begins a part of the chart under that title, and moves c.y below the title.
func (c *storyChart) head(title string) {
	c.Heads = append(c.Heads, laneLabel{c.y + 16, title})
	c.y += 24
}

// lane begins a lane of that name at c.y, and moves c.y to where the next one begins.
func (c *storyChart) lane(name string) {
	if c.Narrow {
		c.Lanes = append(c.Lanes, laneLabel{c.y + 11, words.Visible(name, maxFullName)})
		c.y += storyName + storyLane
		return
	}
	c.Lanes = append(c.Lanes, laneLabel{c.y + 17, words.Visible(name, words.MaxLabel)})
	c.y += storyLane
}

// logged adds a lane for the writes in audit logs, one for Kubernetes events, and one for each log of a process, maxBlocks of these
// at most. It adds none for what was not logged.
func (c *storyChart) logged(v *reports.Investigation, x *reports.LockStory) {
	c.head("what was logged")
	c.requests(v, x)
	c.notices(v, x)
	var logs []int
	for i := range x.Evidence.Sayings {
		if s := x.Evidence.Sayings[i].Source; !slices.Contains(logs, s) && len(logs) < maxBlocks {
			logs = append(logs, s)
		}
	}
	slices.Sort(logs)
	for _, log := range logs {
		c.lane(v.Evidence.Sources[log].File)
		for i := range x.Evidence.Sayings {
			if s := &x.Evidence.Sayings[i]; s.Source == log {
				kind := map[evidence.Step]string{evidence.Acquired: "acquired", evidence.Lost: "lost", evidence.Ends: "lost", evidence.Failed: "failed"}[s.Step]
				c.mark(v, cmp.Or(kind, "said"), "", s.At.Add(offsetOf(x, log)), s.Place, words.Visible(investigate.WithoutSecrets(s.Text), words.MaxName))
			}
		}
	}
}

// requests adds the lane of the writes in audit logs; none if there are no requests.
func (c *storyChart) requests(v *reports.Investigation, x *reports.LockStory) {
	if len(x.Evidence.Requests) == 0 {
		return
	}
	c.lane("writes")
	for i := range x.Evidence.Requests {
		q := &x.Evidence.Requests[i]
		if q.Verb == "get" || q.Verb == "list" || q.Verb == "watch" {
			continue
		}
		kind, color := "write", ""
		if q.Status != 200 && q.Status != 201 {
			kind = "refused"
		} else if q.Wrote != nil {
			color = c.color(q.Wrote.Holder)
		}
		c.mark(v, kind, color, q.Received, q.Place, fmt.Sprintf("%s by %s, answered with %d", words.Visible(q.Verb, words.MaxLabel), wroteBy(q), q.Status))
	}
}

// wroteBy returns the holder that a write names; if it names none, the user who sent it. The text is safe to show; a long one has
// lost its middle (see words.Visible).
func wroteBy(q *evidence.Request) string {
	if q.Wrote != nil && q.Wrote.Holder != "" {
		return reports.HolderName(q.Wrote.Holder)
	}
	return words.Visible(q.User, 2*words.MaxLabel)
}

// notices adds the lane of Kubernetes events; none if there are no events.
func (c *storyChart) notices(v *reports.Investigation, x *reports.LockStory) {
	if len(x.Evidence.Notices) == 0 {
		return
	}
	c.lane("events")
	for i := range x.Evidence.Notices {
		n := &x.Evidence.Notices[i]
		kind, what := "lost", "stopped leading"
		if n.Leads {
			kind, what = "acquired", "became leader"
		}
		c.mark(v, kind, "", n.At, n.Place, reports.HolderName(n.Identity)+" "+what)
	}
}

// implied adds a lane for each holder, with spans in which it certainly worked over those in which it possibly did. It leaves out
// holders after the first maxBlocks, and those of whom neither is known.
func (c *storyChart) implied(x *reports.LockStory) {
	c.head("what that implies")
	for _, holder := range c.colors[:min(len(c.colors), maxBlocks)] {
		certain, possible := c.spansOf(x, holder)
		if len(certain)+len(possible) == 0 {
			continue
		}
		c.lane(reports.HolderName(holder))
		for _, s := range append(possible, certain...) {
			s.Y, s.H, s.Color = c.y-storyLane+4, storyLane-8, c.color(holder)
			c.Spans = append(c.Spans, s)
		}
	}
}

// spansOf returns the spans of a holder's terms that reach into the chart: in certain, when it certainly worked, and in possible,
// when it possibly did. A term of which that is not known has no span in certain. Spans in possible do not overlap, and one whose
// end is not known is Open.
func (c *storyChart) spansOf(x *reports.LockStory, holder string) (certain, possible []storySpan) {
	until := time.Time{}
	for i := range x.Terms {
		t := &x.Terms[i]
		if t.Holder != holder {
			continue
		}
		w := &t.Worked
		from, end, open := w.Start.Low, w.End.High, w.End.High.IsZero()
		if from.IsZero() {
			from = c.from
		}
		if open {
			end = c.until
		}
		if from.Before(until) {
			from = until
		}
		if from.Before(end) && end.After(c.from) && from.Before(c.until) {
			until = end
			title := fmt.Sprintf("%s possibly worked from %s", reports.HolderName(holder), boundText(w.Start.Low))
			possible = append(possible, storySpan{Kind: "possible", X: c.x(from), W: c.width(from, end), Title: title + " until " + boundText(w.End.High), Open: open})
		}
		a, b := w.Start.High, w.End.Low
		if !a.IsZero() && a.Before(b) && b.After(c.from) && a.Before(c.until) {
			certain = append(certain, storySpan{Kind: "certain", X: c.x(a), W: c.width(a, b), Title: fmt.Sprintf("%s certainly worked from %s until %s", words.Visible(holder, 2*words.MaxLabel), reports.ClockTime(a), reports.ClockTime(b))})
		}
	}
	return certain, possible
}

// width returns how wide the time between two instants is drawn: at least one pixel.
func (c *storyChart) width(from, until time.Time) px {
	return max(tenth(float64(c.x(until)-c.x(from))), 1)
}

// boundText formats an instant; the zero value means that the instant is not known.
func boundText(at time.Time) string {
	if at.IsZero() {
		return "an instant that is not known"
	}
	return reports.ClockTime(at)
}

// together adds a band across all lanes for each time in which two certainly worked at once. It leaves out a time of which the
// start or the end is not known, and one outside of the chart.
func (c *storyChart) together(x *reports.LockStory) {
	for _, p := range x.Together() {
		a, b := x.Terms[p.New].Worked.Start.High, x.Terms[p.Old].Worked.End.Low
		if end := x.Terms[p.New].Worked.End.Low; end.Before(b) {
			b = end
		}
		if a.IsZero() || b.IsZero() || b.Before(c.from) || a.After(c.until) {
			continue
		}
		label, when := "certain", "at some instant, perhaps at "+reports.ClockTime(a)
		if a.Before(b) {
			label += ", " + words.Duration(b.Sub(a))
			when = fmt.Sprintf("from %s until %s", reports.ClockTime(a), reports.ClockTime(b))
		} else {
			b = a
		}
		c.Bands = append(c.Bands, storySpan{Kind: "together", Label: label, X: c.x(a), W: c.width(a, b), Y: storyAxis, H: c.y - storyAxis,
			Title: fmt.Sprintf("%s and %s certainly worked at once %s", x.Holder(p.Old), x.Holder(p.New), when)})
	}
}
