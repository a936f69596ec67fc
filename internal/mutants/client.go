package mutants

// client returns bugs in what a client does besides sending a request. A test finds each by a difference to client-go's own
// client.
func client() []Mutant {
	const (
		clientFile  = "internal/sim/client.go"
		callFile    = "internal/sim/call.go"
		giveUpFile  = "internal/sim/giveup.go"
		limiterFile = "internal/sim/limiter/limiter.go"
		planFile    = "plan/client.go"
	)
	return []Mutant{
		{Name: "client-nine-times", About: "a request is repeated nine times instead of ten",
			Edits: []Edit{{clientFile, Condition, `k.repeats >= plan.MaxRetries`, `k.repeats >= plan.MaxRetries-1`}}},
		{Name: "client-timeout-anew", About: "the request timeout starts anew as a request is repeated",
			Edits: []Edit{{callFile, Condition, `(n.held == 0 || n.connecting) && n.repeats == 0`, `(n.held == 0 || n.connecting)`}}},
		{Name: "client-timeout-from-the-limiter", About: "the request timeout starts before a request has waited for its token",
			Edits: []Edit{{callFile, Condition, `(n.held == 0 || n.connecting) && n.repeats == 0`, `n.repeats == 0`}}},
		{Name: "client-repeats-unlimited", About: "a repeated request needs no token",
			Edits: []Edit{{clientFile, Condition, `!n.Plan.Client.Limits()`, `!n.Plan.Client.Limits() || n.repeats > 0`}}},
		{Name: "client-waits-beyond-the-end", About: "a request waits for a token that comes after the end of its context",
			Edits: []Edit{{limiterFile, Condition, `wait > within`, `false`}}},
		{Name: "client-waits-beyond-the-timeout", About: "a repeated request waits for a token that comes after its timeout",
			Edits: []Edit{{clientFile, Condition, `timeout.armed`, `false`}}},
		{Name: "client-release-waits-on", About: "a release waits for a token that comes after its end",
			Edits: []Edit{{clientFile, Condition, `n.wait.scope == machine.ScopePoll || n.wait.scope == machine.ScopeRelease`,
				`n.wait.scope == machine.ScopePoll`}}},
		{Name: "client-token-kept", About: "a request that is not sent any more does not give its token back",
			Edits: []Edit{{giveUpFile, Condition, `n.Plan.Client.Limits() && !n.resting`, `false`}}},
		{Name: "client-repeats-4xx", About: "any answer with a Retry-After has the request sent again",
			Edits: []Edit{{planFile, Condition, `(status == tooManyRequests || status >= serverError)`, `status > 0`}}},
		{Name: "client-repeats-at-once", About: "the Retry-After is not waited out",
			Edits: []Edit{{clientFile, Statements, `w.hold(n, ref, *m.retryAfter)`, `w.hold(n, ref, 0)`}}},
		{Name: "client-bucket-survives", About: "a process that starts again has the bucket of the one that crashed",
			Edits: []Edit{{clientFile, Statements, `n.client.limiter.Begin(n.Clock.Mono(w.Now))`,
				"if n.Incarnation == 1 {\nn.client.limiter.Begin(n.Clock.Mono(w.Now))\n}"}}},
		{Name: "client-rate-unrounded", About: "the rate is not the float32 of rest.Config",
			Edits: []Edit{{limiterFile, Statements,
				`l.own = *rate.NewLimiter(rate.Limit(float32(l.plan.QPS)), l.plan.Burst)`,
				`l.own = *rate.NewLimiter(rate.Limit(l.plan.QPS), l.plan.Burst)`}}},
	}
}
