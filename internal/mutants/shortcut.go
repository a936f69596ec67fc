package mutants

// shortcut returns bugs in the simulator's short cut. A test finds each by a difference to a run without the short cut.
func shortcut() []Mutant {
	const (
		exchangeFile = "internal/sim/exchange.go"
		settledFile  = "elector/machine/settled.go"
		lockFile     = "simlock/settled.go"
		fireFile     = "internal/sim/fire.go"
		queueFile    = "internal/sim/queue/queue.go"
	)
	return []Mutant{
		{Name: "shortcut-under-rules", About: "faults on messages are passed by",
			Edits: []Edit{{exchangeFile, Condition, `!w.network.Spares(&n.Line, d.lock.Object)`, `false`}}},
		{Name: "shortcut-over-ties", About: "what is due as the answer comes is passed by",
			Edits: []Edit{{exchangeFile, Condition, `w.NextAt() <= at`, `w.NextAt() < at`}}},
		{Name: "shortcut-over-all", About: "what is due before the answer comes is passed by",
			Edits: []Edit{{exchangeFile, Condition, `w.NextAt() <= at`, `false`}}},
		{Name: "shortcut-over-messages", About: "a timer is taken to be all that can be due before the answer comes",
			Edits: []Edit{{exchangeFile, Condition, `e.Kind != timerDue`, `false`}}},
		{Name: "shortcut-over-timers", About: "a timer that is due before the answer comes is passed by",
			Edits: []Edit{{exchangeFile, Condition, `w.live(e)`, `false`}}},
		{Name: "shortcut-over-faults", About: "what was there from the start is passed by",
			Edits: []Edit{{queueFile, Statements, `return min(at, q.planned)`, `return at`}}},
		{Name: "shortcut-to-the-end", About: "an answer at the horizon counts",
			Edits: []Edit{{exchangeFile, Condition, `at < w.Horizon`, `at <= w.Horizon`}}},
		{Name: "shortcut-to-the-timeout", About: "an answer counts that comes as its timeout is due",
			Edits: []Edit{{exchangeFile, Condition, `then.Mono-now.Mono >= d.patience`, `then.Mono-now.Mono > d.patience`}}},
		{Name: "shortcut-without-timeout", About: "the request timeout is passed by",
			Edits: []Edit{{exchangeFile, Condition, `c.RequestTimeout > 0`, `false`}}},
		{Name: "shortcut-until-the-timeout", About: "a request timeout counts in place of the deadline of a poll",
			Edits: []Edit{{exchangeFile, Statements, `patience = min(patience, c.RequestTimeout)`, `patience = c.RequestTimeout`}}},
		{Name: "shortcut-past-coordinator", About: "a coordinator is passed by",
			Edits: []Edit{{"internal/sim/run.go", Statements, `w.noShortcut = r.NoShortcut || d != nil || p.Coordinator != nil`,
				`w.noShortcut = r.NoShortcut || d != nil`}}},
		{Name: "shortcut-past-director", About: "a director is passed by",
			Edits: []Edit{{"internal/sim/run.go", Statements, `w.noShortcut = r.NoShortcut || d != nil || p.Coordinator != nil`,
				`w.noShortcut = r.NoShortcut || p.Coordinator != nil`}}},
		{Name: "shortcut-past-client", About: "a client that keeps requests back, repeats them or has to dial is passed by",
			Edits: []Edit{{exchangeFile, Condition, `c.Client != nil`, `false`}}},
		{Name: "shortcut-without-deadline", About: "the deadline of a poll is passed by",
			Edits: []Edit{{exchangeFile, Statements, `return direct{m, single, machine.Mono(patience)}`,
				`return direct{m, single, machine.Mono(patience) * 1000}`}}},
		{Name: "shortcut-in-true-time", About: "a timeout runs on a clock without drift",
			Edits: []Edit{{exchangeFile, Condition, `then.Mono-now.Mono >= d.patience`,
				`machine.Mono(answered-w.Now) >= d.patience`}}},
		{Name: "shortcut-redrawn", About: "an attempt that takes the long way after all draws its delays once more",
			Edits: []Edit{{exchangeFile, Statements, `n.Line.Return(before)`, `_ = before`}}},
		{Name: "shortcut-on-any-version", About: "a renewal replaces a version that its lock has not seen",
			Edits: []Edit{{lockFile, Condition, `l.version == i.object.version`, `true`}}},
		{Name: "shortcut-on-a-blank", About: "a lock without an object renews one",
			Edits: []Edit{{lockFile, Condition, `l.have == known`, `true`}}},
		{Name: "shortcut-on-nothing", About: "a lock that is gone is there",
			Edits: []Edit{{exchangeFile, Condition, `record == nil`, `false`}}},
		{Name: "shortcut-of-frozen", About: "a frozen process sends requests",
			Edits: []Edit{{fireFile, Condition, `n.parks(e)`, `n.parks(e) && t != machine.Retry`}}},
		{Name: "shortcut-without-own", About: "a leader renews at once whatever it has read last",
			Edits: []Edit{{settledFile, Condition, `m.renewsAtOnce(now)`, `true`}}},
		{Name: "shortcut-while-acquiring", About: "a candidate that no longer leads renews at once",
			Edits: []Edit{{settledFile, Condition, `m.phase == Renewing`, `true`}}},
		{Name: "shortcut-past-news", About: "nobody hears of a new leader",
			Edits: []Edit{{settledFile, Condition, `r.Holder == m.reported`, `true`}}},
		{Name: "shortcut-past-vacancy", About: "a lock that was released is left alone",
			Edits: []Edit{{settledFile, Condition, `r.Holder == m.reported`, `(r.Holder == m.reported || r.Holder == "")`}}},
		{Name: "shortcut-past-itself", About: "a candidate that finds its own lease takes it for another's",
			Edits: []Edit{{machineFile, Condition, `m.reported != m.cfg.Identity`, `true`}}},
		{Name: "shortcut-past-belief", About: "a candidate that has renewed by an attempt of an earlier Run reads another's lease",
			Edits: []Edit{{settledFile, Condition, `!m.own`, `true`}}},
		{Name: "shortcut-past-expiry", About: "a lease that has run out is left alone",
			Edits: []Edit{{settledFile, Condition, `m.leaseValid(now)`, `true`}}},
		{Name: "shortcut-past-zero", About: "a lease of no duration is left alone",
			Edits: []Edit{{settledFile, Condition, `r.DurationSeconds > 0`, `true`}}},
	}
}
