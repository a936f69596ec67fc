package mutants

// claims returns bugs in the rules of investigate by which it claims too much. A test finds each by a claim that is wrong.
func claims() []Mutant {
	const (
		answerFile   = "internal/investigate/answer.go"
		clockFile    = "internal/investigate/clock.go"
		courseFile   = "internal/investigate/course.go"
		departFile   = "internal/investigate/departure.go"
		envelopeFile = "internal/investigate/envelope.go"
		lossFile     = "internal/investigate/loss.go"
		paceFile     = "internal/investigate/pace.go"
		podFile      = "internal/investigate/pod.go"
		pairFile     = "internal/investigate/pair.go"
		sightFile    = "internal/investigate/sight.go"
		spanFile     = "internal/investigate/span.go"
	)
	return []Mutant{
		{Name: "claims-without-drift", About: "clocks run alike",
			Edits: []Edit{{envelopeFile, Statements, `return slope(d.Abs()) + time.Microsecond`, `return 0`}}},
		{Name: "claims-fine-stamps", About: "the records of all locks have microseconds",
			Edits: []Edit{{clockFile, Condition, `lock.Resource == "leases"`, `true`}}},
		{Name: "claims-fine-lines", About: "all lines have the time to the nanosecond",
			Edits: []Edit{{clockFile, Statements, `i.High = at.Add(*high + unit)`, `i.High = at.Add(*high)`}}},
		{Name: "claims-release-is-renewal", About: "whoever cannot read the record works",
			Edits: []Edit{
				{courseFile, Condition, `strings.Contains(text, readFailed)`, `false`},
				{courseFile, Condition, `s.Step == evidence.Held || strings.Contains(text, "failed to update")`, `true`},
			}},
		{Name: "claims-any-read-is-renewal", About: "whoever reads the record works, also if the read can be the one of a release",
			Edits: []Edit{{answerFile, Condition, `c.ends != nil && c.ends.Step == evidence.Lost && saysClientGo(c.ends) && !failed`, `true`}}},
		{Name: "claims-answer-to-failed-read", About: "a read was answered, whatever the log says of a failed one",
			Edits: []Edit{{answerFile, Condition, `unread(s)`, `false`}}},

		{Name: "claims-any-write-took", About: "a write in the second of a line acquired the lock, whether it took it or not",
			Edits: []Edit{{courseFile, Condition, `before || takes`, `true`}}},
		{Name: "claims-answered-before-line", About: "each write that is stamped before a line was answered before it",
			Edits: []Edit{{courseFile, Condition, `k < 0 && last < n && t.gaps[p.writes[from]] == t.gaps[p.writes[last]] && !p.failed(renewed(from), s.At)`, `true`}}},

		{Name: "claims-last-read-is-renewal", About: "whoever cannot read the record once works, even if it says nothing of giving up afterwards",
			Edits: []Edit{{courseFile, Condition, `read != nil && c.ends != nil && c.ends.Step == evidence.Lost && saysClientGo(c.ends) && c.ends.Source == read.Source`, `read != nil`}}},
		{Name: "claims-no-write-missing", About: "no write is missing before the one that acquired the lock",
			Edits: []Edit{{courseFile, Condition, `from < first || k < 0`, `true`}}},
		{Name: "claims-beyond-the-log", About: "a line says something of what comes after the next one",
			Edits: []Edit{{courseFile, Condition, `c.ends != nil && c.ends.At.Before(c.limit)`, `false`}}},
		{Name: "claims-deadline-ends-work", About: "work has ended when the process says that it gives up",
			Edits: []Edit{{spanFile, Statements, `return known && strings.Contains(text, "context canceled")`, `return known`}}},
		{Name: "claims-any-end", About: "any line that shows an end is about this term",
			Edits: []Edit{{spanFile, Statements, `stamped = stamped.Add(t.stamp)`, `stamped = time.Time{}`}}},
		{Name: "claims-first-write", About: "the first write that is logged began the term",
			Edits: []Edit{{spanFile, Condition, `!p.trusted() || !first.Follows || stamped.IsZero() || !t.itself(t.by[term.First])`, `!p.trusted() || stamped.IsZero()`}}},
		{Name: "claims-belief-by-any-write", About: "whoever writes a record did not believe before that it leads",
			Edits: []Edit{{spanFile, Condition, `began.Follows`, `true`}}},
		{Name: "claims-belief-ends-early", About: "any line that somebody holds the lock ends a belief, also what a process read before its last write",
			Edits: []Edit{
				{spanFile, Condition, `s.Identity != "" && s.Identity != term.Holder && s.Identity != replaced`, `true`},
				{spanFile, Statements, `known = known.Add(t.stamp)`, `known = known.Add(-10 * time.Second)`},
			}},
		{Name: "claims-belief-by-one", About: "two believed at once if one began before the other certainly ended",
			Edits: []Edit{{pairFile, Condition, `a.Start.High.IsZero() || b.Start.High.IsZero() || !from.Before(until)`, `until.IsZero()`}}},
		{Name: "claims-one-sided", About: "two worked at once if the one began before the other ended",
			Edits: []Edit{{pairFile, Statements,
				`return c.begun.High.Before(latest(d.until, d.begun.Low)) && d.begun.High.Before(latest(c.until, c.begun.Low))`,
				`return c.begun.High.Before(latest(d.until, d.begun.Low))`}}},
		{Name: "claims-earlier-attempt", About: "an error after a record's stamp is about a later request",
			Edits: []Edit{{lossFile, Condition, `!at.After(w.last.Received) || len(lines) == 0 && s.Step == evidence.Acquired`, `false`}}},
		{Name: "claims-later-error", About: "an error after the next write is why it came",
			Edits: []Edit{{lossFile, Statements, `return !high.IsZero() && high.Before(w.next.Received)`, `return true`}}},
		{Name: "claims-stopped-later", About: "a process that says that it was told to stop lost the lease by that, whenever it says so",
			Edits: []Edit{{lossFile, Condition, `s.Step == evidence.Lost && over(s) && w.earlier(s)`, `s.Step == evidence.Lost && over(s)`}}},
		{Name: "claims-asked-later", About: "all that a holder asks before the next write is of its term",
			Edits: []Edit{{lossFile, Condition, `over != nil && w.after(q, over) || w.outlasts(q)`, `false`}}},
		{Name: "claims-release-of-any", About: "whoever released the lock had stopped",
			Edits: []Edit{{spanFile, Condition, `cause == ShutDown && clientOf(t.by[term.Last+1]) == own`, `cause != Undone && !term.Released.IsZero()`}}},
		{Name: "claims-seized-by-any", About: "any next write seizes the lock",
			Edits: []Edit{{lossFile, Condition, `!w.t.apart(i) && w.t.ranOn(i) && (w.t.itself(w.t.by[i]) || w.stranger())`, `true`}}},
		{Name: "claims-coarse-beside-fine", About: "a coarse stamp stands for its first microsecond",
			Edits: []Edit{{podFile, Statements, `s.Unit = min(s.Unit, next.At.Add(next.Unit).Sub(s.At))`, `s.Unit = 1000`}}},
		{Name: "claims-release-is-own", About: "a lock is released by its holder",
			Edits: []Edit{{departFile, Condition, `by != own`, `false`}}},
		{Name: "claims-again-whatever-failed", About: "the first write that the server accepted acquired the lock, whatever failed",
			Edits: []Edit{{clockFile, Condition, `s.Step == evidence.Failed && canBeWrite(s.Text, creates)`, `false`}}},
		{Name: "claims-period-of-any-writes", About: "between any two writes is a RetryPeriod",
			Edits: []Edit{{paceFile, Statements, `return !t.s.Writes[own[k]].Record.Renew.Before(c.after())`, `return true`}}},
		{Name: "claims-period-whatever-failed", About: "between renewals is a RetryPeriod, whatever failed between them",
			Edits: []Edit{{paceFile, Condition, `foreign(a.By) || foreign(b.By) || !b.Record.Renew.After(a.Record.Renew) || c.pod.failed(a.Record.Renew, until)`,
				`foreign(a.By) || foreign(b.By)`}}},
		{Name: "claims-deadline-of-the-told", About: "whoever gives up does so at its deadline",
			Edits: []Edit{{paceFile, Condition, `last >= 0 && s != nil && s.Step == evidence.Lost && saysClientGo(s) && atDeadline(s)`, `last >= 0 && s != nil && s.Step == evidence.Lost && saysClientGo(s)`}}},
		{Name: "claims-one-poll", About: "all attempts after a refusal are of one poll, whatever succeeded",
			Edits: []Edit{
				{paceFile, Condition, `first != nil && t.unbroken(c.pod, first, q)`, `first != nil`},
				{paceFile, Statements, `first, done = nil, at`, `done = at`},
			}},
		{Name: "claims-fine-events", About: "events have the time to the nanosecond",
			Edits: []Edit{{sightFile, Statements, `last.High = n.At.Add(n.Unit)`, `last.High = n.At.Add(1)`}}},
		{Name: "claims-fine-first-events", About: "the first time of events has nanoseconds",
			Edits: []Edit{{sightFile, Statements, `first.High = n.First.Add(n.Unit)`, `first.High = n.First.Add(1)`}}},
		{Name: "claims-fresh-samples", About: "what a query returns for a time was scraped then",
			Edits: []Edit{{sightFile, Statements, `i.Low = n.At.Add(-n.Age)`, `i.Low = n.At`}}},
		{Name: "claims-quick-scrapes", About: "a scrape takes no time",
			Edits: []Edit{{sightFile, Statements, `i.High = n.At.Add(scrapeTakes)`, `i.High = n.At.Add(1)`}}},
		{Name: "claims-same-holder-same-term", About: "whoever holds the lock again has held it all the time",
			Edits: []Edit{{sightFile, Statements, `t.holder, t.acquired, t.transitions = r.Holder, r.Acquire, r.Transitions`, `t.holder = r.Holder`}}},
		{Name: "claims-each-count-unseen", About: "each count of the record is of a term that no object shows",
			Edits: []Edit{{sightFile, Statements, `return greatest - least + 1 - seen`, `return greatest - least + 1`}}},
	}
}
