package gate

import (
	"fmt"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/gate/closing"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
	"interregnum/scenarios"
)

// edges are by how much shorter round trips and freezes are tried where a witness would have to meet an instant exactly. This is
// needed since an attempt that outlasts a tick by nothing can be worth up to a second, and a witness keeps some nanoseconds away
// from every limit. Even with three round trips and a freeze, the longer of the two still agrees.
var edges = [...]time.Duration{50 * time.Microsecond, 200 * time.Microsecond}

// showOwn runs a scenario that shows the overlap of an unsafe result in j.Environment, and stores it in j.Witness and the overlap that its run
// shows in j.Shown. It leaves them nil and 0 if the simulated world can show nothing unsafe. If the run shows less than was computed,
// or more where the computed overlap is the longest possible, showOwn tries shorter round trips and freezes (see beside), and
// returns an error if these do not agree either. In two cases a run that shows too little is no error: with j.Client and closings
// that count, and with a request timeout that ends just before RenewDeadline. The computed overlap is then an upper bound: showOwn
// sets j.Result.Upper. Wherever that is set, also before, showSome plays other scenarios and stores the best of them.
func (j *Judgement) showOwn() error {
	r := j.Result.Playable()
	switch {
	case j.Result.Upper:
		return j.showSome()
	case r.Safe():
		return nil
	}
	s, shown, err := j.play(stage.Witness(j.playedConfig(), &j.Environment, r))
	if err != nil {
		return err
	}
	missing := r.Overlap - shown
	if f := j.RequestTimeout; missing >= stage.Agree && j.Client != nil && closing.Counts(&j.Config) && (f == 0 || f > plan.PingWait) {
		// Requests are lost while the connection stays. In a witness nothing gets through, so that it is closed.
		j.Result.Upper = true
		return j.showSome()
	}
	if missing >= stage.Agree || missing <= -stage.Agree && !r.AtLeast && !r.Unbounded {
		if s, shown, err = j.beside(edges[:], shown); err != nil {
			if atEdge(j.RenewDeadline-j.RequestTimeout) || atEdge(j.RetryPeriod-j.RequestTimeout) {
				// What a lost request leaves until its poll is over, or until a tick, is shorter than what a witness keeps from every edge.
				j.Result.Upper = true
				return j.showSome()
			}
			return err
		}
	}
	j.tell(s, shown)
	return nil
}

// atEdge tells whether d is above 0, and shorter than what a witness may miss.
func atEdge(d time.Duration) bool { return d > 0 && d < stage.Agree }

// tell stores s in j.Witness, and shown, the overlap that s shows, in j.Shown. If s is not nil, it also sets the scenario's name
// and description.
func (j *Judgement) tell(s *scenarios.Scenario, shown time.Duration) {
	if j.Witness, j.Shown = s, shown; s != nil {
		s.Name, s.About = scenarioName(j.Position.Name()), j.about()
	}
}

// showSome looks for a scenario to show for a result that is an upper bound. It stores the one with the longest overlap in j.Witness, and that
// overlap in j.Shown; nil and 0 if none shows any. It returns an error if a scenario shows more than the bound (see exceeds), or if one does
// not run.
func (j *Judgement) showSome() error {
	search := stage.Search{
		Config: j.playedConfig(), Environment: &j.Environment, Result: j.Result,
		Play: func(s *scenarios.Scenario) (time.Duration, error) {
			_, shown, err := j.play(s)
			if err != nil {
				return 0, err
			}
			if more, err := j.exceeds(s, shown); more {
				return 0, err
			}
			return shown, nil
		},
	}
	if j.closes() {
		search.Closing = &j.Config
	}
	s, shown, err := search.Longest()
	if err != nil {
		return err
	}
	j.tell(s, shown)
	return nil
}

// exceeds tells whether shown, the overlap that a run of s shows, is longer than the bound. With two candidates it is an error, too. With three a
// release that waits can come late: two work at once, and then one of them and the third, which the run counts as one stretch.
func (j *Judgement) exceeds(s *scenarios.Scenario, shown time.Duration) (bool, error) {
	most, known := j.Result.AtMost()
	if !known || shown-most < stage.Agree {
		return false, nil
	}
	if len(s.Candidates) == 2 {
		return true, fmt.Errorf("%s: an overlap of %v was computed as the longest, and a run shows %v: please report this", j.Position, most, shown)
	}
	return true, nil
}

