package page

import (
	"io"

	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/reports/internal/words"
	"interregnum/reports/text"
)

// forecastView is the data of the template of forecasts.
type forecastView struct {
	assets
	Title       string
	Compared    [][]string
	Cloud       *cloud
	Targets     []forecastTarget
	Problems    []string
	From        string
	Behaviour   [][2]string
	Environment []fact
}

// forecastTarget is one target with its figures.
type forecastTarget struct {
	Name, Headline, Verdict string
	Notes                   []string
	Figures                 [][3]string
	Causes                  []forecastCause
	Gaps                    *gapCurves
}

// forecastCause says how often leadership is lost by one cause: as text, and as a bar. W is the bar's length, and Low and High
// are where its interval ends.
type forecastCause struct {
	Name, Losses, Leaderless string
	W, Low, High             px
}

// Forecast writes the page of forecasts, as one file that needs nothing else.
func Forecast(w io.Writer, r *outlook.Report) error {
	v := &forecastView{assets: forecastDocument().assets, Title: text.ForecastCount(r), Compared: text.Comparison(r), From: words.Visible(r.Site.From, words.MaxName)}
	if len(r.Targets) == 1 {
		v.Title = text.ForecastHeadline(r.Targets[0])
	}
	if v.Compared != nil {
		v.Cloud = newCloud(r.Points())
	}
	for _, t := range r.Targets {
		v.Targets = append(v.Targets, newForecastTarget(t, r.Options))
	}
	for _, p := range r.Gate.Problems {
		v.Problems = append(v.Problems, words.Visible(p.Error(), words.MaxText))
	}
	v.Behaviour = text.BehaviourRows(r.Site.Behaviour)
	for _, n := range r.Gate.Environment.Numbers() {
		v.Environment = append(v.Environment, fact{n.Flag, n.Value})
	}
	return forecastDocument().Execute(w, v)
}

// newForecastTarget returns what the page shows of a target; without figures, causes and gaps if it has no forecast.
func newForecastTarget(t *outlook.Target, o *forecast.Options) forecastTarget {
	v := forecastTarget{
		Name: words.Visible(t.Position.Name(), words.MaxName), Headline: text.ForecastHeadline(t), Verdict: string(t.Verdict),
		Notes: text.ForecastNotes(t, o),
	}
	if t.Forecast == nil {
		return v
	}
	for _, f := range outlook.Figures(t.Forecast) {
		value, interval := words.Figure(&f)
		v.Figures = append(v.Figures, [3]string{f.Name, value, interval})
	}
	v.Causes = forecastCauses(t.Forecast)
	v.Gaps = newGapCurves(t.Forecast)
	return v
}

// causeWidth is the width of the bars of causes in pixels.
const causeWidth = 160

// forecastCauses returns the causes, each with a bar for its losses. The highest end of an interval is causeWidth away from 0.
func forecastCauses(f *forecast.Forecast) (all []forecastCause) {
	most := 0.0
	for i := range f.Causes {
		most = max(most, f.Causes[i].Losses.High)
	}
	for i := range f.Causes {
		c := &f.Causes[i]
		losses, leaderless := outlook.Losses(c.Losses), outlook.Leaderless(c.Leaderless)
		one := forecastCause{Name: c.Name, Losses: text.InOne(&losses), Leaderless: text.InOne(&leaderless)}
		if most > 0 {
			at := func(x float64) px { return tenth(causeWidth * x / most) }
			one.W, one.Low, one.High = at(c.Losses.Value), at(c.Losses.Low), at(c.Losses.High)
		}
		all = append(all, one)
	}
	return all
}

var forecastDocument = newDocument(false, "campaign.css", "forecast.gohtml")
