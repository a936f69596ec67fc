package adversary

import (
	"fmt"
	"strings"
	"time"
)

// Show returns a text that says what happened in a run: one line for each candidate, one for the service's clock if the lock
// expires by itself, one for each request up to the beginning of the last work, and one for each work.
func Show(c *Case, g *Genome, o *Outcome) string {
	var b strings.Builder
	last := time.Duration(0)
	for _, w := range o.Works {
		last = max(last, w.Start)
	}
	for i := range g.Parts {
		p := &g.Parts[i]
		fmt.Fprintf(&b, "%s starts at %v, wall clock %v ahead, jitter %v", name(i), o.Starts[i], p.Offset, p.Jitter)
		for _, w := range p.Waits {
			fmt.Fprintf(&b, ", %v after %v", w.Jitter, w.Step)
		}
		for _, a := range p.Cancels {
			fmt.Fprintf(&b, ", cancelled %v after %v", a.After, a.Step)
		}
		for _, d := range p.Reruns {
			fmt.Fprintf(&b, ", runs again after %v", d)
		}
		for _, f := range p.Freezes {
			fmt.Fprintf(&b, ", frozen for %v, %v after %v, answers first: %v", f.Length, f.After, f.Step, f.AnswersFirst)
		}
		for _, r := range p.Rates {
			fmt.Fprintf(&b, ", clock %+d ppm %v after %v", r.PPM, r.After, r.Step)
		}
		b.WriteByte('\n')
	}
	if c.Config.Lock.Expires() {
		fmt.Fprintf(&b, "service: %+v\n", g.Service)
	}
	for k := range o.Sent {
		q := &o.Sent[k]
		if q.Sent > last {
			break
		}
		f := c.allow(g.Parts[q.Candidate].fate(q.Step, q.Verb), q.Verb)
		fmt.Fprintf(&b, "%14v %s %d.%d %s", q.Sent, name(q.Candidate), q.Phase, q.Number, q.Verb)
		if f.Hold > 0 {
			fmt.Fprintf(&b, " held %v", f.Hold)
		}
		switch {
		case f.Out.Lost:
			b.WriteString(", lost on its way out")
		case q.Arrived == never:
			b.WriteString(", did not arrive")
		default:
			fmt.Fprintf(&b, ", arrived %v", q.Arrived)
			if q.Wrote {
				b.WriteString(" and wrote")
			}
			switch {
			case f.Back.Lost:
				b.WriteString(", its answer lost")
			case f.Status != 0:
				fmt.Fprintf(&b, ", answer %d", f.Status)
			}
			if q.Handled != never {
				fmt.Fprintf(&b, ", handled %v", q.Handled)
			}
		}
		b.WriteByte('\n')
	}
	for _, w := range o.Works {
		fmt.Fprintf(&b, "%s works from %v to %v\n", name(w.Candidate), w.Start, w.End)
	}
	return b.String()
}

// name returns the ID of the candidate with that index: a, b, and so on.
func name(candidate int) string { return string(rune('a' + candidate)) }
