package scenarios

import (
	"interregnum/internal/sim"
	"interregnum/internal/trace"
)

// Options are what a run may leave out or add.
type Options struct {
	// Brief leaves Terms and Writes out of the result.
	Brief bool
	// Explain adds to each violation of single-work how it came about. If there is one, the scenario is run a second time.
	Explain bool
	// Sinks receive each event as it happens. A *reports.Timeline, a *page.Page and a *perfetto.Writer are sinks. The type
	// is in one of the packages below internal.
	Sinks []trace.Sink
	// NoShortcut has each request simulated step by step, also where nothing else can happen before its answer. The result is
	// the same, and takes longer.
	NoShortcut bool
}

// Run simulates a scenario and judges the run. The error is a *FieldError if the plan is not valid, or a *StandstillError.
func Run(s *Scenario, o Options) (*Result, error) {
	judge := NewJudge(s, o.Brief)
	world := sim.Runner{NoShortcut: o.NoShortcut}
	stats, err := world.Run(&s.Plan, append(judge.Sinks(), o.Sinks...)...)
	if err != nil {
		return nil, err
	}
	r := judge.Result(Stats{Events: stats.Events, StoreOps: stats.StoreOps, VirtualNs: int64(s.Horizon)}, stats.TraceHash.String())
	if o.Explain {
		if err := s.explain(r.Properties, o.NoShortcut); err != nil {
			return nil, err
		}
	}
	return r, nil
}
