package calibrate

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/internal/calibrate"
	"interregnum/internal/gate"
	"interregnum/internal/phrase"
)

// calibration is the result of simulate calibrate. Times in JSON are in nanoseconds.
type calibration struct {
	Source string `json:"source"`
	// MaxRoundTrip is nil, and Environment, the file with it, is "", if no file was written.
	MaxRoundTrip *time.Duration `json:"maxRoundTripNs,omitempty"`
	Derivation   string         `json:"derivation,omitempty"`
	Environment  string         `json:"environment,omitempty"`
	// Recording is the file with the requests one by one, "" without one.
	Recording string             `json:"recording,omitempty"`
	All       calibrate.Series   `json:"all"`
	Verbs     []calibrate.Series `json:"verbs"`
	Refused   []calibrate.Series `json:"refused"`
	Failed    []calibrate.Series `json:"failed"`
	Audit     *auditFacts        `json:"audit,omitempty"`
	Live      *liveFacts         `json:"live,omitempty"`
	Notes     []string           `json:"notes"`
	Problems  []string           `json:"problems,omitempty"`

	measured *calibrate.Measurement
	resource string
	// only is the name of the only log; "" if there are several, or none.
	only string
	// untrusted tells that part of the input could not be read.
	untrusted bool
}

// auditFacts says how many audit logs were read, and what was in them.
type auditFacts struct {
	Logs int `json:"logs"`
	calibrate.Counts
}

// liveFacts describes a measurement on a server: where it was, how long it lasted, and how far the server's clock is off.
type liveFacts struct {
	Host        string                 `json:"host"`
	Namespace   string                 `json:"namespace"`
	Lease       string                 `json:"lease"`
	Write       bool                   `json:"write"`
	Lasted      time.Duration          `json:"lastedNs"`
	Interrupted bool                   `json:"interrupted"`
	Offset      *calibrate.ClockOffset `json:"clockOffset,omitempty"`
}

// setMeasurement sets in r the series of m, and sets r.Notes to notes about them.
func (r *calibration) setMeasurement(m *calibrate.Measurement) {
	r.measured = m
	r.All, r.Verbs, r.Refused, r.Failed = m.All(), m.Answered(), m.Refused(), m.Failed()
	r.Notes = []string{}
	for _, s := range r.Refused {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of the answers were %s, the slowest after %v: they count.", s.Count, s.Name,
			shown(s.Max)))
	}
	for _, s := range r.Failed {
		r.Notes = append(r.Notes, fmt.Sprintf("%s failed (%s), the slowest after %v: they count as lost.",
			phrase.Number(s.Count, "request"), s.Name, shown(s.Max)))
	}
	if r.All.Count > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Were answers independent, up to %s of all could be slower than the slowest of "+
			"these %d, at 95%% confidence; a calm time tells nothing of a busy one.", percent(calibrate.MorePercent(r.All.Count)), r.All.Count))
	}
}

// percent formats share, which is in percent, with two significant digits and a percent sign; 100% from 99.5 on.
func percent(share float64) string {
	if share >= 99.5 {
		return "100%"
	}
	return fmt.Sprintf("%.2g%%", share)
}

// addLiveNotes appends to r.Notes what a measurement on a server does not contain, what a timeout of a request means, and
// whether it was interrupted. lasting is how long it was to last, and timeout that of its requests.
func (r *calibration) addLiveNotes(lasting, timeout string) {
	r.Notes = append(r.Notes, "What a request waits for in the client's own limit on requests is not in it; --add adds for that.")
	if !r.Live.Write {
		r.Notes = append(r.Notes, "These are reads: updates take longer; --write measures them, on a Lease of its own.")
	}
	for _, s := range r.Failed {
		if s.Name == calibrate.Timeout {
			r.Notes = append(r.Notes, fmt.Sprintf("No answer within %s: the environment is true only of electors whose own request "+
				"timeout is no longer.", timeout))
		}
	}
	if r.Live.Interrupted {
		r.Notes = append(r.Notes, fmt.Sprintf("It was interrupted after %v of %s.", r.Live.Lasted.Round(time.Millisecond),
			lasting))
	}
}

// noAnswers returns the message that no answered request was found, and why that may be.
func (r *calibration) noAnswers() string {
	if r.Audit == nil {
		return "no request was answered: nothing is measured"
	}
	among := phrase.Number(r.Audit.Lines, "line")
	if r.only != "" {
		among += " of " + r.only
	}
	return fmt.Sprintf("no answered get, create, update or patch of %s among %s: want the log of a server whose audit policy "+
		"has them at level Metadata or more, stage ResponseComplete", r.resource, among)
}

