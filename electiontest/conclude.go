package electiontest

import (
	"fmt"
	"testing"

	"interregnum/electiontest/internal/outcome"
	"interregnum/electiontest/internal/report"
)

// conclude ends the test as failed, by t.Fatalf, if the outcome is not as expected or the run does not show what it was to show
// (Hindered, Unshown). In the second case it first changes the outcome, by ShowsNothing. The last line of the failure is the command that
// shows it again. If options.Reports is given, conclude writes the reports of every run there. Otherwise it writes those of a
// run that fails, to where report.Files says. A test whose reports cannot be written fails as well.
func (options Options) conclude(t *testing.T, o *outcome.Outcome) {
	t.Helper()
	dir := options.Reports
	if o.Hindered != "" {
		o.ShowsNothing(o.Hindered)
	} else if o.Result.AsExpected {
		o.ShowsNothing(o.Unshown(options.Only))
	}
	fine := o.Result.AsExpected
	if name := o.OnlyWorker(); fine && name != "" {
		t.Logf("only %s ever worked, so that the run shows nothing of two at once", name)
	}
	if o.Idle != "" {
		t.Log(o.Idle)
	}
	command := fmt.Sprintf("%s -electiontest.seed=%d", report.Command(t.Name()), o.Result.Seed)
	if testing.Verbose() || !fine {
		t.Log(report.Text(o, command))
		if o.Left != "" {
			t.Logf("these goroutines had not ended when the run was over, which is no failure by itself:\n%s", o.Left)
		}
	}
	if fine && dir == "" {
		return
	}
	files, err := report.Files(t, o, dir, command)
	switch {
	case err != nil:
		t.Errorf("electiontest: the reports of %s could not be written: %v", o.Result.Scenario, err)
	case !fine || testing.Verbose():
		t.Logf("reports: %s", files)
	}
	if !fine {
		t.Fatalf("%s; to show it again:\n%s", o.Problem(), command)
	}
}
