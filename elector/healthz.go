package elector

import (
	"net/http"
	"sync"
	"time"
)

// HealthzAdaptor is a health check that can be installed before there is an elector to ask. It has
// the methods of a checker in k8s.io/apiserver and its kin.
type HealthzAdaptor struct {
	timeout time.Duration

	mu sync.Mutex
	le *LeaderElector
}

// NewLeaderHealthzAdaptor returns a check that fails with each error of LeaderElector.Check, for which timeout is the
// tolerance: above all when a leader's lease ran out longer than timeout ago. Until SetLeaderElection has been called it
// succeeds.
func NewLeaderHealthzAdaptor(timeout time.Duration) *HealthzAdaptor {
	return &HealthzAdaptor{timeout: timeout}
}

// Name returns the check's name in the answer of a health endpoint.
func (l *HealthzAdaptor) Name() string { return "leaderElection" }

// SetLeaderElection sets the elector to ask; nil is none.
func (l *HealthzAdaptor) SetLeaderElection(le *LeaderElector) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.le = le
}

// Check returns nil if the elector that was set is healthy or if there is none, and otherwise the error of LeaderElector.Check,
// with the adaptor's timeout as the tolerance. It does not look at the request.
func (l *HealthzAdaptor) Check(*http.Request) error {
	l.mu.Lock()
	le := l.le
	l.mu.Unlock()
	if le == nil {
		return nil
	}
	return le.Check(l.timeout)
}
