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
	// unit is how finely its logs say the time.
	unit time.Duration
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
			p = &pod{name: name, unit: time.Second}
			byName[name] = p
			pods = append(pods, p)
		}
		p.add(s)
	}
	for _, p := range pods {
		slices.SortStableFunc(p.sayings, func(a, b *evidence.Saying) int { return a.At.Compare(b.At) })
	}
	slices.SortFunc(pods, func(a, b *pod) int { return strings.Compare(a.name, b.name) })
	return pods
}

func (p *pod) add(s *evidence.Saying) {
	if !slices.Contains(p.sources, s.Source) {
		p.sources = append(p.sources, s.Source)
	}
	p.sayings = append(p.sayings, s)
	if s.At.Nanosecond() != 0 {
		p.unit = time.Microsecond
	}
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
