package read

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// notice keeps an event in which somebody has become the leader, or stopped leading.
func (f *file) notice(o *object) {
	s := f.of("", evidence.Events)
	s.known = true
	about := o.InvolvedObject
	if about.Name == "" {
		about = o.Regarding
	}
	text := cmp.Or(o.Message, o.Note)
	who, leads := strings.CutSuffix(text, " became leader")
	if !leads {
		var stopped bool
		if who, stopped = strings.CutSuffix(text, " stopped leading"); !stopped {
			who = ""
		}
	}
	at := o.EventTime
	if at.IsZero() {
		at = o.LastTimestamp
	}
	if o.Reason != "LeaderElection" || who == "" || kinds[about.Kind] == "" || at.IsZero() {
		s.skip("events about other things than elections")
		return
	}
	s.count(at)
	s.e.Notices = append(s.e.Notices, evidence.Notice{
		Place: s.place(), At: at, Identity: who, Leads: leads,
		Lock: evidence.Lock{Resource: kinds[about.Kind], Namespace: about.Namespace, Name: about.Name},
	})
}

// series is one of an answer of Prometheus.
type series struct {
	Metric map[string]string    `json:"metric"`
	Values [][2]json.RawMessage `json:"values"`
	Value  [2]json.RawMessage   `json:"value"`
}

// prometheus keeps the samples of leader_election_master_status.
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
		for _, v := range values {
			s.sample(x.Metric, v)
		}
	}
}

// sample keeps one sample of a series: seconds and a number in quotes.
func (s *stream) sample(labels map[string]string, v [2]json.RawMessage) {
	var seconds float64
	var value string
	if json.Unmarshal(v[0], &seconds) != nil || json.Unmarshal(v[1], &value) != nil || math.Abs(seconds) > 1e11 {
		s.skip(broken)
		return
	}
	at := time.UnixMilli(int64(math.Round(seconds * 1000))).UTC()
	s.count(at)
	s.e.Samples = append(s.e.Samples, evidence.Sample{
		Place: s.place(), At: at, Process: cmp.Or(labels["pod"], labels["instance"]), Name: labels["name"], Leads: value == "1",
	})
}
