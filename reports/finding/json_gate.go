package finding

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
)

// gateJSON is the gate's report. Its form is stable: fields may be added, never changed.
type gateJSON struct {
	Verdict     gate.Verdict    `json:"verdict"`
	Targets     []targetJSON    `json:"targets"`
	Environment environmentJSON `json:"environment"`
	unjudgedJSON
	MaxOverlap time.Duration `json:"maxOverlapNs,omitempty"`
}

// targetJSON is the judgement of one target.
type targetJSON struct {
	Name           string        `json:"name"`
	Verdict        gate.Verdict  `json:"verdict"`
	Reason         string        `json:"reason,omitempty"`
	File           string        `json:"file"`
	Line           int           `json:"line,omitempty"`
	Component      string        `json:"component,omitempty"`
	Profile        string        `json:"profile"`
	ProfileAssumed bool          `json:"profileAssumed,omitempty"` // nobody says that the program's client is the profile's
	ClientGo       string        `json:"clientGo,omitempty"`       // its version, where somebody says it or it is assumed
	ClientGoFrom   string        `json:"clientGoSource,omitempty"`
	Lock           string        `json:"lock,omitempty"`
	Now            string        `json:"now,omitempty"`
	Precision      time.Duration `json:"precisionNs,omitempty"`
	settingsJSON
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
	LockFrom        string          `json:"lockSource,omitempty"`
	LockAssumed     bool            `json:"lockAssumed,omitempty"`
	Conditions      []string        `json:"conditions,omitempty"` // only where it is safe or accepted
	*boundsJSON                     // nil for a target that is refused
	Changes         []gate.Change   `json:"changes,omitempty"`
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
	// Other traffic as it counted, with what a scenario file has of it.
	OtherQPS   float64       `json:"otherQPS,omitempty"`
	OtherBurst int           `json:"otherBurst,omitempty"`
	OtherFrom  string        `json:"otherSource,omitempty"` // only with other traffic of the file
	Dial       time.Duration `json:"longestDialNs,omitempty"`
	HTTP1      bool          `json:"http1,omitempty"`
}

// boundsJSON is what was computed for a target.
type boundsJSON struct {
	Margin            time.Duration `json:"marginNs"`
	WorstOverlap      time.Duration `json:"worstOverlapNs"`
	AtLeast           bool          `json:"atLeast,omitempty"`
	Upper             bool          `json:"upperBound,omitempty"`    // no run may show worstOverlap
	AtMost            time.Duration `json:"atMostNs,omitempty"`      // only with AtLeast, if a bound is known
	IfClosed          time.Duration `json:"ifClosedNs,omitempty"`    // only where that needs that the client closes no connection
	IfPaused          time.Duration `json:"ifPausedNs,omitempty"`    // only where that needs that no process ever stands still
	IfReleased        time.Duration `json:"ifReleasedNs,omitempty"`  // only where that needs that the program does not release the lock
	IfRestarted       time.Duration `json:"ifRestartedNs,omitempty"` // only where that needs that no process starts again under its own name within a second
	NoUpper           bool          `json:"noUpperBoundKnown,omitempty"`
	Unbounded         bool          `json:"unbounded,omitempty"`
	Endless           string        `json:"unboundedSince,omitempty"`
	WorstFailover     time.Duration `json:"worstFailoverNs"`
	WorstHandover     time.Duration `json:"worstHandoverNs"`
	ToleratedOutage   time.Duration `json:"toleratedOutageNs"`
	RequestsPerSecond float64       `json:"requestsPerSecond"`
	Terms             []termJSON    `json:"terms"`
}

// termJSON is a summand of the worst overlap.
type termJSON struct {
	Name string        `json:"name"`
	Time time.Duration `json:"ns"`
}

// strictJSON is what the verdict would be with the profile strict.
type strictJSON struct {
	Verdict gate.Verdict  `json:"verdict"`
	Margin  time.Duration `json:"marginNs"`
}

