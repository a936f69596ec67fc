package text

import (
	"io"
	"strings"

	"interregnum/internal/forecast/outlook"
	"interregnum/reports/internal/words"
)

// TuneForecast writes a tuning by thresholds: the best configuration with its forecast or, if there is none, what stands in the way
// of one; then the undecided configurations, if any, all that were looked at, the behaviour and the environment. Lines have at most
// width columns; a width below 40 counts as 40.
func TuneForecast(w io.Writer, r *outlook.Tuning, width int) error {
	s := newSheet(width)
	if r.Best == nil {
		s.obstacles(r)
	} else {
		s.choice(&r.Best.Choice, r.Tuner.Wish)
		s.blank()
		s.table(figures(r.Best.Target.Forecast))
		s.blank()
		for _, c := range r.Best.Target.Checks {
			s.say(forecastCheck(&c))
		}
		s.say(effortWords(r.Best.Target, r.Tuner.Options))
		s.say("Assumes: " + r.Best.Target.Assumes())
	}
	s.undecided(r)
	s.blank()
	s.candidates(r)
	s.behaviour(r.Tuner.Site)
	s.blank()
	s.environment(&r.Tuner.Environment)
	return s.write(w)
}

// obstacles adds to s a line which says that there is no configuration as wished, and the wishes that stand in the way.
func (s *sheet) obstacles(r *outlook.Tuning) {
	w := r.Tuner.Wish
	if len(r.Candidates) == 0 {
		s.line("No configuration in whole seconds is as wished, up to a leaseDuration of " + words.Duration(w.MaxLease) + ".")
	} else {
		s.line("None of the configurations that were looked at is known to be as wished.")
	}
	for i := range r.Obstacles {
		s.say(Obstacle(&r.Obstacles[i]))
	}
	if len(r.Obstacles) == 0 {
		s.say("No single one of the wishes stands in the way: two or more of them would have to change.")
	}
}

// Obstacle returns a sentence on which wish stands in the way. If there is a configuration that meets all other wishes, the
// sentence says what the best one of these has instead.
func Obstacle(o *outlook.Obstacle) string {
	if o.Instead == nil {
		return o.Text
	}
	text := "--" + o.Flag + " " + o.Limit + " stands in the way: what meets all else "
	c := o.Instead
	switch o.Flag {
	case "max-qps":
		text += "makes " + words.Significant(c.QPS, 3) + " requests a second"
	case "tolerate-outage":
		text += c.Tolerates(&c.Target.Environment)
	case "profile", "request-timeout":
		text = "--" + o.Flag + " " + o.Limit + " stands in the way: with profile " + c.Config.Profile.Name + " and a request timeout of " +
			timeoutText(c.Config.RequestTimeout) + " all is met"
	default:
		f := c.Target.Asked(o.Flag)
		text += "has " + f.Name + " " + InOne(&f)
	}
	return text + " (" + choiceFlags(&c.Choice) + ")"
}

// undecided adds to s the configurations of which it is not known whether they meet the wishes, and which are then better than
// the best known one. It adds nothing if there are none.
func (s *sheet) undecided(r *outlook.Tuning) {
	all := r.Undecided()
	if len(all) == 0 {
		return
	}
	var names []string
	for _, c := range all {
		names = append(names, timings(&c.Config.Timings))
	}
	what := "Undecided, with a shorter worst failover: "
	if r.Best == nil {
		what = "Undecided: "
	}
	s.say(what + strings.Join(names, ", ") + ": a threshold lies within the interval; a smaller --forecast-precision, or more --max-windows, may decide it.")
}

// candidates adds to s a table of the configurations that were looked at; nothing if there are none. A * marks the best one.
func (s *sheet) candidates(r *outlook.Tuning) {
	if len(r.Candidates) == 0 {
		return
	}
	t := newTable("  ", "", "timings", "timeout", "worst failover", "losses a month", "against *", "99 % of gaps up to", "requests/s", "", "nobody should choose")
	for _, c := range r.Candidates {
		mark := ""
		if c == r.Best {
			mark = "*"
		}
		f := c.Target.Forecast
		losses := outlook.Losses(f.Losses)
		gap := outlook.Figure{Unit: outlook.Seconds, Estimate: f.Gaps.P99, Unseen: f.Gaps.Seen == 0}
		t.add(mark, timings(&c.Config.Timings), timeoutText(c.Config.RequestTimeout), words.Duration(c.Failover), InOne(&losses), moreLosses(r, c), InOne(&gap),
			words.Significant(f.Requests.Value, 3), string(c.Target.Verdict), worseWords(c.Target))
	}
	s.line("What was looked at: all are safe, and each has the shortest worst failover of those that tolerate as long an outage. " +
		"Those that are ruled out, or not needed, have wider intervals than was asked for.")
	s.table(t)
	if r.Best != nil {
		s.say("against *: how many more losses a month than with the best one. Where both were last simulated together, the interval of that comes from the " +
			"same random numbers, and is often narrower.")
	}
	s.blank()
}

// moreLosses returns, in words, how many more losses a month there are with a configuration than with the best one. It returns ""
// for the best one itself, or if there is no best one.
func moreLosses(r *outlook.Tuning, c *outlook.Candidate) string {
	if r.Best == nil || r.Best == c {
		return ""
	}
	more := outlook.Losses(r.Best.Less(c).Losses)
	return words.Difference(&more)
}
