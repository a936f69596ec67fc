package investigate

import "interregnum/internal/evidence"

// date sets When of the story. A request has the time when it was received; a line has the bounds of when it was written, if
// both are known and the clock of its pod is trusted. A step that has neither is left out.
func (t *teller) date() {
	wanted := t.stepped()
	t.s.When = map[evidence.Place]Instant{}
	for i := range t.e.Requests {
		if q := &t.e.Requests[i]; wanted[q.Place] {
			t.s.When[q.Place] = Instant{q.Received, q.Received}
		}
	}
	for _, p := range t.pods {
		if !p.trusted() {
			continue
		}
		for _, s := range p.sayings {
			if !wanted[s.Place] {
				continue
			}
			if at := p.instant(s.At, unit(s)); !at.Low.IsZero() && !at.High.IsZero() {
				t.s.When[s.Place] = at
			}
		}
	}
}

// stepped returns the first place of each step of the chains of pairs and losses.
func (t *teller) stepped() map[evidence.Place]bool {
	found := map[evidence.Place]bool{}
	add := func(chain []Link) {
		for i := range chain {
			if len(chain[i].Places) > 0 {
				found[chain[i].Places[0]] = true
			}
		}
	}
	for i := range t.s.Pairs {
		add(t.s.Pairs[i].Worked.Chain)
		add(t.s.Pairs[i].Believed.Chain)
	}
	for i := range t.s.Losses {
		add(t.s.Losses[i].Chain)
	}
	return found
}
