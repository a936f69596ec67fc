package page

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
)

// The measures of the chart of an investigation, in pixels.
const (
	storyWidth  = 1000
	storyGutter = 190
	storyAxis   = 24
	storyLane   = 26
)

// storyChart shows what was logged in a time, and below it what that implies.
type storyChart struct {
	Title         string
	About         string
	Width, Height int
	LaneX         int
	Ticks         []tick
	Heads         []laneLabel
	Lanes         []laneLabel
	Marks         []storyMark
	Spans         []storySpan
	Bands         []storySpan
	// Thinned tells that marks were left out which would have been drawn over others.
	Thinned bool

	from, until time.Time
	colors      []string
}

// storyMark is something that was logged.
type storyMark struct {
	// Kind is write, refused, acquired, lost, failed or said; each has a form of its own.
	Kind  string
	Color string
	X     px
	Y     int
	Title string
}

// storySpan is a time, from X on.
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

// newStoryChart draws what is of a time.
func newStoryChart(v *reports.Investigation, x *reports.LockStory, title string, from, until time.Time) *storyChart {
	margin := max(until.Sub(from)/50, 500*time.Millisecond)
	c := &storyChart{Title: title, Width: storyWidth, LaneX: storyGutter - 10, from: from.Add(-margin), until: until.Add(margin)}
	c.About = fmt.Sprintf("%s: what was logged from %s to %s, and what that implies", title, reports.ClockTime(from), reports.ClockTime(until))
	for i := range x.Terms {
		if h := x.Terms[i].Holder; !slices.Contains(c.colors, h) {
			c.colors = append(c.colors, h)
		}
	}
	c.ticks()
	y := storyAxis
	y = c.logged(v, x, y)
	y = c.implied(x, y)
	c.together(x, y)
	c.Height = y + 4
	return c
}

// x is where an instant is drawn.
func (c *storyChart) x(at time.Time) px {
	if at.Before(c.from) {
		at = c.from
	}
	if at.After(c.until) {
		at = c.until
	}
	share := float64(at.Sub(c.from)) / float64(c.until.Sub(c.from))
	return tenth(storyGutter + float64(share*(storyWidth-storyGutter-10)))
}

// shown tells whether an instant is in the chart.
func (c *storyChart) shown(at time.Time) bool { return !at.Before(c.from) && !at.After(c.until) }

// ticks adds the axis: round times of the day.
func (c *storyChart) ticks() {
	length := int64(c.until.Sub(c.from))
	step := axis.Step(time.Millisecond, length, 8)
	layout := "15:04:05"
	if step < time.Second {
		layout = "15:04:05.000"
	} else if step >= 6*time.Hour {
		layout = "Jan 2 15:04"
	}
	day := c.from.UTC().Truncate(24 * time.Hour)
	first := day.Add(c.from.Sub(day).Truncate(step))
	for at := first; !at.After(c.until); at = at.Add(step) {
		if c.shown(at) && c.x(at) < storyWidth-35 {
			c.Ticks = append(c.Ticks, tick{c.x(at), at.Format(layout)})
		}
	}
}

// color is the colour of a holder.
func (c *storyChart) color(holder string) string {
	const different = 8
	if i := slices.Index(c.colors, holder); i >= 0 {
		return fmt.Sprintf("c%d", i%different)
	}
	return ""
}

// mark adds a mark to a lane, unless one of its kind is at the same place.
func (c *storyChart) mark(seen map[storyMark]bool, m storyMark) {
	key := storyMark{Kind: m.Kind, Color: m.Color, X: m.X, Y: m.Y}
	if seen[key] {
		c.Thinned = true
		return
	}
	seen[key] = true
	c.Marks = append(c.Marks, m)
}

// logged adds a lane for the audit log, one for events if there are, and one for each log of a process.
func (c *storyChart) logged(v *reports.Investigation, x *reports.LockStory, y int) int {
	c.Heads = append(c.Heads, laneLabel{y + 16, "what was logged"})
	y += 24
	seen := map[storyMark]bool{}
	y = c.requests(v, x, y, seen)
	y = c.notices(v, x, y, seen)
	var logs []int
	for i := range x.Evidence.Sayings {
		if s := x.Evidence.Sayings[i].Source; !slices.Contains(logs, s) && len(logs) < maxBlocks {
			logs = append(logs, s)
		}
	}
	slices.Sort(logs)
	for _, log := range logs {
		c.lane(v.Evidence.Sources[log].File, y)
		for i := range x.Evidence.Sayings {
			s := &x.Evidence.Sayings[i]
			if at := s.At.Add(offsetOf(x, log)); s.Source == log && c.shown(at) {
				kind := map[evidence.Step]string{evidence.Acquired: "acquired", evidence.Lost: "lost", evidence.Ends: "lost", evidence.Failed: "failed"}[s.Step]
				if kind == "" {
					kind = "said"
				}
				c.mark(seen, storyMark{kind, "", c.x(at), y + 13, fmt.Sprintf("%s, %s: %s", reports.ClockTime(at), v.At(s.Place), words.Visible(s.Text, words.MaxName))})
			}
		}
		y += storyLane
	}
	return y
}

