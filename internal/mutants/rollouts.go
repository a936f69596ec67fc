package mutants

// rollouts returns bugs in rolling updates: an update ends too late, never, or although its pods are not ready.
func rollouts() []Mutant {
	const (
		rolloutFile = "internal/sim/rollout.go"
		ends        = "rollout-ends"
	)
	return []Mutant{
		{Name: "rollout-spares-one-more", About: "an old pod goes only where two may", Killer: ends,
			Edits: []Edit{{rolloutFile, Condition, `spare <= 0 || unready+surplus == 0`, `spare <= 1 || unready+surplus == 0`}}},
		{Name: "rollout-never-looks-again", About: "a rollout looks at its pods once", Killer: ends,
			Edits: []Edit{{rolloutFile, Condition, `len(w.rollouts) > 0 && w.rolledAt != w.turns.seen+1`,
				`len(w.rollouts) > 0 && w.rolledAt == 0`}}},
		{Name: "rollout-starts-late", About: "a pod takes twice as long to start", Killer: ends,
			Edits: []Edit{{rolloutFile, Statements, `w.beginAgain(g, clock.Instant(r.Startup))`,
				`w.beginAgain(g, 2*clock.Instant(r.Startup))`}}},
		{Name: "rollout-void", About: "a rollout of several pods does nothing", Killer: ends,
			Edits: []Edit{{rolloutFile, Condition, `slices.ContainsFunc(f.On, w.inRollout)`, `len(f.On) > 1`}}},
		{Name: "rollout-of-unready-pods", About: "a rollout is over before its pods are ready", Killer: ends,
			Edits: []Edit{{rolloutFile, Condition, `readyNew == want`, `true`}}},
	}
}