// GateJSON writes the report as one line of JSON.
func GateJSON(w io.Writer, r *gate.Report) error {
	out := gateJSON{
		Verdict: r.Verdict(), Targets: []targetJSON{}, Environment: environmentToJSON(&r.Environment), unjudgedJSON: unjudgedOf(r),
		MaxOverlap: r.Tolerated,
	}
	for _, j := range r.Targets {
		t, err := targetToJSON(j)
		if err != nil {
			return err
		}
		out.Targets = append(out.Targets, t)
	}
	return json.NewEncoder(w).Encode(&out)
}

// targetToJSON returns the JSON form of the judgement of one target. An error is that of its witness, which cannot be written as
// JSON.
func targetToJSON(j *gate.Judgement) (targetJSON, error) {
	t := targetJSON{
		Name: j.Position.Name(), Verdict: j.Verdict, Reason: j.Reason, File: j.File, Line: j.Line,
		Component: j.Component, Profile: j.Profile.Name, Lock: lockName(j.Lock), Now: string(j.Now), Precision: j.Precision,
		settingsJSON: settingsOf(j.Timings, j.RequestTimeout), ReleaseOnCancel: j.ReleaseOnCancel, Drain: j.Environment.Drain,
		ProfileAssumed: j.ProfileAssumed, Defaulted: j.Defaulted, NoChange: j.None, Assumes: j.Assumes(), Accepted: j.Accepted, Closing: j.Closing,
		Timeout: string(j.Timeout.Kind), TimeoutFrom: j.TimeoutFrom, ReleaseFrom: j.ReleaseFrom, Conditions: j.Conditions(), LockFrom: j.LockFrom,
		LockAssumed: j.LockAssumed || j.LockOpen, Changes: j.Changes,
	}
	if t.ClientGo, t.ClientGoFrom = gate.ClientGoText(j.ClientGo), j.ClientGoFrom; j.VersionAssumed {
		t.ClientGo, t.ClientGoFrom = gate.ClientGoText(bound.Newest), "assumed"
	}
	if j.Program != nil {
		t.Program, t.ProgramSource = j.Program.Name, j.Program.Source
	}
	if c := j.Client; c != nil {
		t.Client = &clientJSON{
			c.QPS, c.Burst, c.Retries, j.ClientFrom, bound.ClientWait(&j.Config, &j.Environment), 0, 0, j.OtherFrom(), c.Dial, c.HTTP1,
		}
		if c.Limits() {
			t.Client.OtherQPS, t.Client.OtherBurst = j.Environment.OtherQPS, j.Environment.OtherBurst
		}
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
	var err error
	if j.Witness != nil {
		t.ShownOverlap = &j.Shown
		t.Witness, err = json.Marshal(j.Witness)
	}
	return t, err
}

// boundsOf returns the JSON form of what was computed for a target: margin and overlap, whether these are bounds or exact,
// failovers, tolerated outage, load and terms. For a safe target it adds for how long two leaders can work at once if the client
// closes its connection, if a process stands still for a nanosecond, if the lock is released, or if a process starts again under
// its own name within a second. The target must have a result.
func boundsOf(j *gate.Judgement) *boundsJSON {
	r := j.Result
	b := &boundsJSON{
		Margin: j.Margin(), WorstOverlap: max(0, r.Overlap), AtLeast: r.AtLeast, Upper: r.Upper, Unbounded: r.Unbounded,
		WorstFailover: r.Failover, WorstHandover: r.Handover, ToleratedOutage: r.Outage,
		RequestsPerSecond: math.Round(1000*j.Load(gate.TypicalReplicas)) / 1000, Endless: r.Plan.Endless.String(),
		Terms: listOf(r.Terms, func(t *bound.Term) termJSON { return termJSON(*t) }),
	}
	b.IfClosed, b.IfPaused = j.Longer(j.IfClosed), j.Longer(j.IfPaused)
	b.IfReleased, b.IfRestarted = j.Longer(j.IfReleased), j.Longer(j.IfRestarted)
	if most, known := r.AtMost(); r.AtLeast && known {
		b.AtMost = most
	} else if r.AtLeast {
		b.NoUpper = true
	}
	return b
}