// play runs a witness, and returns it with the overlap that the run shows. It returns an error if the scenario does not run or is
// not judged.
func (j *Judgement) play(s *scenarios.Scenario) (*scenarios.Scenario, time.Duration, error) {
	result, err := scenarios.Run(s, scenarios.Options{Brief: true})
	if err != nil {
		return nil, 0, fmt.Errorf("%s: the witness does not run: %w", j.Position, err)
	}
	if p := check.Named(result.Properties, check.SingleWork); p != nil {
		return s, time.Duration(p.OverlapNs), nil
	}
	return nil, 0, fmt.Errorf("%s: the witness was not judged", j.Position)
}

// beside returns a witness for round trips and freezes that are shorter by edges[0], and the overlap that it shows. If that
// overlap is too short, it tries the next edge; after the last edge it returns an error. The idea: where the worst case needs one
// exact nanosecond, another case that is as bad perhaps does not. If the bound falls by stage.Agree or more between the two lengths,
// the witness need only show the lower bound. The witness is nil if the bound falls like this and the shorter round trips are
// safe. It is also an error if the witness shows more than the upper bound. shown is what the exact witness showed, for the
// error.
func (j *Judgement) beside(edges []time.Duration, shown time.Duration) (*scenarios.Scenario, time.Duration, error) {
	_, calm := bound.Unhindered(j.playedConfig(), &j.Environment) // whose round trips are as long as any that count
	e := *calm
	e.MaxRoundTrip, e.MaxPause = max(0, e.MaxRoundTrip-edges[0]), max(0, e.MaxPause-edges[0])
	r, err := bound.Of(j.playedConfig(), &e)
	if err != nil {
		return nil, 0, err
	}
	r = r.Playable()
	computed := j.Result.Playable().Overlap
	jumps := computed-r.Overlap >= stage.Agree
	if r.Safe() && jumps {
		return nil, 0, nil
	}
	s, other, err := j.play(stage.Witness(j.playedConfig(), &e, r))
	if most, known := j.Result.Playable().AtMost(); err == nil && known && other-most >= stage.Agree {
		return nil, 0, fmt.Errorf("%s: an overlap of %v was computed as the longest, and a run shows %v: please report this",
			j.Position, most, other)
	}
	if err == nil && computed-other >= stage.Agree && (!jumps || r.Overlap-other >= stage.Agree) {
		if len(edges) > 1 {
			return j.beside(edges[1:], shown)
		}
		err = fmt.Errorf("%s: an overlap of %v was computed, and the witness shows %v", j.Position, computed, shown)
	}
	return s, other, err
}

// maxName is the longest name of a scenario, in bytes, that fits into the name of a file.
const maxName = 100

// scenarioName returns the name of the scenario for a target: "gate", and after it the letters and digits of the target's name in
// lower case, with hyphens between. It is at most maxName bytes long.
func scenarioName(target string) string {
	var b strings.Builder
	b.WriteString("gate")
	gap := true
	for _, r := range strings.ToLower(target) {
		if b.Len() >= maxName-1 { // a hyphen may come before the next one
			break
		}
		if r < '0' || r > '9' && r < 'a' || r > 'z' {
			gap = true
			continue
		}
		if gap {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// about returns the scenario's description: a sentence that says what the witness shows, and with which configuration and
// environment.
func (j *Judgement) about() string {
	text := fmt.Sprintf("Two leaders work at once for %v: the worst of leaseDuration %v, renewDeadline %v and "+
		"retryPeriod %v", FormatDuration(j.Shown.Round(time.Millisecond)), FormatDuration(j.LeaseDuration),
		FormatDuration(j.RenewDeadline), FormatDuration(j.RetryPeriod))
	text += fmt.Sprintf(", profile %s", j.Profile.Name)
	if lock := j.LockWords(); lock != "" {
		text += ", lock " + lock
	}
	if j.Environment.MaxClockOffset > 0 {
		text += fmt.Sprintf(", wall clocks at most %v apart", FormatDuration(j.Environment.MaxClockOffset))
	}
	return text + fmt.Sprintf(", where round trips take at most %v, clocks drift by at most %d ppm, pauses "+
		"last at most %v and the work ends %v after its context.", FormatDuration(j.Environment.MaxRoundTrip),
		j.Environment.MaxDriftPPM, FormatDuration(j.Environment.MaxPause), FormatDuration(j.Environment.Drain))
}
