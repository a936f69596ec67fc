package investigate

import (
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// pod is where processes run, one after the other, by one clock. Its processes may have several names in records.
type pod struct {
	name    string
	sources []int
	// sayings are those of all its logs that are about the lock, by its clock.
	sayings []*evidence.Saying
	// unit is the coarsest in which its lines say the time.
	unit time.Duration
	// vague: the stamps are not the process's own, or contradict the order of the lines. Nothing is concluded from them.
	vague bool
	// lows and highs bound the offset of its clock.
	lows, highs []bound
}

// podsOf returns the pods whose logs say something of the lock, by name.
func podsOf(e *evidence.Evidence, lock evidence.Lock) (pods []*pod) {
	byName := map[string]*pod{}
	for i := range e.Sayings {
		s := &e.Sayings[i]
		name := e.Sources[s.Source].Process
		if name == "" || s.Lock.Name != lock.Name || s.Lock.Namespace != lock.Namespace {
			continue
		}
		p := byName[name]
		if p == nil {
			p = &pod{name: name}
			byName[name] = p
			pods = append(pods, p)
		}
		p.add(s)
	}
	for _, p := range pods {
		p.sort()
	}
	slices.SortFunc(pods, func(a, b *pod) int { return strings.Compare(a.name, b.name) })
	return pods
}

func (p *pod) add(s *evidence.Saying) {
	if !slices.Contains(p.sources, s.Source) {
		p.sources = append(p.sources, s.Source)
	}
	p.sayings = append(p.sayings, s)
	p.unit = max(p.unit, unit(s))
	p.vague = p.vague || s.Relayed
}

// sort sorts the pod's sayings by time. A log whose stamps run backwards makes the pod vague.
func (p *pod) sort() {
	slices.SortStableFunc(p.sayings, func(a, b *evidence.Saying) int { return a.At.Compare(b.At) })
	last := map[int]int{}
	for _, s := range p.sayings {
		p.vague = p.vague || s.Line < last[s.Source]
		last[s.Source] = s.Line
	}
}

// unit is how finely a line says the time.
func unit(s *evidence.Saying) time.Duration {
	if s.Unit <= 0 {
		return time.Second
	}
	return s.Unit
}

// has tells whether a holder's name is one of the pod's: its name, or its name with an underscore and more, as client-go's users make them.
func (p *pod) has(holder string) bool {
	return holder == p.name || strings.HasPrefix(holder, p.name+"_")
}

// podOf returns the pod of a holder, nil if none is known.
func podOf(pods []*pod, holder string) *pod {
	for _, p := range pods {
		if p.has(holder) {
			return p
		}
	}
	return nil
}