// requests adds the lane of the writes in audit logs.
func (c *storyChart) requests(v *reports.Investigation, x *reports.LockStory, y int, seen map[storyMark]bool) int {
	if len(x.Evidence.Requests) == 0 {
		return y
	}
	c.lane("writes", y)
	for i := range x.Evidence.Requests {
		q := &x.Evidence.Requests[i]
		if q.Verb == "get" || q.Verb == "list" || q.Verb == "watch" || !c.shown(q.Received) {
			continue
		}
		m := storyMark{"write", "", c.x(q.Received), y + 13, fmt.Sprintf("%s, %s: %s by %s, answered with %d", reports.ClockTime(q.Received), v.At(q.Place), words.Visible(q.Verb, words.MaxLabel), wroteBy(q), q.Status)}
		if q.Status != 200 && q.Status != 201 {
			m.Kind = "refused"
		} else if q.Wrote != nil {
			m.Color = c.color(q.Wrote.Holder)
		}
		c.mark(seen, m)
	}
	return y + storyLane
}

// wroteBy is the holder that a write names, else who asked.
func wroteBy(q *evidence.Request) string {
	if q.Wrote != nil && q.Wrote.Holder != "" {
		return words.Visible(q.Wrote.Holder, 2*words.MaxLabel)
	}
	return words.Visible(q.User, 2*words.MaxLabel)
}

// notices adds the lane of Kubernetes events.
func (c *storyChart) notices(v *reports.Investigation, x *reports.LockStory, y int, seen map[storyMark]bool) int {
	if len(x.Evidence.Notices) == 0 {
		return y
	}
	c.lane("events", y)
	for i := range x.Evidence.Notices {
		n := &x.Evidence.Notices[i]
		kind, what := "lost", "stopped leading"
		if n.Leads {
			kind, what = "acquired", "became leader"
		}
		if c.shown(n.At) {
			c.mark(seen, storyMark{kind, "", c.x(n.At), y + 13, fmt.Sprintf("%s, %s: %s %s", reports.ClockTime(n.At), v.At(n.Place), words.Visible(n.Identity, 2*words.MaxLabel), what)})
		}
	}
	return y + storyLane
}

func (c *storyChart) lane(name string, y int) {
	c.Lanes = append(c.Lanes, laneLabel{y + 17, words.Visible(name, words.MaxLabel)})
}

// implied adds a lane for each holder, with when it certainly and possibly worked.
func (c *storyChart) implied(x *reports.LockStory, y int) int {
	c.Heads = append(c.Heads, laneLabel{y + 16, "what that implies"})
	y += 24
	for _, holder := range c.colors[:min(len(c.colors), maxBlocks)] {
		certain, possible := c.spansOf(x, holder)
		if len(certain)+len(possible) == 0 {
			continue
		}
		c.lane(holder, y)
		for _, s := range append(possible, certain...) {
			s.Y = y + 4
			s.H = storyLane - 8
			s.Color = c.color(holder)
			c.Spans = append(c.Spans, s)
		}
		y += storyLane
	}
	return y
}

// spansOf returns when a holder certainly worked, and when it possibly did: one span for each stretch.
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
			title := fmt.Sprintf("%s possibly worked from %s", words.Visible(holder, 2*words.MaxLabel), boundText(w.Start.Low))
			possible = append(possible, storySpan{Kind: "possible", X: c.x(from), W: c.width(from, end), Title: title + " until " + boundText(w.End.High), Open: open})
		}
		a, b := w.Start.High, w.End.Low
		if !a.IsZero() && a.Before(b) && b.After(c.from) && a.Before(c.until) {
			certain = append(certain, storySpan{Kind: "certain", X: c.x(a), W: c.width(a, b), Title: fmt.Sprintf("%s certainly worked from %s until %s", words.Visible(holder, 2*words.MaxLabel), reports.ClockTime(a), reports.ClockTime(b))})
		}
	}
	return certain, possible
}

func (c *storyChart) width(from, until time.Time) px {
	return max(tenth(float64(c.x(until)-c.x(from))), 1)
}

func boundText(at time.Time) string {
	if at.IsZero() {
		return "an instant that is not known"
	}
	return reports.ClockTime(at)
}

// together adds a band for each time in which two certainly worked at once.
func (c *storyChart) together(x *reports.LockStory, bottom int) {
	for i := range x.Pairs {
		p := &x.Pairs[i]
		a, b := x.Terms[p.New].Worked.Start.High, x.Terms[p.Old].Worked.End.Low
		if end := x.Terms[p.New].Worked.End.Low; end.Before(b) {
			b = end
		}
		if p.Worked.Verdict != investigate.Certain || a.IsZero() || b.IsZero() || b.Before(c.from) || a.After(c.until) {
			continue
		}
		label := "certain"
		if a.Before(b) {
			label += ", " + words.Duration(b.Sub(a))
		} else {
			b = a
		}
		c.Bands = append(c.Bands, storySpan{Kind: "together", Label: label, X: c.x(a), W: c.width(a, b), Y: storyAxis, H: bottom - storyAxis,
			Title: fmt.Sprintf("%s and %s certainly worked at once from %s until %s", x.Holder(p.Old), x.Holder(p.New), reports.ClockTime(a), reports.ClockTime(b))})
	}
}
