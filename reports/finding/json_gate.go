package finding

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/scenarios"
)

// gateJSON is the gate's report. Its form is stable: fields may be added, never changed.
type gateJSON struct {
	Verdict     gate.Verdict    `json:"verdict"`
	Targets     []targetJSON    `json:"targets"`
	Environment environmentJSON `json:"environment"`
	Notes       []placedJSON    `json:"notes,omitempty"`
	Problems    []placedJSON    `json:"problems,omitempty"`
	Skipped     int             `json:"skippedFiles,omitempty"`
	MaxOverlap  time.Duration   `json:"maxOverlapNs,omitempty"`
}

type targetJSON struct {
	Name            string          `json:"name"`
	Verdict         gate.Verdict    `json:"verdict"`
	Reason          string          `json:"reason,omitempty"`
	File            string          `json:"file"`
	Line            int             `json:"line,omitempty"`
	Component       string          `json:"component,omitempty"`
	Profile         string          `json:"profile"`
	Lock            string          `json:"lock,omitempty"`
	Now             string          `json:"now,omitempty"`
	Precision       time.Duration   `json:"precisionNs,omitempty"`
	LeaseDuration   time.Duration   `json:"leaseDurationNs"`
	RenewDeadline   time.Duration   `json:"renewDeadlineNs"`
	RetryPeriod     time.Duration   `json:"retryPeriodNs"`
	RequestTimeout  time.Duration   `json:"requestTimeoutNs"`
	ReleaseOnCancel bool            `json:"releaseOnCancel"`
	Drain           time.Duration   `json:"drainNs"`
	Defaulted       []string        `json:"defaulted,omitempty"`
	Assumes         string          `json:"assumes"`
	Client          *clientJSON     `json:"client,omitempty"`
	Closing         time.Duration   `json:"closingNs,omitempty"` // how long a request is under way whose connection is closed
	Timeout         string          `json:"requestTimeoutIs,omitempty"`
	TimeoutFrom     string          `json:"requestTimeoutSource,omitempty"`
	ReleaseFrom     string          `json:"releaseSource,omitempty"`
	Program         string          `json:"program,omitempty"`
	ProgramSource   string          `json:"programSource,omitempty"`
	Accepted        string          `json:"accepted,omitempty"`
	*boundsJSON                     // nil for a target that is refused
	Changes         []changeJSON    `json:"changes,omitempty"`
	NoChange        []string        `json:"noChange,omitempty"`
	Strict          *strictJSON     `json:"strict,omitempty"`
	ShownOverlap    *time.Duration  `json:"shownOverlapNs,omitempty"`
	Witness         json.RawMessage `json:"witness,omitempty"`
}

// clientJSON is a client whose own waits are known. Without a limiter it has no QPS.
type clientJSON struct {
	QPS     float64       `json:"qps,omitempty"`
	Burst   int           `json:"burst,omitempty"`
	Retries bool          `json:"retries"`
	Source  string        `json:"source"`
	Wait    time.Duration `json:"longestWaitNs"`
}

type boundsJSON struct {
	Margin            time.Duration `json:"marginNs"`
	WorstOverlap      time.Duration `json:"worstOverlapNs"`
	AtLeast           bool          `json:"atLeast,omitempty"`
	Upper             bool          `json:"upperBound,omitempty"` // no run may show worstOverlap
	AtMost            time.Duration `json:"atMostNs,omitempty"`   // only with AtLeast, if a bound is known
	IfClosed          time.Duration `json:"ifClosedNs,omitempty"` // only where it is safe if the client closes no connection
	NoUpper           bool          `json:"noUpperBoundKnown,omitempty"`
	Unbounded         bool          `json:"unbounded,omitempty"`
	Endless           string        `json:"unboundedSince,omitempty"`
	WorstFailover     time.Duration `json:"worstFailoverNs"`
	WorstHandover     time.Duration `json:"worstHandoverNs"`
	ToleratedOutage   time.Duration `json:"toleratedOutageNs"`
	RequestsPerSecond float64       `json:"requestsPerSecond"`
	Terms             []termJSON    `json:"terms"`
}

type termJSON struct {
	Name string        `json:"name"`
	Time time.Duration `json:"ns"`
}

type changeJSON struct {
	Parameter string `json:"parameter"`
	From      string `json:"from"`
	To        string `json:"to"`
}

