package calibrate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/phrase"
)

// Request is a request that an API server has logged.
type Request struct {
	Verb               string
	Received, Answered time.Time
	// Status is the status of the answer; 0 if the server panicked or gave up.
	Status int
	// Client and Lock name who sent it, and about which lock; both are "" if that is not known. Only whether they are the same counts.
	Client, Lock string
}

// BehaviourOf returns what requests of one cluster show as usual, as text: the field behaviour of an environment file, which
// Measurement.Behaviour describes. It returns an error if nothing was answered, or if no forecast can be made of what was seen.
func BehaviourOf(all []Request) (string, error) {
	var m Measurement
	for i := range all {
		m.request(&all[i])
	}
	return m.Behaviour()
}

// Episode is a time in which an API server refused requests, failed, gave no answers, or was slow.
type Episode struct {
	Kind        behaviour.Kind
	From, Until time.Time
	// One: it was of Client alone. Requests of others were answered well meanwhile.
	One    bool
	Client string
	// Slow: an answer that took longer counted as slow.
	Slow time.Duration
}

// EpisodesOf returns the episodes that these requests of one cluster show, in the order of their beginnings. BehaviourOf writes
// the same episodes. many is true if there are too many requests to look for any, so that found is nil.
func EpisodesOf(all []Request) (found []Episode, many bool) {
	var m Measurement
	for i := range all {
		m.keep(&all[i])
	}
	if len(m.moments.list) == 0 {
		return nil, m.moments.many
	}
	names := make([]string, len(m.moments.askers.locks))
	for name, i := range m.moments.askers.index {
		names[i] = name
	}
	spells, _ := m.moments.spells()
	for _, s := range spells {
		from := time.Unix(0, int64(s.at)).UTC()
		e := Episode{Kind: s.kind, From: from, Until: from.Add(s.lasts), One: s.one, Slow: s.slow}
		if s.one {
			e.Client = names[s.client]
		}
		found = append(found, e)
	}
	return found, false
}

// request adds a logged request to the measurement: to its counts, and to the moments in which episodes are looked for. A request
// with status 0 counts as failed, under the name panic.
func (m *Measurement) request(r *Request) {
	took := r.Answered.Sub(r.Received)
	m.keep(r)
	if r.Status == 0 {
		m.fail("panic", took)
		return
	}
	m.answer(r.Verb, r.Status, took)
}

// keep adds a request to the moments in which episodes are looked for. It does not count the request: answer and fail do that.
func (m *Measurement) keep(r *Request) {
	if m.moments.many {
		return
	}
	m.moments.add(moment{
		at: time.Duration(r.Received.UnixNano()), took: r.Answered.Sub(r.Received), client: m.moments.askers.add(r.Client, r.Lock), status: int16(r.Status),
		write: r.Verb == "create" || r.Verb == "update" || r.Verb == "patch",
	})
}

// Behaviour returns what a measurement shows as usual, as text: the field behaviour of an environment file. It has the round
// trips outside of episodes, how often single requests failed, and the outages, stalls and brownouts as episodes. It returns an
// error if nothing was answered, or if no forecast can be made of what was seen, such as of episodes for most of the time. It
// sorts the measurement's moments.
func (m *Measurement) Behaviour() (string, error) {
	if m.all.counts == nil {
		return "", errors.New("want requests that were answered, got none: nothing is known of what is usual")
	}
	if len(m.moments.list) == 0 {
		comment := ""
		if m.moments.many {
			comment = fmt.Sprintf("  # More than %d requests: episodes were not looked for.\n", mostMoments)
		}
		return Behaviour(m.All(), m.Failed()) + comment, nil
	}
	spells, rest := m.moments.spells()
	usual, trips := measured(rest)
	text := Behaviour(usual.All(), usual.Failed())
	if a := behaviour.Autocorrelation(trips); a > 0.2 && a > 3/math.Sqrt(float64(len(trips))) {
		text += fmt.Sprintf("  # Answers are like those before them (autocorrelation %.2f), and a forecast draws each on its own: it has too few losses.\n", a)
	}
	seen, silent := m.moments.span()
	if silent > 0 {
		text += fmt.Sprintf("  # Times of more than %s in which nothing is logged, %s in all, do not count.\n", phrase.Duration(silence),
			phrase.Duration(silent.Truncate(time.Second)))
	}
	text += m.moments.episodes(spells, seen)
	if _, _, err := behaviour.Read("what the log shows", strings.NewReader(text)); err != nil {
		return "", fmt.Errorf("no forecast can be made of it: %w", err)
	}
	return text, nil
}

