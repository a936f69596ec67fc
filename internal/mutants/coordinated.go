package mutants

const (
	electFile     = "internal/coordinator/elect.go"
	stepFile      = "internal/coordinator/step.go"
	appointedFile = "elector/machine/coordinated.go"
)

// best is the independent oracle that knows who leads a coordinated election once all is quiet.
const best = "best"

// coordinated returns bugs in a coordinated election: in the coordinator, and in its candidates.
func coordinated() []Mutant {
	const (
		free  = `other && (existing.Holder == "" || LeaseExpired(existing, now))`
		none  = `lease == nil || LeaseExpired(lease, now) || lease.Holder == ""`
		renew = `expired || !m.own || r.preferredHolder() != ""`
	)
	return []Mutant{
		{Name: "newest-elected", About: "the newest version is elected", Killer: best,
			Edits: []Edit{{electFile, Statements, `return c < 0`, `return c > 0`}}},
		{Name: "binary-not-compared", About: "of one emulation version the binary's does not count", Killer: best,
			Edits: []Edit{{electFile, Statements, `c = b.Binary.Compare(than.Binary)`, ``}}},
		{Name: "creation-not-compared", About: "of equals whoever the cache lists first is elected", Killer: best,
			Edits: []Edit{{electFile, Statements, `return b.Created < than.Created`, `return false`}}},
		{Name: "better-not-sought", About: "a better candidate is no reason for an election", Killer: best,
			Edits: []Edit{{stepFile, Statements,
				`return problem == "" && name == OldestEmulationVersion && best(candidates).Name != lease.Holder`, `return false`}}},
		{Name: "term-not-ended", About: "a holder is not told that a better one was elected", Killer: best,
			Edits: []Edit{{stepFile, Statements, `c.PreferredHolder = elected.Holder`, ``}}},
		{Name: "term-end-not-obeyed", About: "a holder whose term was ended renews on", Killer: best,
			Edits: []Edit{{appointedFile, Condition, renew, `expired || !m.own`}}},
		{Name: "expiry-not-looked-at", About: "a Lease that has run out is no reason for an election", Killer: "liveness",
			Edits: []Edit{{stepFile, Condition, none, `lease == nil || lease.Holder == ""`}}},
		{Name: "nobody-pinged", About: "candidates are not asked whether they are there", Killer: "liveness",
			Edits: []Edit{{stepFile, Condition, `len(pings) > 0`, `false`}}},
		{Name: "live-lease-taken", About: "a Lease that has not run out is given to another", Killer: "single-work",
			Edits: []Edit{{stepFile, Condition, free, `other`}}},
		{Name: "unappointed-renewal", About: "whoever finds the Lease renews it in its own name", Killer: "single-work",
			Edits: []Edit{{appointedFile, Condition, renew, `expired || r.preferredHolder() != ""`}}},
	}
}
