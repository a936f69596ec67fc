package mutants

const (
	endFile     = "internal/sim/end.go"
	probeFile   = "internal/sim/probe.go"
	lockFile    = "internal/sim/lock.go"
	serviceFile = "internal/sim/service/service.go"
	// processOfPlan is the file that says what becomes of a process.
	processOfPlan = "plan/candidate.go"
)

// process is the independent oracle that knows when a process has to end and what it takes with it.
const process = "process"

// elections returns bugs in processes that take part in several elections, and in their probes.
func elections() []Mutant {
	const (
		kills = `w.crash(g, trace.ProbeFailed)`
		exits = `w.crash(n.group, trace.Exited)`
		asks  = `n.paused > 0 || n.Life == seat.Running && !n.wellLed(w)`
		loses = `n.Plan.OnLoss == plan.LossExit && !n.cancelled`
	)
	return []Mutant{
		{Name: "exit-not-obeyed", About: "a process that should exit by a loss goes on", Killer: process,
			Edits: []Edit{{endFile, Condition, loses, `false`}}},
		{Name: "exit-when-cancelled", About: "a Run that was cancelled ends its process as a loss does", Killer: process,
			Edits: []Edit{{endFile, Condition, loses, `n.Plan.OnLoss == plan.LossExit`}}},
		{Name: "exit-of-one-election", About: "a process that exits goes on with its other elections", Killer: process,
			Edits: []Edit{{endFile, Statements, exits, `w.crashNode(n, trace.Exited)`}}},
		{Name: "ignored-loss-rejoins", About: "a loss that the process ignores is followed by another Run", Killer: process,
			Edits: []Edit{{processOfPlan, Condition, `c.Rejoin != nil && c.OnLoss != LossIgnore`, `c.Rejoin != nil`}}},
		{Name: "probe-never-asks", About: "no process is probed", Killer: process,
			Edits: []Edit{{probeFile, Condition, `n.Plan.LivenessProbe != nil && n.probed != n.Incarnation`, `false`}}},
		{Name: "probe-does-not-kill", About: "a process that fails its probe is not killed", Killer: process,
			Edits: []Edit{{probeFile, Statements, kills, `w.scheduleProbe(n)`}}},
		{Name: "probe-kills-one-election", About: "a process that is killed goes on with its other elections", Killer: process,
			Edits: []Edit{{probeFile, Statements, kills, `w.crashNode(n, trace.ProbeFailed)`}}},
		{Name: "probe-of-the-frozen", About: "a frozen process answers its probe", Killer: process,
			Edits: []Edit{{probeFile, Condition, asks, `n.Life == seat.Running && !n.wellLed(w)`}}},
		{Name: "probe-threshold-late", About: "a process is killed one bad answer late", Killer: process,
			Edits: []Edit{{probeFile, Condition, `g.failures < n.Plan.LivenessProbe.FailureThreshold`,
				`g.failures <= n.Plan.LivenessProbe.FailureThreshold`}}},
		{Name: "elections-share-lock", About: "all elections have one lock object", Killer: register,
			Edits: []Edit{{serviceFile, Condition, `election == ""`, `true`}}},
	}
}
