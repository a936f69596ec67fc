package mutants

const (
	acquireFile  = "elector/ttl/acquire.go"
	leadFile     = "elector/ttl/lead.go"
	keyFile      = "simlock/key.go"
	rowFile      = "simlock/row.go"
	expiringFile = "simlock/expiring.go"
	startFile    = "internal/sim/start.go"
)

// expiring returns bugs in a lock that expires by itself: bugs in a candidate, in its lock and at the service.
func expiring() []Mutant {
	return []Mutant{
		{Name: "ttl-deadline-from-answer", About: "an entry counts from the answer, not from the request",
			Edits: []Edit{{leadFile, Statements, `m.heldFrom = m.sentAt`, `m.heldFrom = m.now.Mono`}}},
		{Name: "ttl-deadline-late", About: "a leader works on for a half of its deadline more",
			Edits: []Edit{
				{leadFile, Condition, `m.now.Mono < m.heldFrom.Add(m.cfg.RenewDeadline)`,
					`m.now.Mono < m.heldFrom.Add(m.cfg.RenewDeadline*3/2)`},
				{leadFile, Statements, `m.set(machine.Deadline, m.heldFrom, m.cfg.RenewDeadline)`,
					`m.set(machine.Deadline, m.heldFrom, m.cfg.RenewDeadline*3/2)`},
			}},
		{Name: "ttl-margin-dropped", About: "a leader works until its entry runs out, not until its deadline", Killer: "safety-window",
			Edits: []Edit{
				{leadFile, Condition, `m.now.Mono < m.heldFrom.Add(m.cfg.RenewDeadline)`,
					`m.now.Mono < m.heldFrom.Add(m.cfg.LeaseDuration)`},
				{leadFile, Statements, `m.set(machine.Deadline, m.heldFrom, m.cfg.RenewDeadline)`,
					`m.set(machine.Deadline, m.heldFrom, m.cfg.LeaseDuration)`},
			}},
		{Name: "ttl-release-before-work", About: "the entry is given up while the work goes on",
			Edits: []Edit{{leadFile, Condition, `m.cfg.Profile.EndsWorkFirst()`, `false`}}},
		{Name: "ttl-drain-not-waited-for", About: "the entry is given up while the work drains",
			Edits: []Edit{{leadFile, Condition, `!workFirst || m.workOver`, `true`}}},
		{Name: "ttl-conflict-as-success", About: "an entry that is another's is taken for got",
			Edits: []Edit{{acquireFile, Condition, `r.Outcome == machine.Done`,
				`r.Outcome == machine.Done || r.Outcome == machine.Conflict`}}},
		{Name: "key-anybodys", About: "whoever asks refreshes and releases a key", Killer: "single-record",
			Edits: []Edit{{keyFile, Condition, `k.mark == op.UID`, `true`}}},
		{Name: "key-expires-early", About: "a key that was just made lives for a tenth less", Killer: "single-record",
			Edits: []Edit{{keyFile, Statements, `k.expires = at.Add(op.TTL)`, `k.expires = at.Add(op.TTL * 9 / 10)`}}},
		{Name: "key-refresh-not-kept", About: "a refresh is answered 200, and the key expires as before", Killer: "single-record",
			Edits: []Edit{{keyFile, Statements, `k.expires, r.Changed = until, true`, `r.Changed = true`}}},
		{Name: "key-token-reused", About: "every entry has the same token", Killer: "single-record",
			Edits: []Edit{{keyFile, Statements, `k.exists, k.holder, k.mark, k.token = true, op.Record.Holder, op.UID, k.changes`,
				`k.exists, k.holder, k.mark, k.token = true, op.Record.Holder, op.UID, 1`}}},
		{Name: "row-taken-at-any-age", About: "a row that has not expired is replaced", Killer: "single-record",
			Edits: []Edit{{rowFile, Condition, `t.exists && (t.mark == 0 || expired)`, `t.exists`}}},
		{Name: "row-expires-early", About: "a row counts for a tenth less than its TTL", Killer: "single-record",
			Edits: []Edit{{rowFile, Condition, `t.updated < at-t.lasts`, `t.updated < at-t.lasts*9/10`}}},
		{Name: "row-expired-yet-refreshed", About: "a row that has expired is refreshed", Killer: "single-record",
			Edits: []Edit{{rowFile, Condition, `mine && !expired`, `mine`}}},
		{Name: "row-counter-not-grown", About: "who replaces a row keeps its token", Killer: "single-record",
			Edits: []Edit{{rowFile, Statements, `t.counter++`, ``}}},
		{Name: "row-time-not-kept", About: "a refresh is answered 200, and the row is as old as before", Killer: "single-work",
			Edits: []Edit{{rowFile, Statements, `t.updated = t.kept(at)`, ``}}},
		{Name: "release-not-disowned", About: "a release that was given up ends what was made after it",
			Edits: []Edit{{expiringFile, Statements, "\t\tl.disown()", ``}}},
		{Name: "restarted-owner", About: "a new process takes the entry of the old one for its own", Killer: "single-record",
			Edits: []Edit{{startFile, Condition, `n.process != n.Incarnation`, `n.process == 0`}}},
	}
}
