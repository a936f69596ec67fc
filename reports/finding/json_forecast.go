package finding

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
)

// forecastJSON is a report of forecasts. Its form is stable: fields may be added, never changed.
type forecastJSON struct {
	Targets     []forecastTargetJSON `json:"targets"`
	Behaviour   behaviourJSON        `json:"behaviour"`
	Environment environmentJSON      `json:"environment"`
	Replicas    int                  `json:"replicas"`
	Restart     string               `json:"restart"`
	Seed        uint64               `json:"seed"`
	Precision   float64              `json:"precisionPercent"`
	MaxWindows  int                  `json:"maxWindows"`
	unjudgedJSON
}

// behaviourJSON is what is usual, in words.
type behaviourJSON struct {
	Source string         `json:"source"`
	Usual  []usualRowJSON `json:"usual"`
}

// usualRowJSON is one thing that is usual, in words.
type usualRowJSON struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// forecastTargetJSON is the forecast of one target.
type forecastTargetJSON struct {
	Name      string          `json:"name"`
	Verdict   outlook.Verdict `json:"verdict,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	File      string          `json:"file"`
	Line      int             `json:"line,omitempty"`
	Component string          `json:"component,omitempty"`
	Profile   string          `json:"profile"`
	Lock      string          `json:"lock,omitempty"`
	settingsJSON
	Timeout         string             `json:"requestTimeoutIs,omitempty"`
	ReleaseOnCancel bool               `json:"releaseOnCancel"`
	Drain           time.Duration      `json:"drainNs"`
	Replicas        int                `json:"replicas,omitempty"` // if the file says it, and no flag
	Assumes         string             `json:"assumes"`
	*figuresJSON                       // nil for a target that is refused
	Against         *differenceJSON    `json:"againstFirst,omitempty"`
	Worse           *worseJSON         `json:"worse,omitempty"`
	Thresholds      []outlook.Check    `json:"thresholds,omitempty"`
	Gate            gateOfForecastJSON `json:"gate"`
}

// figuresJSON are the figures of a forecast.
type figuresJSON struct {
	lossesJSON
	Availability *estimateJSON `json:"availabilityPercent"`
	Restarts     *estimateJSON `json:"restartsPerMonth"`
	Requests     *estimateJSON `json:"requestsPerDay"`
	Probability  *estimateJSON `json:"overlapProbabilityPerYearPercent"`
	Overlap      *estimateJSON `json:"overlapSeconds,omitempty"`
	Causes       []causeJSON   `json:"causes"`
	Windows      int           `json:"windows"`
	Precise      bool          `json:"precise"`
	CutOff       time.Duration `json:"gapsFollowedNs,omitempty"` // a gap was followed for so long and may be longer
	Cut          bool          `json:"timeOver,omitempty"`
	SeldomLed    bool          `json:"seldomLed,omitempty"` // somebody leads for less than a tenth of the time: the figures are rough
}

// differenceJSON is how much more a target has than the first one; values may be below 0.
type differenceJSON struct {
	Losses     *estimateJSON `json:"lossesPerMonth"`
	Leaderless *estimateJSON `json:"leaderlessSecondsPerMonth"`
	Requests   *estimateJSON `json:"requestsPerDay"`
}

// worseJSON says that another target is as good in everything, and better in something.
type worseJSON struct {
	Than    string `json:"than"`
	Certain bool   `json:"certain"`
}

// causeJSON says what comes of one cause, such as outages.
type causeJSON struct {
	Name string `json:"name"`
	lossesJSON
}

// lossesJSON says how often leadership is lost, and for how long nobody leads then.
type lossesJSON struct {
	Losses     *estimateJSON `json:"lossesPerMonth"`
	Leaderless *estimateJSON `json:"leaderlessSecondsPerMonth"`
	GapP50     *estimateJSON `json:"gapSecondsP50,omitempty"`
	GapP99     *estimateJSON `json:"gapSecondsP99,omitempty"`
	WorstGap   time.Duration `json:"longestGapSeenNs"`
	Gaps       int           `json:"gapsSeen"`
}

// estimateJSON is an estimate with its 95 % interval. High is left out if nothing bounds it.
type estimateJSON struct {
	Value float64  `json:"value"`
	Low   float64  `json:"low"`
	High  *float64 `json:"high,omitempty"`
}

// gateOfForecastJSON is what the gate says of a target. All but the verdict is left out for a refused target.
type gateOfForecastJSON struct {
	Verdict      gate.Verdict   `json:"verdict"`
	Margin       *time.Duration `json:"marginNs,omitempty"`
	WorstOverlap *time.Duration `json:"worstOverlapNs,omitempty"`
	Unbounded    bool           `json:"unbounded,omitempty"`
}

// ForecastJSON writes the report as one line of JSON.
func ForecastJSON(w io.Writer, r *outlook.Report) error {
	return json.NewEncoder(w).Encode(&forecastJSON{
		Targets:     listOf(r.Targets, func(t **outlook.Target) forecastTargetJSON { return forecastToJSON(*t) }),
		Behaviour:   behaviourToJSON(r.Site),
		Environment: environmentToJSON(&r.Gate.Environment), Replicas: r.Site.Replicas, Restart: r.Site.RestartText,
		Seed: r.Options.Seed, Precision: shortened(100 * r.Options.Precision), MaxWindows: r.Options.MaxWindows,
		unjudgedJSON: unjudgedOf(r.Gate),
	})
}

// forecastToJSON returns the JSON form of the forecast of one target.
func forecastToJSON(t *outlook.Target) forecastTargetJSON {
	c := &t.Question.Candidate
	out := forecastTargetJSON{
		Name: t.Position.Name(), Verdict: t.Verdict, Reason: t.Reason, File: t.File, Line: t.Line, Component: t.Component,
		Profile: c.Profile.Name, Lock: lockName(c.Lock), settingsJSON: settingsOf(c.Timings, c.RequestTimeout), Timeout: string(t.Timeout.Kind),
		ReleaseOnCancel: c.ReleaseOnCancel, Drain: c.Drain, Assumes: t.Assumes(), Gate: gateOfForecastJSON{Verdict: t.Judgement.Verdict},
		Thresholds: t.Checks,
	}
	if t.FromFile() {
		out.Replicas = t.Question.Replicas
	}
	if t.Result != nil {
		margin, overlap := t.Margin(), max(0, t.Result.Overlap)
		out.Gate.Margin, out.Gate.WorstOverlap, out.Gate.Unbounded = &margin, &overlap, t.Result.Unbounded
	}
	if t.Forecast != nil {
		out.figuresJSON = figuresOf(t.Forecast)
		out.Cut, out.CutOff, out.SeldomLed = t.Cut, t.Forecast.CutOff, t.Forecast.SeldomLed()
	}
	if t.Worse != nil {
		out.Worse = &worseJSON{t.Worse.Than.Position.Name(), t.Worse.Certain}
	}
	if t.Against != nil {
		out.Against = differenceToJSON(*t.Against)
	}
	return out
}

// differenceToJSON returns the JSON form of a difference.
func differenceToJSON(d forecast.Difference) *differenceJSON {
	all := outlook.Differences(&d)
	return &differenceJSON{estimateOf(all[0].Estimate), estimateOf(all[1].Estimate), estimateOf(all[2].Estimate)}
}

// figuresOf returns the JSON form of the figures of a forecast. A figure of which nothing was seen is nil. It leaves CutOff, Cut
// and SeldomLed to the caller.
func figuresOf(f *forecast.Forecast) *figuresJSON {
	byKey := map[string]*estimateJSON{}
	for _, one := range outlook.Figures(f) {
		if !one.Unseen {
			byKey[one.Key] = estimateOf(one.Estimate)
		}
	}
	return &figuresJSON{
		lossesJSON: lossesOf(f.Losses, f.Leaderless, &f.Gaps), Availability: byKey["availabilityPercent"],
		Restarts: byKey["restartsPerMonth"], Requests: byKey["requestsPerDay"],
		Probability: byKey["overlapProbabilityPerYearPercent"], Overlap: byKey["overlapSeconds"],
		Causes: listOf(f.Causes, causeOf), Windows: f.Windows, Precise: f.Precise,
	}
}

// causeOf returns the JSON form of what comes of one cause.
func causeOf(c *forecast.Cause) causeJSON {
	return causeJSON{c.Name, lossesOf(c.Losses, c.Leaderless, &c.Gaps)}
}

// lossesOf returns the JSON form of losses of leadership and of the gaps that follow. losses are events a second, and leaderless
// is a share of all time. The percentiles of gaps are nil if no gap was seen.
func lossesOf(losses, leaderless forecast.Estimate, gaps *forecast.Gaps) lossesJSON {
	out := lossesJSON{
		Losses: estimateOf(outlook.Losses(losses).Estimate), Leaderless: estimateOf(outlook.Leaderless(leaderless).Estimate),
		WorstGap: gaps.Worst, Gaps: gaps.Seen,
	}
	if gaps.Seen > 0 {
		out.GapP50, out.GapP99 = estimateOf(gaps.P50), estimateOf(gaps.P99)
	}
	return out
}

// estimateOf returns the JSON form of an estimate, each number shortened. High is nil if the estimate has no upper bound.
func estimateOf(e forecast.Estimate) *estimateJSON {
	out := &estimateJSON{Value: shortened(e.Value), Low: shortened(e.Low)}
	if !math.IsInf(e.High, 1) {
		high := shortened(e.High)
		out.High = &high
	}
	return out
}

// shortened rounds a number to six significant digits, since machines differ in the last ones. A number between 50 and 100 may be a
// percentage: it gets more digits, so that its distance from 100 has six.
func shortened(x float64) float64 {
	if rest := 100 - x; x > 50 && rest > 0 && rest < 50 {
		s := strconv.FormatFloat(rest, 'e', 5, 64)
		exponent, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:]) // strconv wrote it
		short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', min(5-exponent, 15), 64), 64)
		return short
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 5, 64), 64) // what was just formatted
	return short
}
