package elector

import "sync"

// LeaderMetric counts what becomes of a candidate; name is LeaderElectionConfig.Name.
type LeaderMetric interface {
	// On: the candidate leads.
	On(name string)
	// Off: the candidate was made, or has failed to renew.
	Off(name string)
	// SlowpathExercised: the candidate has to read the lock in order to renew.
	SlowpathExercised(name string)
}

// MetricsProvider makes the metric of each new elector.
type MetricsProvider interface {
	NewLeaderMetric() LeaderMetric
}

// SetProvider sets the provider of metrics for electors made from now on. Only the first call with
// a provider that is not nil has an effect.
func SetProvider(metricsProvider MetricsProvider) { metrics.set(metricsProvider) }

// metrics is the one global of this package: the library's SetProvider has no other place to put
// it.
var metrics metricsSource

// metricsSource holds the provider of metrics.
type metricsSource struct {
	mu       sync.Mutex
	provider MetricsProvider
}

// set keeps the first provider that is not nil.
func (s *metricsSource) set(p MetricsProvider) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.provider == nil {
		s.provider = p
	}
}

// get returns the provider, nil where there is none.
func (s *metricsSource) get() MetricsProvider {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.provider
}

// newLeaderMetric returns the metric of a new elector; one that does nothing where no provider makes one.
func newLeaderMetric() LeaderMetric {
	if p := metrics.get(); p != nil {
		if m := p.NewLeaderMetric(); m != nil {
			return m
		}
	}
	return noMetric{}
}

// noMetric counts nothing.
type noMetric struct{}

var _ LeaderMetric = noMetric{}

func (noMetric) On(string)                {}
func (noMetric) Off(string)               {}
func (noMetric) SlowpathExercised(string) {}
