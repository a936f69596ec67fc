// Package outlook makes the forecasts of all targets that the gate has read, turns them into figures that people know, such as
// losses a month, and judges them by thresholds.
package outlook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// Site is what all targets have in common.
type Site struct {
	Behaviour *behaviour.Behaviour
	// From says where the behaviour comes from: a file, or flags.
	From string
	// Replicas is how many there are, 1 to forecast.MaxReplicas. Unless ReplicasSaid, the number that a target's file says counts instead.
	Replicas     int
	ReplicasSaid bool
	// Restart is as in forecast.Question, and RestartText is what somebody wrote for it. RestartAssumed: nobody wrote anything,
	// and it is assumed.
	Restart        *behaviour.Distribution
	RestartText    string
	RestartAssumed bool
	Thresholds     Thresholds
}

// Report has the targets that the gate has judged, with their forecasts: see Maker.Make for those that are left out.
type Report struct {
	// Gate has what the gate says. Problems of the forecasts are added to its own problems.
	Gate    *gate.Report
	Site    *Site
	Options *forecast.Options
	Targets []*Target
}

// Target is one target of the gate, with its forecast.
type Target struct {
	*gate.Judgement
	// Question is what the forecast answers.
	Question forecast.Question
	// Forecast is nil if the target is refused.
	Forecast *forecast.Forecast
	// Against is how the forecast differs from that of the report's first target with a forecast. It is nil for that target, and
	// if the targets were not compared.
	Against *forecast.Difference
	// Worse names another target that is better, so that nobody should choose this one; nil if there is none among those that
	// were compared.
	Worse *Worse
	// Cut: the time was over before the forecast was complete.
	Cut    bool
	Checks []Check
	// Verdict is Refused if there is no forecast. Otherwise it is the worst verdict of Checks; "" if no threshold is asked for.
	Verdict Verdict
	site    *Site
}

// Fails tells whether the target is refused, or does not surely keep to the thresholds. It is false if no threshold is asked for.
func (t *Target) Fails() bool { return t.Verdict != "" && t.Verdict != Met }

// Of returns the report for targets that the gate has judged, with forecasts that are made already. forecasts has one element for
// each target of g; the element of a refused target does not count.
func Of(g *gate.Report, s *Site, o *forecast.Options, forecasts []*forecast.Forecast) *Report {
	r := &Report{Gate: g, Site: s, Options: o}
	for i, j := range g.Targets {
		t := s.target(j)
		if t.Verdict != Refused {
			t.judge(forecasts[i])
		}
		r.Targets = append(r.Targets, t)
	}
	return r
}

// Maker makes the forecasts of targets.
type Maker struct {
	Site    *Site
	Options *forecast.Options
	// Limit is how much time each forecast has; 0 is no limit.
	Limit time.Duration
	// Start is called before each forecast. Of the functions that it returns, progress is called with what is known so far, and
	// done at the end.
	Start func(name string) (progress func(*forecast.Forecast), done func())
	// Run makes one forecast, as forecast.Run does.
	Run func(context.Context, *forecast.Question, *forecast.Options) (*forecast.Forecast, error)
	// Compare makes all forecasts together, as forecast.Compare does, in the time that as many single ones have. If it is nil,
	// each forecast is made by Run.
	Compare func(context.Context, []*forecast.Question, *forecast.Options) (*forecast.Comparison, error)
}

// Make returns a report on the targets that the gate has judged, each with its forecast; a refused target has none. A forecast that
// fails becomes a problem in g, and its target is left out. If ctx ends, the forecast that is being made has what is known by then;
// later targets are left out, and so is this one if nothing is known.
//
// With m.Compare the forecasts are made together. If that fails, one problem is added to g, and all targets are left out, refused
// ones too. They are also left out, without a problem, if ctx ends before anything is known.
func (m *Maker) Make(ctx context.Context, g *gate.Report) *Report {
	r := &Report{Gate: g, Site: m.Site, Options: m.Options}
	if m.Compare != nil {
		m.compare(ctx, r)
		return r
	}
	for _, j := range g.Targets {
		if ctx.Err() != nil {
			break
		}
		t := m.Site.target(j)
		if t.Verdict != Refused {
			f, err := m.forecast(ctx, t)
			switch {
			case f == nil && ctx.Err() != nil:
				return r
			case err != nil:
				g.Problems = append(g.Problems, files.Problem{Position: j.Position, Text: err.Error()})
				continue
			}
			t.judge(f)
		}
		r.Targets = append(r.Targets, t)
	}
	return r
}

// forecast makes the forecast of a target. If its time is over, or ctx ends, before it is complete, it returns what is known and
// sets t.Cut; it returns an error if nothing is known, or if a run fails.
func (m *Maker) forecast(ctx context.Context, t *Target) (*forecast.Forecast, error) {
	ctx, cancel := m.limited(ctx, 1)
	defer cancel()
	progress, done := m.Start(t.Position.Name())
	defer done()
	var known *forecast.Forecast
	o := *m.Options
	o.Progress = func(f *forecast.Forecast) {
		copied := *f
		copied.Causes = slices.Clone(f.Causes)
		known = &copied
		progress(f)
	}
	f, err := m.Run(ctx, &t.Question, &o)
	switch {
	case err == nil:
		return f, nil
	case ctx.Err() == nil:
		return nil, err
	case known == nil:
		return nil, fmt.Errorf("nothing is known after %v; want more time", m.Limit)
	}
	t.Cut = true
	return known, nil
}

