// Command night writes, into the current folder, what an API server and two processes log of a simulated day on which a nightly job
// overloads the server: audit.log, and a log of each process. docs/tutorials/night.md begins with them.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/investigate/witness"
	"interregnum/plan"
)

const (
	hour = time.Hour
	// night is two o'clock; the day begins at noon.
	night = 14 * hour
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write simulates the day and writes its logs into the current folder, a file each. It leaves out whatever else was recorded.
func write() error {
	run, err := witness.Play(1, day())
	if err != nil {
		return err
	}
	habits := &witness.Habits{Level: witness.Request, Verbosity: 2, Structured: true, Says: true, Whole: true, Last: run.Plan.Horizon,
		Absent: make([]bool, 2), Cut: make([]time.Duration, 2)}
	var errs []error
	for _, f := range witness.NewLogs(run, habits).Files() {
		if ext := filepath.Ext(f.Name); ext == ".log" {
			errs = append(errs, os.WriteFile(f.Name, []byte(f.Text), 0o666))
		}
	}
	return errors.Join(errs...)
}

// day is the plan: a server that answers in some milliseconds, but is slow for eight minutes at night, and refuses requests half an hour
// later. The process that has lost the lock, and has exited, is back soon.
func day() *plan.Plan {
	p := &plan.Plan{Seed: 1, Horizon: 24 * hour, Network: plan.Network{
		Request: plan.Delay{Min: time.Millisecond, Max: 9 * time.Millisecond}, Response: plan.Delay{Min: time.Millisecond, Max: 9 * time.Millisecond}}}
	for i, id := range []string{"a", "b"} {
		p.Candidates = append(p.Candidates, plan.Candidate{
			ID: id, Profile: machine.ClientGo, Lock: plan.Lease, StartAt: time.Duration(i) * time.Second, OnLoss: plan.LossExit,
			Timings:        machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
			RequestTimeout: 5 * time.Second,
		})
	}
	slow := plan.Delay{Min: 100 * time.Millisecond, Max: 1600 * time.Millisecond}
	until, refused := night+8*time.Minute, night+30*time.Minute+20*time.Second
	p.Faults = []plan.Fault{
		{Kind: plan.FaultDelay, At: night, Until: &until, Request: &slow, Response: &slow},
		{Kind: plan.FaultError, At: night + 30*time.Minute, Until: &refused, Status: 500},
		{Kind: plan.FaultRestart, At: refused + 5*time.Second, On: []string{"a"}, Identity: plan.NewIdentity},
	}
	return p
}