// measured returns a measurement of these requests, and the round trips of those that did not fail. It counts requests by their
// status, answered ones under the verb "", and those with status 0 as failed, under the name lost.
func measured(all []moment) (m Measurement, trips []time.Duration) {
	for i := range all {
		x := &all[i]
		if x.status == 0 {
			m.fail("lost", x.took)
			continue
		}
		m.answer("", int(x.status), x.took)
		if !x.failed() {
			trips = append(trips, x.took)
		}
	}
	return m, trips
}

// Replayed returns, as text, the field behaviour of an environment file that has the recording in that file replayed.
func Replayed(file string) string {
	return "# What is usual is a recording of requests, which is replayed in blocks: docs/forecast.md.\nbehaviour:\n  recorded: {file: " +
		strconv.Quote(file) + "}\n"
}

// Record writes the requests to w, one on each line in the order of their beginnings, in the form in which package behaviour
// reads a recording. It returns an error if there are too many requests or fewer than two, and the error of w.
func (m *Measurement) Record(w io.Writer) error {
	if m.moments.many {
		return fmt.Errorf("want %d requests at most, got more: choose those of one Lease by --lease and --namespace", mostMoments)
	}
	all := m.moments.sorted()
	if len(all) < 2 {
		return fmt.Errorf("want two requests at least, got %d", len(all))
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# Recorded by simulate calibrate, from %s: when a request began, in seconds, how many it took, and its status.\n",
		time.Unix(0, int64(all[0].at)).UTC().Format(time.RFC3339))
	for i := range all {
		status := "lost"
		if all[i].status != 0 {
			status = strconv.Itoa(int(all[i].status))
		}
		fmt.Fprintf(b, "%.6f %.6f %s\n", (all[i].at - all[0].at).Seconds(), all[i].took.Seconds(), status)
	}
	return b.Flush()
}

// episodes returns the spells, as text, as the field episodes of a behaviour, with one entry for each kind, and another one for
// those of single clients; "" if there are none. Each entry has how often and for how long the spells of its kind came; that of
// brownouts also has their round trips and errors. span is the length of the log in which they were found. It sorts the samples
// of a long list.
func (m *moments) episodes(all []spell, span time.Duration) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  # Seen in %v. An audit log has nothing of times in which the server could not be reached: add such outages.\n  episodes:\n",
		span.Truncate(time.Second))
	for _, k := range behaviour.Kinds() {
		m.entry(&b, k, "", slices.DeleteFunc(slices.Clone(all), func(s spell) bool { return s.kind != k || s.one }), span)
		m.entry(&b, k, " on: one,", slices.DeleteFunc(slices.Clone(all), func(s spell) bool { return s.kind != k || !s.one }), span)
	}
	return b.String()
}

// entry writes the entry for spells of that kind to b; on is its field on, as text. If there are none, it writes nothing. A
// spell of a single client counts as the share of all locks that this client asked for, so that every is how often one comes
// for a lock.
func (m *moments) entry(b *strings.Builder, kind behaviour.Kind, on string, all []spell, span time.Duration) {
	if len(all) == 0 {
		return
	}
	var lasts []time.Duration
	var within []moment
	times := 0.0
	for _, s := range all {
		lasts, within = append(lasts, s.lasts), append(within, s.within...)
		share := 1.0
		if s.one {
			share = float64(len(m.askers.locks[s.client])) / float64(len(m.askers.all))
		}
		times += share
	}
	every := time.Duration(float64(span) / times).Truncate(time.Millisecond)
	fmt.Fprintf(b, "  - {kind: %s,%s every: %s, lasts: {samples: [%s]}", kind, on, phrase.Duration(max(time.Millisecond, every)), samplesOf(lasts, time.Millisecond))
	if kind == behaviour.Brownout {
		usual, trips := measured(within)
		fmt.Fprintf(b, ", roundTrip: {samples: [%s]}", samplesOf(trips, time.Microsecond))
		answered := usual.All()
		if errors := errorRates(&answered, usual.Failed()); len(errors) > 0 {
			fmt.Fprintf(b, ", errors: [%s]", strings.Join(errors, ", "))
		}
	}
	b.WriteString("}\n")
}

// mostSamples bounds how many samples are written for a distribution.
const mostSamples = 100

// samplesOf returns durations as text, with commas between, each rounded up to a multiple of unit. If there are more than
// mostSamples, it sorts the list in place, and writes mostSamples quantiles instead, among them the longest, in a mixed order:
// the reader of the file would take neighbours that are alike for answers that are slow together.
func samplesOf(all []time.Duration, unit time.Duration) string {
	if n := len(all); n > mostSamples {
		slices.Sort(all)
		quantiles := make([]time.Duration, mostSamples)
		for i := range quantiles {
			quantiles[i] = all[(i*37%mostSamples+1)*n/mostSamples-1]
		}
		all = quantiles
	}
	var words []string
	for _, d := range all {
		words = append(words, phrase.Duration((d + unit - 1).Truncate(unit)))
	}
	return strings.Join(words, ", ")
}
