package mutants

const (
	attemptFile = "elector/machine/attempt.go"
	configFile  = "elector/machine/config.go"
	loopsFile   = "elector/machine/loops.go"
	machineFile = "elector/machine/machine.go"
	recordFile  = "elector/machine/record.go"
	releaseFile = "elector/machine/release.go"
	strictFile  = "elector/machine/strict.go"
)

// algorithm is what can go wrong in a candidate.
func algorithm() []Mutant {
	return []Mutant{
		{Name: "no-observed-time", About: "nobody remembers when it saw a record change",
			Edits: []Edit{{machineFile, Statements, `m.observedAt, m.hasObserved = at, true`,
				`m.observedAt, m.hasObserved = 0, true`}}},
		{Name: "every-read-observes", About: "a record that has not changed is observed anew",
			Edits: []Edit{{attemptFile, Condition, `m.changed(r) || m.gone`, `m.changed(r) || true`}}},
		{Name: "own-clock", About: "expiry is RenewTime against the observer's wall clock",
			Edits: []Edit{{machineFile, Statements, `return m.hasObserved && m.observedAt.Add(lasts) > at`,
				`return m.hasObserved && m.observed.Renew+Wall(lasts) > m.now.Wall`}}},
		{Name: "expiry-off-by-one", About: "a lease counts for a nanosecond less than it says",
			Scenario: "to-the-nanosecond",
			Edits: []Edit{{machineFile, Statements, `return m.hasObserved && m.observedAt.Add(lasts) > at`,
				`return m.hasObserved && m.observedAt.Add(lasts) > at+1`}}},
		{Name: "expiry-second-early", About: "a lease counts for a second less than it says",
			Edits: []Edit{{machineFile, Statements, `return m.hasObserved && m.observedAt.Add(lasts) > at`,
				`return m.hasObserved && m.observedAt.Add(lasts-time.Second) > at`}}},
		{Name: "expiry-by-wall-clock", About: "the wait for expiry is measured by a clock that jumps",
			Edits: []Edit{
				{attemptFile, Statements, `m.observe(r.Record, m.now.Mono)`, `m.observe(r.Record, Mono(m.now.Wall))`},
				{attemptFile, Condition, `r.Record.Holder != "" && m.leaseValid(m.attempt.startedAt) && !m.own`,
					`r.Record.Holder != "" && m.leaseValid(Mono(m.now.Wall)) && !m.own`},
			}},
		{Name: "lease-never-looked-at", About: "another's lease is taken whether it has run out or not",
			Edits: []Edit{{attemptFile, Condition, `r.Record.Holder != "" && m.leaseValid(m.attempt.startedAt) && !m.own`,
				`false`}}},
		{Name: "lease-in-milliseconds", About: "leaseDurationSeconds is read as milliseconds",
			Edits: []Edit{{recordFile, Statements,
				`return time.Duration(min(max(r.DurationSeconds, -limit), limit)) * time.Second`,
				`return time.Duration(min(max(r.DurationSeconds, -limit), limit)) * time.Millisecond`}}},
		{Name: "seconds-cut-off", About: "the record promises less than the leader counts on",
			Edits: []Edit{{configFile, Condition,
				`c.Profile.Seconds == RoundUp && c.LeaseDuration%time.Second != 0`, `false`}}},
		{Name: "renewals-not-compared", About: "a record that only carries another renewTime is taken for the same",
			Edits: []Edit{{machineFile, Condition, `renew == seen.Renew`, `true`}}},
		{Name: "compared-by-seconds", About: "renewals within a second look the same",
			Edits: []Edit{{machineFile, Condition, `m.cfg.Profile.Compare == CompareSeconds`, `true`}}},
		{Name: "stamp-reused", About: "a retry carries the renewTime of the attempt that it repeats",
			Scenario: "h16-retry-in-disguise-aimed",
			Edits:    []Edit{{attemptFile, Condition, `m.cfg.Profile.Stamp == StampRequest`, `false`}}},
		{Name: "conflict-as-success", About: "a 409 on the update after a read is taken for yes",
			Edits: []Edit{{attemptFile, Condition, `r.Outcome == Done`,
				`r.Outcome == Done || r.Outcome == Conflict`}}},
		{Name: "conflict-on-renewal-as-success", About: "a 409 on the optimistic update is taken for yes",
			Edits: []Edit{
				{attemptFile, Condition, `m.attempt.step == stepOptimistic && r.Outcome != Done`,
					`m.attempt.step == stepOptimistic && r.Outcome != Done && r.Outcome != Conflict`},
				{attemptFile, Condition, `r.Outcome == Done`,
					`r.Outcome == Done || r.Outcome == Conflict && m.attempt.step == stepOptimistic`},
			}},
		{Name: "no-answer-as-success", About: "a request without an answer is taken for yes",
			Edits: []Edit{{attemptFile, Condition, `r.Outcome == Done`,
				`r.Outcome == Done || r.Outcome == Failed`}}},
		{Name: "transitions-not-counted", About: "a takeover leaves leaseTransitions as they were",
			Edits: []Edit{{attemptFile, Statements, `m.request.Record.Transitions = r.Record.Transitions + 1`,
				`m.request.Record.Transitions = r.Record.Transitions`}}},
		{Name: "transitions-counted-by-renewals", About: "each renewal counts as a change of holder",
			Edits: []Edit{{attemptFile, Statements, `r.Acquire, r.Transitions = m.observed.Acquire, m.observed.Transitions`,
				`r.Acquire, r.Transitions = m.observed.Acquire, m.observed.Transitions+1`}}},
		{Name: "transitions-lost-by-release", About: "a release starts the count anew",
			Edits: []Edit{{releaseFile, Statements, `m.sendRelease(r.Record.Transitions)`, `m.sendRelease(0)`}}},
		{Name: "vacancy-not-waited-out", About: "a lock that is gone is taken although its holder may still work",
			Scenario: "h13-lock-deleted",
			Edits:    []Edit{{attemptFile, Condition, `m.observed.Holder != "" && m.leaseValid(m.attempt.startedAt)`, `false`}}},
		{Name: "own-by-name", About: "another process of the same name is taken for oneself",
			Edits: []Edit{{machineFile, Condition, `r.Holder != m.cfg.Identity || m.cfg.Profile.Own == OwnByName`, `true`}}},
		{Name: "belief-not-cleared", About: "IsLeader says yes after the work was told to end",
			Edits: []Edit{{machineFile, Statements, `return m.led && !m.workEnds`, `return m.led`}}},
		{Name: "deadline-from-answer", About: "RenewDeadline counts from the answer, not from the request",
			Edits: []Edit{{attemptFile, Statements, `m.renewedAt = m.attempt.sentAt`, `m.renewedAt = m.now.Mono`}}},
		{Name: "deadline-not-enforced", About: "a leader that cannot renew goes on trying and working",
			Edits: []Edit{
				{strictFile, Condition, `m.now.Mono < m.renewedAt.Add(m.cfg.RenewDeadline)`, `true`},
				{machineFile, Statements, `		m.expire()`, ``},
			}},
		{Name: "deadline-late", About: "a leader works on for a quarter of its deadline more",
			Edits: []Edit{
				{strictFile, Condition, `m.now.Mono < m.renewedAt.Add(m.cfg.RenewDeadline)`,
					`m.now.Mono < m.renewedAt.Add(m.cfg.RenewDeadline*5/4)`},
				{strictFile, Statements, `m.setAt(Deadline, m.renewedAt).Wait = m.cfg.RenewDeadline`,
					`m.setAt(Deadline, m.renewedAt).Wait = m.cfg.RenewDeadline * 5 / 4`},
			}},
		{Name: "deadline-pushed-by-failures", About: "a failed attempt puts the deadline off like a renewal",
			Edits: []Edit{
				{strictFile, Condition, `m.now.Mono < m.renewedAt.Add(m.cfg.RenewDeadline)`, `true`},
				{strictFile, Statements, `m.await = awaitRetry`,
					`m.await = awaitRetry
					m.set(Deadline, m.cfg.RenewDeadline)`},
			}},
		{Name: "release-without-holder-check", About: "a release blanks whoever's record it finds",
			Edits: []Edit{{releaseFile, Statements, `return m.mine(r)`, `return true`}}},
		{Name: "release-as-believed", About: "a release asks what the candidate believes, not what it has just read",
			Edits: []Edit{{releaseFile, Condition, `m.cfg.Profile.Release == ReleaseOwned`, `false`}}},
		{Name: "release-before-work", About: "the lock is given up while the work goes on",
			Edits: []Edit{{loopsFile, Condition, `m.cfg.Profile.Stopping == WorkFirst && m.phase == Renewing`, `false`}}},
		{Name: "drain-not-waited-for", About: "the lock is given up while the work drains",
			Edits: []Edit{{strictFile, Statements, "if m.workOver {\n\t\tm.drained()\n\t\treturn\n\t}",
				"m.drained()\nreturn"}}},
		{Name: "release-names-holder", About: "a release leaves the name in the record, and a lease of a second",
			Edits: []Edit{{releaseFile, Statements, `m.sendOfRelease(Update)`,
				`m.release.Record.Holder = m.cfg.Identity
				m.sendOfRelease(Update)`}}},
	}
}
