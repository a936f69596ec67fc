package read

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// notice keeps a Kubernetes event that says that somebody has become the leader, or stopped leading. It counts any other event
// as skipped.
func (f *file) notice(o *object) {
	s := f.of("", evidence.Events)
	s.known = true
	about := o.InvolvedObject
	if about.Name == "" {
		about = o.Regarding
	}
	text, combined := strings.CutPrefix(cmp.Or(o.Message, o.Note), combinedEvents)
	who, leads, ok := whoLeads(text)
	n := o.when()
	if o.Reason != "LeaderElection" || !ok || kinds[about.Kind] == "" || n.At.IsZero() {
		s.skip("events about other things than elections")
		return
	}
	if combined {
		n.First, n.Count = n.At, 1
	}
	n.Place, n.Identity, n.Leads = s.place(), who, leads
	n.Lock = evidence.Lock{Resource: kinds[about.Kind], Namespace: about.Namespace, Name: about.Name}
	s.count(n.At)
	s.widen(n.First)
	s.e.Notices = append(s.e.Notices, n)
}

// combinedEvents is what client-go puts before the message of an event that stands for several with other messages. Only its last time is that of
// this message.
const combinedEvents = "(combined from similar events): "

// when returns a notice with the times, the count and the unit of an event, and nothing else. Events in the old form have whole
// seconds.
func (o *object) when() evidence.Notice {
	n := evidence.Notice{First: o.EventTime, At: o.Series.Last, Count: o.Series.Count, Unit: time.Microsecond}
	if n.First.IsZero() {
		n = evidence.Notice{First: o.FirstTimestamp, At: o.LastTimestamp, Count: o.Count, Unit: time.Second}
	}
	if n.First.IsZero() && n.At.IsZero() {
		n.First, n.At, n.Count = o.OldFirst, o.OldLast, o.OldCount
	}
	if n.At.IsZero() {
		n.At = n.First
	}
	if n.Count <= 1 || n.First.IsZero() || n.First.After(n.At) {
		n.First, n.Count = n.At, 1
	}
	return n
}

// series is one series of samples in an answer of Prometheus.
type series struct {
	Metric map[string]string    `json:"metric"`
	Values [][2]json.RawMessage `json:"values"`
	Value  [2]json.RawMessage   `json:"value"`
	// Stream has the labels of lines in an answer of Loki.
	Stream map[string]string `json:"stream"`
}

// loki keeps what the lines in an answer of Loki say: those of audit logs, and those of processes' logs. It counts broken and blank
// ones as skipped.
func (f *file) loki(o *object) {
	f.line = 0
	for i := range o.Data.Result {
		x := &o.Data.Result[i]
		for _, v := range x.Values {
			f.line++
			var nanoseconds, line string
			if json.Unmarshal(v[0], &nanoseconds) != nil || json.Unmarshal(v[1], &line) != nil || strings.TrimSpace(line) == "" {
				f.skip(broken)
				continue
			}
			around := outer{process: x.Stream["pod"]}
			around.stamp, around.stamped = fieldStamp(nanoseconds, true, f.o.Zone)
			text := []byte(strings.TrimSpace(line))
			if event := AuditIn(text); event != nil {
				f.audit(event, serverOfStream(x.Stream))
			} else if text = plain(text); len(text) > 0 {
				f.said(&around, text)
			}
		}
	}
}

// prometheus keeps the samples of the metric leader_election_master_status in an answer of Prometheus. It counts other series as
// skipped.
func (f *file) prometheus(o *object) {
	s := f.of("", evidence.Metrics)
	s.known = true
	for i := range o.Data.Result {
		x := &o.Data.Result[i]
		if name := x.Metric["__name__"]; name != "leader_election_master_status" {
			s.skip("series of other metrics")
			continue
		}
		values := x.Values
		if x.Value[0] != nil {
			values = append(values, x.Value)
		}
		s.line = i + 1
		from := len(s.e.Samples)
		for _, v := range values {
			s.sample(x.Metric, v)
		}
		age(s.e.Samples[from:])
	}
}

// sample keeps one sample of a series: v is a time in seconds, and a number in quotes, "0" or "1". It counts any other as
// skipped.
func (s *stream) sample(labels map[string]string, v [2]json.RawMessage) {
	var seconds float64
	var value string
	if json.Unmarshal(v[0], &seconds) != nil || json.Unmarshal(v[1], &value) != nil || math.Abs(seconds) > 1e11 || value != "0" && value != "1" {
		s.skip(broken)
		return
	}
	at := time.UnixMilli(int64(math.Round(seconds * 1000))).UTC()
	s.count(at)
	s.e.Samples = append(s.e.Samples, evidence.Sample{
		Place: s.place(), At: at, Process: cmp.Or(labels["pod"], labels["instance"]), Name: labels["name"], Namespace: labels["namespace"], Leads: value == "1",
	})
}

// lookback is how old a scrape can be, by default, that a query of Prometheus still returns for a time.
const lookback = 5 * time.Minute

// finest is the shortest step of a range query that age considers.
const finest = 100 * time.Millisecond

// age sets Age of the samples of one series, in the order of their times: lookback if they can be those of a range query,
// otherwise 0. Such a query returns values at times of its own, whose distances are multiples of its step. The times of scrapes
// hardly ever have a common measure so long.
func age(all []evidence.Sample) {
	var common time.Duration
	for i := 1; i < len(all); i++ {
		for a := all[i].At.Sub(all[i-1].At).Abs(); a > 0; {
			common, a = a, common%a
		}
	}
	for i := range all {
		if common == 0 || common >= finest {
			all[i].Age = lookback
		}
	}
}