type strictJSON struct {
	Verdict gate.Verdict  `json:"verdict"`
	Margin  time.Duration `json:"marginNs"`
}

// placedJSON is a note or a problem.
type placedJSON struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Kind string `json:"kind,omitempty"`
	Text string `json:"text"`
}

// GateJSON writes the report as one line of JSON.
func GateJSON(w io.Writer, r *gate.Report) error {
	e := &r.Environment
	out := gateJSON{
		Verdict: r.Verdict(), Targets: []targetJSON{},
		Environment: environmentToJSON(e),
		Skipped:     r.Skipped, MaxOverlap: r.Tolerated,
	}
	for _, j := range r.Targets {
		t, err := targetToJSON(j)
		if err != nil {
			return err
		}
		out.Targets = append(out.Targets, t)
	}
	for _, n := range r.Notes {
		out.Notes = append(out.Notes, placed(n.Position, string(n.Kind), n.Text))
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, placed(p.Position, "", p.Text))
	}
	return writeLine(w, &out)
}

// placed returns the JSON form of a note or a problem at a position.
func placed(p files.Position, kind, text string) placedJSON {
	return placedJSON{p.Name(), p.File, p.Line, kind, text}
}

// targetToJSON returns the JSON form of the judgement of one target.
func targetToJSON(j *gate.Judgement) (targetJSON, error) {
	t := targetJSON{
		Name: j.Position.Name(), Verdict: j.Verdict, Reason: j.Reason, File: j.File, Line: j.Line,
		Component: j.Component, Profile: j.Profile.Name,
		LeaseDuration: j.LeaseDuration, RenewDeadline: j.RenewDeadline, RetryPeriod: j.RetryPeriod,
		RequestTimeout: j.RequestTimeout, ReleaseOnCancel: j.ReleaseOnCancel, Drain: j.Environment.Drain,
		Defaulted: j.Defaulted, NoChange: j.None, Assumes: j.Assumes(), Accepted: j.Accepted, Closing: j.Closing,
		Timeout: string(j.Timeout.Kind), TimeoutFrom: j.TimeoutFrom, ReleaseFrom: j.ReleaseFrom,
	}
	if j.Program != nil {
		t.Program, t.ProgramSource = j.Program.Name, j.Program.Source
	}
	if c := j.Client; c != nil {
		t.Client = &clientJSON{c.QPS, c.Burst, c.Retries, j.ClientFrom, bound.ClientWait(&j.Config, &j.Environment)}
	}
	t.Lock, t.Now, t.Precision = lockName(j.Lock), string(j.Now), j.Precision
	for _, c := range j.Changes {
		t.Changes = append(t.Changes, changeJSON(c))
	}
	if j.Strict != nil {
		t.Strict = &strictJSON{gate.Unsafe, -j.Strict.Overlap}
		if j.Strict.Safe() {
			t.Strict.Verdict = gate.Safe
		}
	}
	if j.Result != nil {
		t.boundsJSON = boundsOf(j)
	}
	return t, t.witness(j.Witness, j.Shown)
}

// boundsOf returns the JSON form of what was computed for a target: margin, overlap, failovers, tolerated outage, load
// and terms. The target must have a result.
func boundsOf(j *gate.Judgement) *boundsJSON {
	r := j.Result
	b := &boundsJSON{
		Margin: j.Margin(), WorstOverlap: max(0, r.Overlap), AtLeast: r.AtLeast, Upper: r.Upper, Unbounded: r.Unbounded,
		WorstFailover: r.Failover, WorstHandover: r.Handover, ToleratedOutage: r.Outage,
		RequestsPerSecond: math.Round(1000*j.Load(gate.TypicalReplicas)) / 1000, Endless: r.Plan.Endless.String(),
	}
	if j.Verdict == gate.Safe {
		b.IfClosed = j.IfClosed()
	}
	if most, known := r.AtMost(); r.AtLeast && known {
		b.AtMost = most
	} else if r.AtLeast {
		b.NoUpper = true
	}
	for _, term := range r.Terms {
		b.Terms = append(b.Terms, termJSON{term.Name, term.Time})
	}
	return b
}

// witness sets the target's witness and the overlap that its run showed; without a witness it does nothing.
func (t *targetJSON) witness(s *scenarios.Scenario, shown time.Duration) error {
	if s == nil {
		return nil
	}
	var err error
	t.ShownOverlap = &shown
	t.Witness, err = json.Marshal(s)
	return err
}
