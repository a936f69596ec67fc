package text

import (
	"fmt"
	"strconv"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/forecast/outlook"
	"interregnum/reports/internal/words"
)

// endForecasts adds to s what comes after the targets: the notes, the count of forecasts unless there is one target, the behaviour
// and the gate's environment.
func (s *sheet) endForecasts(r *outlook.Report) {
	s.end(r.Gate, len(r.Targets), ForecastCount(r))
	s.behaviour(r.Site)
	s.blank()
	s.environment(&r.Gate.Environment)
}

// behaviour adds to s what is usual at a site: a line that says where that comes from, and a table.
func (s *sheet) behaviour(site *outlook.Site) {
	t := table{indent: "  "}
	for _, row := range BehaviourRows(site.Behaviour) {
		t.add(row[0], row[1])
	}
	s.line("behaviour (" + site.From + ")")
	s.table(&t)
}

// ForecastCount returns a line on how many forecasts there are, with which verdicts if there are thresholds, and how many inputs
// could not be judged or have no leader election.
func ForecastCount(r *outlook.Report) string {
	count, judged := map[outlook.Verdict]int{}, false
	for _, t := range r.Targets {
		count[t.Verdict]++
		judged = judged || t.Verdict != ""
	}
	text := "no forecast"
	if n := len(r.Targets) - count[outlook.Refused]; n > 0 {
		text = words.Count(n) + " forecast"
	}
	if judged {
		text += fmt.Sprintf(": %s met, %s undecided, %s violated, %s refused", words.Count(count[outlook.Met]),
			words.Count(count[outlook.Undecided]), words.Count(count[outlook.Violated]), words.Count(count[outlook.Refused]))
	}
	if n := len(r.Gate.Problems) + len(r.Gate.Failures); n > 0 {
		text += fmt.Sprintf("; %s could not be", words.Count(n))
	}
	if r.Gate.Skipped > 0 {
		text += "; " + filesWords(r.Gate.Skipped) + " without leader election"
	}
	return text
}

// BehaviourRows returns what is usual at a site as rows of two texts: a name, and a description.
func BehaviourRows(b *behaviour.Behaviour) (rows [][2]string) {
	rows = append(rows, [2]string{"round trips", distributionWords(&b.RoundTrip)})
	if r := b.Recorded; r != nil {
		rows = append(rows, [2]string{"recording", fmt.Sprintf("%s requests in %s, in blocks of %s, as they came", words.Count(len(r.All)),
			words.Duration(r.Length().Round(time.Second)), words.Duration(r.Block))})
	}
	for _, e := range b.Errors {
		name, share := errorWords(&e)
		rows = append(rows, [2]string{name, share})
	}
	for i := range b.Episodes {
		e := &b.Episodes[i]
		text := "for " + lengthWords(&e.Lasts)
		switch {
		case e.Kind == behaviour.Rollout || e.Kind == behaviour.NodeDrain:
			text = "a new process has started after " + lengthWords(&e.Lasts)
		case e.Kind.Starts():
			text = "back after " + lengthWords(&e.Lasts)
		case e.RoundTrip != nil:
			text = "round trips " + distributionWords(e.RoundTrip) + "; " + text
		case e.Factor > 0:
			text = "answers take " + words.Significant(e.Factor, 3) + " times as long; " + text
		}
		for _, x := range e.Errors {
			name, share := errorWords(&x)
			text = name + ": " + share + "; " + text
		}
		rows = append(rows, [2]string{string(e.Kind), text + ", every " + words.Duration(e.Every) + " on average; " + whomWords(e)})
	}
	return rows
}

// errorWords returns how requests fail, and which share of all requests fail so.
func errorWords(e *behaviour.Error) (name, share string) {
	name = "lost requests"
	if e.Status != 0 {
		name = "errors " + strconv.Itoa(e.Status)
	}
	return name, words.Significant(100*e.Probability, 3) + " %"
}

// whomWords returns, in words, whom an episode affects: the leader, one replica or all replicas.
func whomWords(e *behaviour.Episode) string {
	switch {
	case e.On == behaviour.Leader:
		return "the leader"
	case e.On == behaviour.One || e.On == "" && !e.Kind.OnMessages():
		return "one replica"
	}
	return "all replicas"
}

// distributionWords returns three percentiles of a distribution in words, or the one value that it always has.
func distributionWords(d *behaviour.Distribution) string {
	if least, most := d.At(0), d.At(0.9999); least == most {
		return "always " + words.Duration(most)
	}
	return fmt.Sprintf("half up to %s, 99 %% up to %s, 99.99 %% up to %s", shortly(d, 0.5), shortly(d, 0.99), shortly(d, 0.9999))
}

// lengthWords returns, in words, how long something lasts that has this distribution: two percentiles, or the one value.
func lengthWords(d *behaviour.Distribution) string {
	if least, most := d.At(0), d.At(0.9999); least == most {
		return words.Duration(most)
	}
	return fmt.Sprintf("%s mostly (99 %% up to %s)", shortly(d, 0.5), shortly(d, 0.99))
}

// shortly formats, with three significant digits, the value that a share p (0 to 1) of a distribution does not exceed.
func shortly(d *behaviour.Distribution, p float64) string {
	return words.Figures(d.At(p), 3)
}
