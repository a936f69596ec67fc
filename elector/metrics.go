package elector

import "sync/atomic"

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
func SetProvider(metricsProvider MetricsProvider) {
	if metricsProvider != nil {
		provider.CompareAndSwap(nil, &metricsProvider)
	}
}

// provider is the one global of this package: the library's SetProvider has no other place to put it.
var provider atomic.Pointer[MetricsProvider]

// newLeaderMetric returns the metric that the provider makes for a new elector. Without a provider, or if that returns nil, the
// metric does nothing.
func newLeaderMetric() LeaderMetric {
	if p := provider.Load(); p != nil {
		if m := (*p).NewLeaderMetric(); m != nil {
			return m
		}
	}
	return noMetric{}
}

// noMetric is a metric that does nothing.
type noMetric struct{}

var _ LeaderMetric = noMetric{}

// On does nothing.
func (noMetric) On(string) {}

// Off does nothing.
func (noMetric) Off(string) {}

// SlowpathExercised does nothing.
func (noMetric) SlowpathExercised(string) {}
