package electiontest

import (
	"testing"

	"interregnum/electiontest/internal/managed"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
)

// GateManager fails the test if two leaders can work at once with these manager.Options of controller-runtime, or a pointer to
// them, in the way in which Gate does. Timings that are nil there are the manager's defaults: 15 s, 10 s and 2 s. Without a
// RequestTimeout of the environment, it is the one that a manager's client has: half of RenewDeadline, and a second at least.
// If the options have a lock of their own, its timeout is not known: it is none or that half, whichever is worse. `simulate
// gate --request-timeout half` says the same of the same numbers, but does not count that the client closes connections; see
// docs/gate.md.
//
// Options that elect nobody fail the test, and so do locks that client-go has dropped and values of another type.
func GateManager(t testing.TB, options any, e Environment) {
	t.Helper()
	o, err := managed.Read(options, usual)
	if err != nil {
		t.Errorf("electiontest: manager.Options: %v", err)
		return
	}
	timeout := e.timeout()
	switch {
	case e.RequestTimeout != 0:
	case o.OwnLock:
		timeout = programs.Timeout{Kind: programs.Either}
	default:
		timeout = programs.Timeout{Kind: programs.Half}
	}
	var program *programs.Program
	if !o.OwnLock { // then its client is one of controller-runtime, which closes connections
		program = &programs.Program{Name: "controller-runtime"}
	}
	judge(t, bound.Config{Timings: o.Timings, Profile: machine.ClientGo, ReleaseOnCancel: o.Release}, timeout, program, e)
}
