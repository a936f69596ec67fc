package text

import (
	"fmt"
	"io"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// Forecast writes forecasts: each target with its figures, its thresholds and what the gate says of it, then how the targets
// differ, if they were compared, the notes, the count of forecasts unless there is one target, the behaviour and the gate's
// environment. Lines have at most width columns; a width below 40 counts as 40.
func Forecast(w io.Writer, r *outlook.Report, width int) error {
	s := newSheet(width)
	for _, t := range r.Targets {
		s.line(t.Position.String() + ": " + ForecastHeadline(t))
		s.forecast(t, r.Options)
		s.blank()
	}
	s.comparison(r)
	s.endForecasts(r)
	return s.write(w)
}

// ForecastBrief writes the same report as Forecast, but only one line for each target.
func ForecastBrief(w io.Writer, r *outlook.Report, width int) error {
	s := newSheet(width)
	for _, t := range r.Targets {
		s.line(t.Position.String() + ": " + ForecastHeadline(t) + ": " + timings(&t.Timings) + "; " + gateWords(t))
	}
	s.blank()
	s.comparison(r)
	s.endForecasts(r)
	return s.write(w)
}

// ForecastBody returns the lines that Forecast writes for a target, without the first one, which is the headline.
func ForecastBody(t *outlook.Target, o *forecast.Options) string {
	return told(func(s *sheet) { s.forecast(t, o) })
}

// ForecastNotes returns the sentences of what ForecastBody returns: all but the tables of figures.
func ForecastNotes(t *outlook.Target, o *forecast.Options) []string {
	s := newSheet(Unlimited)
	s.sentence = Unlimited
	s.settings(t)
	if t.Forecast != nil {
		s.judged(t, o)
	}
	for i := range s.lines {
		s.lines[i] = strings.TrimSpace(s.lines[i])
	}
	return s.lines
}

// ForecastHeadline returns the verdict on a target, if there are thresholds, and its most important figures. For a target without
// a forecast it says that the configuration is refused.
func ForecastHeadline(t *outlook.Target) string {
	var verdict string
	if t.Verdict != "" {
		verdict = strings.ToUpper(string(t.Verdict)) + ": "
	}
	if t.Forecast == nil {
		return verdict + "the library or a real server does not take it"
	}
	losses, leaderless := outlook.Losses(t.Forecast.Losses), outlook.Leaderless(t.Forecast.Leaderless)
	return fmt.Sprintf("%slosses a month: %s; without a leader a month: %s", verdict, InOne(&losses), InOne(&leaderless))
}

// InOne returns the value of a figure and, in brackets, its interval; the value alone if there is no interval.
func InOne(f *outlook.Figure) string {
	value, interval := words.Figure(f)
	if interval == "" {
		return value
	}
	return value + " (" + interval + ")"
}

// timings formats LeaseDuration, RenewDeadline and RetryPeriod in short, such as "15s/10s/2s".
func timings(t *machine.Timings) string {
	return words.Duration(t.LeaseDuration) + "/" + words.Duration(t.RenewDeadline) + "/" + words.Duration(t.RetryPeriod)
}

// forecast adds to s the lines below the first one of a target: its configuration and, if it has a forecast, the table of figures,
// a table of causes if there are several, each threshold's verdict, what the gate says, and how much was simulated.
func (s *sheet) forecast(t *outlook.Target, o *forecast.Options) {
	s.settings(t)
	if t.Forecast == nil {
		return
	}
	s.blank()
	s.table(figures(t.Forecast))
	s.blank()
	if len(t.Forecast.Causes) > 1 {
		s.table(causes(t.Forecast))
		s.blank()
	}
	s.judged(t, o)
}

// settings adds to s the configuration of a target and what is assumed. If the target is refused, it adds the reasons.
func (s *sheet) settings(t *outlook.Target) {
	s.say(settingsWords(t.Judgement))
	s.say("Assumes: " + t.Assumes())
	if t.Forecast == nil {
		for reason := range strings.Lines(t.Reason) {
			s.say(reason)
		}
	}
}

// judged adds to s the verdict on each threshold, what the gate says, and how much was simulated. There must be a forecast.
func (s *sheet) judged(t *outlook.Target, o *forecast.Options) {
	for _, c := range t.Checks {
		s.say(forecastCheck(&c))
	}
	s.say("The gate: " + gateWords(t) + "." + unlikeGate(t))
	s.say(effortWords(t, o))
}

// figures returns the table of the figures of a forecast.
func figures(f *forecast.Forecast) *table {
	t := newTable("  ", "figure", "value", "95 % interval")
	for _, one := range outlook.Figures(f) {
		value, interval := words.Figure(&one)
		t.add(one.Name, value, interval)
	}
	if f.Gaps.Seen > 0 {
		t.add("longest gap seen", words.Duration(f.Gaps.Worst), "of "+words.Count(f.Gaps.Seen)+" simulated")
	}
	return t
}

// causes returns a table with a row for each cause: how many losses and how much time without a leader it brings, and how long its
// gaps are.
func causes(f *forecast.Forecast) *table {
	t := newTable("  ", "by cause", "losses a month", "without a leader a month", "gap p50", "p99", "longest")
	for i := range f.Causes {
		c := &f.Causes[i]
		losses, leaderless := outlook.Losses(c.Losses), outlook.Leaderless(c.Leaderless)
		row := []string{c.Name, valueOf(&losses), valueOf(&leaderless), "", "", ""}
		if c.Gaps.Seen > 0 {
			for k, e := range []forecast.Estimate{c.Gaps.P50, c.Gaps.P99} {
				row[3+k] = valueOf(&outlook.Figure{Unit: outlook.Seconds, Estimate: e})
			}
			row[5] = words.Duration(c.Gaps.Worst)
		}
		t.add(row...)
	}
	return t
}

// valueOf returns the value of a figure, without its interval. If nothing was seen, it returns how much the figure is at most.
func valueOf(f *outlook.Figure) string {
	value, interval := words.Figure(f)
	if strings.HasPrefix(interval, "at most ") {
		return strings.Replace(interval, "at most ", "≤ ", 1)
	}
	return value
}

// forecastCheck returns a sentence with a threshold and its verdict. For an undecided one it adds which flags perhaps decide it.
func forecastCheck(c *outlook.Check) string {
	text := fmt.Sprintf("--%s %s: %s", c.Flag, c.Limit, strings.ToUpper(string(c.Verdict)))
	if c.Verdict == outlook.Undecided {
		text += ": the threshold lies within the interval; a smaller --precision, or more --max-windows, may decide it"
	}
	return text
}

// gateWords returns the gate's verdict on a target as a part of a sentence, with the margin or the longest overlap; "refused" for
// a refused target.
func gateWords(t *outlook.Target) string {
	switch t.Judgement.Verdict {
	case gate.Refused:
		return "refused"
	case gate.Safe:
		return "no two leaders work at once in its environment, with a margin of " + words.Duration(t.Margin())
	}
	return GateVerdict(t.Judgement) + ", at worst in its environment"
}

// unlikeGate returns a sentence for each thing that the behaviour has and the gate's environment leaves out: slower answers, and
// pauses. Each begins with a space. It returns "" if nothing is left out.
func unlikeGate(t *outlook.Target) (text string) {
	b, limit := t.Question.Behaviour, t.Environment.MaxRoundTrip
	pauses, slow := false, b.RoundTrip.Above(limit) > negligible
	for i := range b.Episodes {
		e := &b.Episodes[i]
		pauses = pauses || e.Kind == behaviour.Pause
		switch {
		case e.RoundTrip != nil:
			slow = slow || e.RoundTrip.Above(limit) > negligible
		case e.Kind == behaviour.Brownout:
			slow = slow || b.RoundTrip.Above(time.Duration(float64(limit)/e.Factor)) > negligible
		}
	}
	if slow {
		text += " That environment has answers within " + words.Duration(limit) +
			", and the behaviour has slower ones: --max-round-trip says how long they take at most."
	}
	if pauses && t.Environment.MaxPause == 0 {
		text += " That environment has no pauses, and the behaviour has some: --max-pause says how long they are at most."
	}
	return text
}

// negligible is the share of all answers up to which reports do not mention that they are slower than in the gate's environment.
const negligible = 1e-9

// effortWords returns the text of precisionWords, followed by a warning for each reason why the figures are rough or not
// complete.
func effortWords(t *outlook.Target, o *forecast.Options) string {
	text := precisionWords(t, o)
	if t.Forecast.SeldomLed() {
		text += " Somebody leads for less than a tenth of the time: all figures are rough, and intervals too narrow."
	}
	if d := t.Forecast.CutOff; d > 0 {
		text += " A time without a leader was followed for " + words.Duration(d) + " and may go on: how much there is in all is not known."
	}
	return text
}

// precisionWords returns a sentence on how much was simulated. If the figures are not as precise as was asked, it also says why.
func precisionWords(t *outlook.Target, o *forecast.Options) string {
	text := words.Count(t.Forecast.Windows) + " windows simulated"
	precision := words.Significant(100*o.Precision, 3) + " %"
	switch {
	case t.Cut:
		return text + ", until the time was over or it was interrupted: not as precise as was asked (" + precision + ")."
	case t.Forecast.Rare:
		return text + ": not as precise as was asked (" + precision + "), since only episodes that come soon after each other bring some of it, too seldom for that."
	case !t.Forecast.Precise:
		return text + ": not as precise as was asked (" + precision + "); --max-windows allows more."
	}
	return text + "."
}

// ForecastProgress returns a line on a forecast that is not yet complete: the losses a month so far, with their interval.
func ForecastProgress(f *forecast.Forecast) string {
	losses := outlook.Losses(f.Losses)
	return "losses a month: " + InOne(&losses)
}
