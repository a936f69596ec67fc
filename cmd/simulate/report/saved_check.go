package report

import (
	"fmt"

	"interregnum/scenarios"
)

// impossible returns an error that names a field of a result whose value no run has, nil if there is none.
func impossible(r *scenarios.Result) error {
	if r.Stats.VirtualNs < 0 {
		return fmt.Errorf("stats.virtualNs: want 0 or more, got %d", r.Stats.VirtualNs)
	}
	for i := range r.Terms {
		t := &r.Terms[i]
		if t.StartedNs < 0 {
			return fmt.Errorf("terms[%d].startedNs: want 0 or more, got %d", i, t.StartedNs)
		}
		if t.EndedNs != nil && *t.EndedNs < t.StartedNs {
			return fmt.Errorf("terms[%d].endedNs: want %d or more, when it started, got %d", i, t.StartedNs, *t.EndedNs)
		}
	}
	for i := range r.Properties {
		for k := range r.Properties[i].Violations {
			v := &r.Properties[i].Violations[k]
			if v.FromNs < 0 || v.ToNs < v.FromNs {
				return fmt.Errorf("properties[%d].violations[%d]: want fromNs of 0 or more and toNs of no less, got %d and %d", i, k, v.FromNs, v.ToNs)
			}
		}
	}
	return nil
}
