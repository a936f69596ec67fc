package explain

import (
	"strconv"
	"strings"
)

// Explanation is the causal chain that led to one overlap of two candidates' work. Times are in nanoseconds of true time
// since the start of the run.
type Explanation struct {
	FromNs int64 `json:"fromNs"`
	ToNs   int64 `json:"toNs"`
	// First worked already when Second started.
	First  string `json:"first"`
	Second string `json:"second"`
	// Election is the election that the work belongs to, "" if there is only one.
	Election string `json:"election,omitempty"`
	// Summary is the chain in a sentence.
	Summary string `json:"summary"`
	// Steps are the events that led to the overlap, in order.
	Steps []Step `json:"steps"`
	// Sum is nil if no sum of times decided when the first one's work ended.
	Sum *Sum `json:"sum,omitempty"`
}

// Step is one event of the chain.
type Step struct {
	AtNs int64 `json:"atNs"`
	// Candidate is "" if the event is about no candidate.
	Candidate string `json:"candidate,omitempty"`
	// Event is the kind of the event, as in trace files.
	Event string `json:"event"`
	Text  string `json:"text"`
}

// Sum compares when the first one's work ends with when the second one may start. EndNs is the sum of End, and StartNs
// the sum of Start. There is no overlap if EndNs is no later than StartNs.
type Sum struct {
	End     []Summand `json:"end"`
	EndNs   int64     `json:"endNs"`
	Start   []Summand `json:"start"`
	StartNs int64     `json:"startNs"`
	Text    string    `json:"text"`
}

// Summand is part of a Sum. The first of a sum is an instant, the others are lengths.
type Summand struct {
	Name string `json:"name"`
	Ns   int64  `json:"ns"`
}

// instant returns a sum of a single term: the instant at, in nanoseconds of true time, under that name.
func instant(name string, at int64) []Summand { return []Summand{{name, at}} }

// newSum returns the comparison of two sums of times, nil if one of them is empty.
func newSum(end, start []Summand) *Sum {
	if len(end) == 0 || len(start) == 0 {
		return nil
	}
	s := &Sum{End: end, EndNs: total(end), Start: start, StartNs: total(start)}
	s.Text = spell(end) + " > " + spell(start)
	return s
}

// total returns the sum of the terms, in nanoseconds.
func total(terms []Summand) (sum int64) {
	for _, t := range terms {
		sum += t.Ns
	}
	return sum
}

// spell returns a sum as text: "a 1s + b 2s = 3s". It leaves out the total of a single term.
func spell(terms []Summand) string {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = t.Name + " " + seconds(t.Ns)
	}
	text := strings.Join(parts, " + ")
	if len(terms) > 1 {
		text += " = " + seconds(total(terms))
	}
	return text
}

// seconds returns a time in seconds as text, exactly, so that the terms of a sum add up.
func seconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	const second = 1_000_000_000
	text := sign + strconv.FormatInt(ns/second, 10)
	if rest := ns % second; rest != 0 {
		text += "." + strings.TrimRight(strconv.FormatInt(second+rest, 10)[1:], "0")
	}
	return text + "s"
}
