package adversary

import "slices"

// tidy returns a copy of the plan without the segments, waits, cancels and reruns that were not used in its run with outcome o.
// Freezes and changes of a clock's rate stay.
func (g *Genome) tidy(o *Outcome) *Genome {
	out := g.clone()
	for i := range out.Parts {
		p := &out.Parts[i]
		asked := make([]bool, len(p.Segments))
		for k := range o.Sent {
			if q := &o.Sent[k]; q.Candidate == i {
				if s := p.segment(q.Step, q.Verb); s >= 0 {
					asked[s] = true
				}
			}
		}
		kept := p.Segments[:0]
		for k, s := range p.Segments {
			if asked[k] {
				kept = append(kept, s)
			}
		}
		p.Segments = kept
		waits := p.Waits[:0]
		for k, w := range p.Waits {
			if p.wait(w.Step) == k && slices.Contains(o.Drew[i], w.Step) {
				waits = append(waits, w)
			}
		}
		p.Waits = waits
		p.Cancels = p.Cancels[:min(len(p.Cancels), o.Runs[i])]
		p.Reruns = p.Reruns[:min(len(p.Reruns), o.Runs[i])]
	}
	return out
}