// limited returns a context that ends when the time of that many forecasts is over, and a function that the caller must call at
// the end. Without a Limit it returns ctx itself.
func (m *Maker) limited(ctx context.Context, forecasts int) (context.Context, context.CancelFunc) {
	if m.Limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, m.Limit*time.Duration(forecasts))
}

// Questions returns the questions that the forecasts answer, one for each target that is not refused.
func (s *Site) Questions(g *gate.Report) (all []*forecast.Question) {
	for _, j := range g.Targets {
		if t := s.target(j); t.Verdict != Refused {
			all = append(all, &t.Question)
		}
	}
	return all
}

// target returns the target for a judgement, without a forecast. Its Verdict is Refused if the gate has refused it.
func (s *Site) target(j *gate.Judgement) *Target {
	t := &Target{Judgement: j, Question: s.question(j), site: s}
	if j.Verdict == gate.Refused {
		t.Verdict = Refused
	}
	return t
}

// judge stores the forecast, and sets t.Checks and t.Verdict by the site's thresholds.
func (t *Target) judge(f *forecast.Forecast) {
	t.Forecast = f
	t.Checks = t.site.Thresholds.checks(t.Forecast)
	t.Verdict = worst(t.Checks)
}

// question returns the question that the forecast of a judged target answers.
func (s *Site) question(j *gate.Judgement) forecast.Question {
	return forecast.Question{
		Candidate: plan.Candidate{
			Profile: j.Profile, Lock: cmp.Or(j.Lock, plan.Lease), Now: j.Now, Precision: j.Precision, Timings: j.Timings,
			ReleaseOnCancel: j.ReleaseOnCancel, RequestTimeout: timeout(j), Client: j.Client.Clone(), Drain: j.Environment.Drain,
		},
		Replicas: s.replicas(j), Restart: s.Restart, Behaviour: s.Behaviour,
	}
}

// replicas returns how many replicas a target has: as many as its file says, forecast.MaxReplicas at most, or else as many as all have.
func (s *Site) replicas(j *gate.Judgement) int {
	if s.ReplicasSaid || j.Replicas < 1 {
		return s.Replicas
	}
	return min(j.Replicas, forecast.MaxReplicas)
}

// FromFile tells whether the number of the target's replicas comes from its file.
func (t *Target) FromFile() bool { return !t.site.ReplicasSaid && t.Replicas > 0 }

// replicasWords returns in words how many replicas the forecast has, and where that comes from if it is the file.
func (t *Target) replicasWords() string {
	n, word := t.Question.Replicas, "replicas"
	if n == 1 {
		word = "replica"
	}
	switch {
	case !t.FromFile():
		return fmt.Sprintf("%d %s", n, word)
	case t.Replicas > n:
		return fmt.Sprintf("%d %s, where the file says %d: a forecast takes no more", n, word, t.Replicas)
	}
	return fmt.Sprintf("%d %s, as the file says", n, word)
}

// timeout returns the request timeout of a target; 0 for none, and if nobody knows whether it has one (programs.Either).
func timeout(j *gate.Judgement) time.Duration {
	switch {
	case !j.Profile.TimesOut() || j.Timeout.Kind == programs.Either:
		return 0
	case j.Timeout.Kind == programs.Unknown:
		return j.RequestTimeout
	}
	return j.Timeout.For(j.RenewDeadline)[0]
}

// Assumes returns in words, as one line, what the forecast of the target assumes: the request timeout, the release, the timings
// that nobody gave, the client's limiter, the replicas, what a process does after a loss, and the drain.
func (t *Target) Assumes() string {
	text := t.timeoutWords() + "; " + t.ReleaseWords()
	if defaults := t.DefaultWords(); defaults != "" {
		text += "; " + defaults
	}
	if t.Question.Candidate.Client != nil {
		text += "; the waits in the client's limiter (" + t.ClientFrom + ") are not simulated"
	}
	lost := t.site.restartWords()
	if !t.Profile.HasDeadline() {
		lost = "a process that loses the lock goes on asking for it, since a loop of this profile does not end, so that no time to be back counts"
	}
	text += fmt.Sprintf("; %s; %s; ", t.replicasWords(), lost)
	if d := t.Question.Candidate.Drain; d > 0 {
		return text + "work goes on for " + phrase.Duration(d) + " after its context has ended."
	}
	return text + "work ends at once."
}

// timeoutWords returns in words which request timeout the forecast assumes, and where it comes from.
func (t *Target) timeoutWords() string {
	if t.Profile.TimesOut() && t.Timeout.Kind == programs.Either {
		return "request timeout none (not known: nothing says it; --request-timeout half is that of controller-runtime)"
	}
	if t.TimeoutFrom == gate.TimeoutDefault {
		return "request timeout none (default; --request-timeout half is that of controller-runtime)"
	}
	return t.TimeoutWords()
}

// restartWords returns in words what a process does that has lost the lock.
func (s *Site) restartWords() string {
	if s.Restart == nil {
		return "a process that loses the lock stays, and stands for election again at once"
	}
	words := "a process that loses the lock exits, and is back after " + s.RestartText
	if s.RestartAssumed {
		words += " (assumed)"
	}
	return words
}
