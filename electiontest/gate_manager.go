package electiontest

import (
	"testing"

	"interregnum/electiontest/internal/managed"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
)

// GateManager is Gate for the manager.Options of controller-runtime, or for a pointer to them. What they leave nil is the
// manager's default: 15 s, 10 s and 2 s. Without a RequestTimeout of the environment it is the one that a manager's client
// has: half of RenewDeadline, and a second at least. What a lock of the options' own has is not known: none or that, whichever
// is worse. `simulate gate --request-timeout half` says the same of the same numbers.
//
// Options that elect nobody are refused, and so are locks that client-go has dropped.
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
		timeout = files.Timeout{Kind: files.Either}
	default:
		timeout = files.Timeout{Kind: files.Half}
	}
	judge(t, bound.Config{Timings: o.Timings, Profile: machine.ClientGo, ReleaseOnCancel: o.Release}, timeout, e)
}
