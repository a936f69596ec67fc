package page

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/search"
	"interregnum/plan"
	"interregnum/reports/internal/words"
)

// frontier is a map of which timings are safe: a row for each lease, a column for each round trip.
type frontier struct {
	// Release says whether the map is with or without ReleaseOnCancel.
	Release string
	// Ratio is that of lease, deadline and period in all rows.
	Ratio  string
	Trips  []frontierHead
	Leases []frontierRow
}

// frontierHead is the name of a row or column. Own tells that the campaign has that lease or round trip.
type frontierHead struct {
	Text string
	Own  bool
}

// frontierRow is the row of one lease, with a cell for each round trip.
type frontierRow struct {
	frontierHead
	Timings string
	Cells   []frontierCell
}

// frontierCell is the margin of one configuration; Class is its colour.
type frontierCell struct {
	Text, Class, Title string
	Own                bool
}

// The leases and round trips of the map, besides those of the campaign.
var (
	mapLeases = []time.Duration{5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute,
		2 * time.Minute, 4 * time.Minute}
	mapTrips = []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond,
		time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second}
)

// usualTimings give the ratio for a campaign in which each run has its own timings.
var usualTimings = machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
	RetryPeriod: 2 * time.Second}

// newFrontiers returns the maps of safe timings without and with ReleaseOnCancel, or a single one if they are the same. It
// returns nil if no bound is known, or if the numbers are too large to compute.
func newFrontiers(t *search.Target) []*frontier {
	without, with := newFrontier(t, false), newFrontier(t, true)
	if without == nil {
		return nil
	}
	if reflect.DeepEqual(without.Leases, with.Leases) {
		without.Release = "with or without ReleaseOnCancel"
		return []*frontier{without}
	}
	without.Release, with.Release = "without ReleaseOnCancel", "with ReleaseOnCancel"
	return []*frontier{without, with}
}

// newFrontier returns the map of safe timings, with ReleaseOnCancel if release is true, otherwise without. It returns nil if no
// bound is known, or if the numbers are too large to compute.
func newFrontier(t *search.Target, release bool) *frontier {
	base, l := t.Timings, &t.Limits
	if base == (machine.Timings{}) {
		base = usualTimings
	}
	setDatabase := t.Now == plan.DatabaseNow && l.MaxClockOffset > 0
	if !t.Profile.CarriesContext() || setDatabase ||
		max(base.LeaseDuration, l.MaxRoundTrip, l.MaxPause, l.MaxDrain) > bound.MaxDuration {
		return nil
	}
	f := &frontier{Ratio: fmt.Sprintf("%v : %v : %v", base.LeaseDuration, base.RenewDeadline, base.RetryPeriod)}
	trips := withOwn(mapTrips, l.MaxRoundTrip)
	for _, trip := range trips {
		f.Trips = append(f.Trips, frontierHead{words.Duration(trip), trip == l.MaxRoundTrip})
	}
	for _, lease := range withOwn(mapLeases, t.Timings.LeaseDuration) {
		timings := scaled(base, lease)
		row := frontierRow{frontierHead: frontierHead{words.Duration(lease), lease == t.Timings.LeaseDuration},
			Timings: fmt.Sprintf("%v, %v", timings.RenewDeadline, timings.RetryPeriod)}
		for i, trip := range trips {
			cell := newFrontierCell(t, timings, trip, release)
			cell.Own = row.Own && f.Trips[i].Own
			row.Cells = append(row.Cells, cell)
		}
		f.Leases = append(f.Leases, row)
	}
	return f
}

// withOwn returns a sorted list with own added to it, unless own is 0 or in the list already.
func withOwn(all []time.Duration, own time.Duration) []time.Duration {
	all = slices.Clone(all)
	if own > 0 && !slices.Contains(all, own) {
		all = append(all, own)
		slices.SortFunc(all, cmp.Compare)
	}
	return all
}

// scaled returns the timings with another LeaseDuration, and with RenewDeadline and RetryPeriod in proportion to it, to the
// millisecond. For the same LeaseDuration it returns them as they are.
func scaled(base machine.Timings, lease time.Duration) machine.Timings {
	if lease == base.LeaseDuration {
		return base
	}
	part := func(d time.Duration) time.Duration {
		return time.Duration(float64(d) / float64(base.LeaseDuration) * float64(lease)).Round(time.Millisecond)
	}
	return machine.Timings{LeaseDuration: lease, RenewDeadline: part(base.RenewDeadline), RetryPeriod: part(base.RetryPeriod)}
}

// newFrontierCell returns the cell of the target with these timings if a round trip takes at most trip: its margin, or why there
// is none.
func newFrontierCell(t *search.Target, timings machine.Timings, trip time.Duration, release bool) frontierCell {
	l := &t.Limits
	e := &bound.Environment{MaxRoundTrip: trip, MaxDriftPPM: l.MaxDriftPPM, MaxPause: l.MaxPause, Drain: l.MaxDrain,
		MaxClockOffset: l.MaxClockOffset}
	c := t.Config(timings, t.Profile)
	c.ReleaseOnCancel = release
	if err := bound.Refused(c); err != nil {
		return frontierCell{Text: "refused", Class: "none", Title: err.Error()}
	}
	r, err := bound.Of(c, e)
	if err != nil {
		return frontierCell{Text: "no bound", Class: "none", Title: err.Error()}
	}
	return marginCell(r, timings.LeaseDuration)
}

// marginCell returns the cell of a result: its margin, negative if two leaders can work at once, and the colour of that
// margin for a lease of that duration.
func marginCell(r *bound.Result, lease time.Duration) frontierCell {
	margin := -r.Overlap
	c := frontierCell{Text: marginText(margin), Class: marginClass(margin, lease),
		Title: fmt.Sprintf("safe, with %v to spare", margin)}
	if !r.Safe() {
		c.Title = fmt.Sprintf("two leaders at once for up to %v", r.Overlap)
	}
	switch {
	case r.Plan.Endless.InOnePlan():
		c.Text, c.Class, c.Title = "−∞", "u3", "two leaders at once, for any time"
	case r.Unbounded:
		c.Text, c.Title = "≤ "+c.Text, c.Title+", and longer, without bound"
	case r.AtLeast:
		c.Text, c.Title = "≤ "+c.Text, c.Title+", or longer"
	}
	return c
}

// marginText formats a margin in few characters, always with its sign.
func marginText(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "−", -d
	}
	switch {
	case d < time.Second:
		return fmt.Sprintf("%s%dms", sign, d.Milliseconds())
	case d < 100*time.Second:
		return sign + words.Decimal(d.Round(100*time.Millisecond), time.Second, "s")
	}
	return sign + words.Decimal(d.Round(time.Second), time.Second, "s")
}

// marginClass returns the CSS class of a margin, such as "u1": s for safe or u for unsafe, then 1 if the margin or the overlap is
// below a tenth of the lease, 2 if it is below a quarter, else 3.
func marginClass(margin, lease time.Duration) string {
	kind := "s"
	if margin < 0 {
		kind, margin = "u", -margin
	}
	switch {
	case margin < lease/10:
		return kind + "1"
	case margin < lease/4:
		return kind + "2"
	}
	return kind + "3"
}