// comments returns the comments of the environment file: the note, unless it is "", a summary of what was measured, and r.Notes.
func (r *calibration) comments(note string) []string {
	var all []string
	if note != "" {
		all = append(all, note)
	}
	s := &r.All
	all = append(all, phrase.OneLine(r.head()), fmt.Sprintf("p50 %v, p90 %v, p99 %v, p99.9 %v, max %v", shown(s.P50), shown(s.P90),
		shown(s.P99), shown(s.P999), shown(s.Max)))
	return append(all, r.Notes...)
}

// head returns a sentence on how many requests were measured, and where.
func (r *calibration) head() string {
	if r.Audit != nil {
		return fmt.Sprintf("%s about %s, in %s.", phrase.Number(r.All.Count, "answered request"), r.resource,
			phrase.Number(r.Audit.Logs, "audit log"))
	}
	which := "Lease " + r.Live.Namespace + "/" + r.Live.Lease
	if r.Live.Write {
		which = "an own Lease in " + r.Live.Namespace
	}
	return fmt.Sprintf("%s about %s, of %s.", phrase.Number(r.All.Count, "answered request"), which, r.Live.Host)
}

// forms are the forms of output of simulate calibrate.
var forms = cliflag.Forms[func(*calibration, io.Writer) error]{
	{Name: cliflag.Text, Write: (*calibration).text}, {Name: cliflag.JSON, Write: (*calibration).json},
}

// json prints the calibration as one line of JSON.
func (r *calibration) json(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// text prints the calibration as text.
func (r *calibration) text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", phrase.OneLine(r.head()))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tcount\tp50\tp90\tp99\tp99.9\tmax\t")
	for _, s := range append(r.Verbs, r.All) {
		fmt.Fprintf(t, "%s\t%d\t%v\t%v\t%v\t%v\t%v\t\n", s.Name, s.Count, shown(s.P50), shown(s.P90), shown(s.P99),
			shown(s.P999), shown(s.Max))
	}
	t.Flush() // into memory
	b.WriteString("\n")
	r.facts(&b)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if r.Recording != "" {
		fmt.Fprintf(&b, "\nThe requests are in %s, one by one.\n", r.Recording)
	}
	if r.MaxRoundTrip != nil {
		fmt.Fprintf(&b, "\nmaxRoundTrip: %s = %s\n", gate.FormatDuration(*r.MaxRoundTrip), r.Derivation)
		if r.Environment != os.DevNull {
			fmt.Fprintf(&b, "%s is written. Next:\n  simulate gate --environment %s FILE…\n", r.Environment, phrase.ShellWord(r.Environment))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// facts writes to b where the numbers come from: how many lines of audit logs, or how long a server was measured and how far
// its clock is off.
func (r *calibration) facts(b *strings.Builder) {
	if a := r.Audit; a != nil {
		fmt.Fprintf(b, "%s: %d of other stages, %d of other requests, %d left out by the filter, %d broken\n",
			phrase.Number(a.Lines, "line"), a.OtherStages, a.OtherRequests, a.Filtered, a.Broken)
		if a.Repeated > 0 {
			fmt.Fprintf(b, "%d stand twice, and count once: a file was given twice, or a copy of it\n", a.Repeated)
		}
		if !a.First.IsZero() {
			fmt.Fprintf(b, "received from %s to %s\n", a.First.UTC().Format(time.RFC3339), a.Last.UTC().Format(time.RFC3339))
		}
		return
	}
	fmt.Fprintf(b, "measured for %v\n", r.Live.Lasted.Round(time.Millisecond))
	switch o := r.Live.Offset; {
	case o == nil:
	case o.Least > o.Most:
		fmt.Fprintf(b, "clock of the server: its answers contradict each other, by %v: several servers, or a clock that was set\n",
			shown(o.Least-o.Most))
	default:
		fmt.Fprintf(b, "clock of the server: %s to %s ahead of the one here, by its Date header\n", signed(o.Least), signed(o.Most))
	}
}

// shown returns a duration rounded for people, to about three digits.
func shown(d time.Duration) time.Duration {
	for unit := time.Second; unit > time.Microsecond; unit /= 10 {
		if d >= 100*unit {
			return d.Round(unit)
		}
	}
	return d.Round(time.Microsecond)
}

// signed formats a duration in seconds, with its sign.
func signed(d time.Duration) string {
	return fmt.Sprintf("%+.3fs", d.Seconds())
}
