package leasewatch

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// metric is a metric of each Lease, in Prometheus' text format. value returns its value; the bool is false if this Lease has no
// value.
type metric struct {
	name, kind, help string
	value            func(*lock) (string, bool)
}

// seconds returns a duration in seconds as a decimal number.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// held is the only metric that has the holder's name as a label: a change of the holder begins another series.
const held = "interregnum_lease_held"

// metrics are all metrics of Leases. A Lease that was deleted has none.
var metrics = []metric{
	{"interregnum_lease_last_write_seconds", "gauge", "Seconds since the watch saw the last write of the record; at least so many, if it was there when the watch began.",
		func(k *lock) (string, bool) { return seconds(time.Since(k.wrote)), true }},
	{"interregnum_lease_duration_seconds", "gauge", "The record's lease duration.",
		func(k *lock) (string, bool) { return seconds(k.record.Duration), k.record.Duration > 0 }},
	{"interregnum_lease_longest_gap_seconds", "gauge", "The longest time between two writes that the watch has seen.",
		func(k *lock) (string, bool) { return seconds(k.gap), k.writes > 1 }},
	{"interregnum_lease_writes_total", "counter", "Writes of the record that the watch has seen.",
		func(k *lock) (string, bool) { return strconv.Itoa(k.writes), true }},
	{"interregnum_lease_transitions_total", "counter", "Changes of the holder that the watch has seen.",
		func(k *lock) (string, bool) { return strconv.Itoa(k.transitions), true }},
	{held, "gauge", "1 if the record names a holder, 0 if the lock was released.",
		func(k *lock) (string, bool) {
			if k.record.Holder == "" {
				return "0", true
			}
			return "1", true
		}},
}

// ofWatch is the text of the metrics of the watch itself.
const ofWatch = `# HELP interregnum_watch_interruptions_total How often the watch began again; writes between may be missing.
# TYPE interregnum_watch_interruptions_total counter
interregnum_watch_interruptions_total %d
# HELP interregnum_watch_up 1 while the Leases are watched, 0 while the server does not let it or is away.
# TYPE interregnum_watch_up gauge
interregnum_watch_up %d
`

// ServeHTTP answers with the metrics of the Leases, in Prometheus' text format.
func (w *Watch) ServeHTTP(out http.ResponseWriter, _ *http.Request) {
	out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(out, w.text()) // whoever asked may be gone
}

// text returns all metrics in Prometheus' text format: those of Leases sorted by namespace and name, without deleted ones, and then
// those of the watch.
func (w *Watch) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	order := slices.SortedFunc(maps.Keys(w.locks), func(a, b evidence.Lock) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	var b strings.Builder
	for _, m := range metrics {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
		for _, about := range order {
			k := w.locks[about]
			if value, has := m.value(k); has && !k.gone {
				labels := "namespace=" + label(about.Namespace) + ",lease=" + label(about.Name)
				if m.name == held {
					labels += ",holder=" + label(k.record.Holder)
				}
				fmt.Fprintf(&b, "%s{%s} %s\n", m.name, labels, value)
			}
		}
	}
	up := 0
	if w.up {
		up = 1
	}
	fmt.Fprintf(&b, ofWatch, w.seen.Interruptions, up)
	return b.String()
}

// label returns the quoted value of a label.
func label(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\uFFFD")) + `"`
}
