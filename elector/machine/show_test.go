package machine_test

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
)

// show writes an output as transcripts do.
func show(o *machine.Output) string {
	switch o.Kind {
	case machine.SetTimer:
		return fmt.Sprintf("set %v %s", o.Timer, showDue(o))
	case machine.StopTimer:
		return fmt.Sprintf("stop %v", o.Timer)
	case machine.Send:
		return showRequest(o.Request)
	case machine.NewLeader:
		return "tell the new leader: " + orNobody(o.Text)
	case machine.RecordEvent:
		return fmt.Sprintf("event %q", o.Text)
	}
	return map[machine.OutputKind]string{
		machine.Abandon: "abandon", machine.Detach: "detach", machine.StartWork: "start work", machine.StopWork: "stop work",
		machine.Stopped: "stopped", machine.Return: "return", machine.MetricOn: "metric on",
		machine.MetricOff: "metric off", machine.MetricSlowPath: "metric slowPath",
	}[o.Kind]
}

func showDue(o *machine.Output) string {
	first, last := time.Duration(o.Due(0)), time.Duration(o.Due(1))
	if first == last {
		return fmt.Sprintf("@%v", first)
	}
	return fmt.Sprintf("@%v..%v", first, last)
}

func showRequest(r *machine.Request) string {
	scope := map[machine.Scope]string{
		machine.ScopeRun: "run", machine.ScopePoll: "poll", machine.ScopeRelease: "release",
		machine.ScopeNone: "no context",
	}[r.Scope]
	if r.Ended {
		scope += ", over"
	}
	text := fmt.Sprintf("send %d %v (%s)", r.ID, r.Verb, scope)
	if r.Verb != machine.Get {
		text += " " + showRecord(&r.Record)
	}
	return text
}

func showRecord(r *machine.Record) string {
	return fmt.Sprintf("holder=%s seconds=%d acquire=%v renew=%v transitions=%d", r.Holder, r.DurationSeconds,
		time.Duration(r.Acquire-epoch), time.Duration(r.Renew-epoch), r.Transitions)
}
