package main

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are what /metrics shows of a candidate.
type metrics struct {
	registry    *prometheus.Registry
	leader      prometheus.Gauge
	transitions prometheus.Counter
	requests    *prometheus.HistogramVec
}

// newMetrics returns the metrics of a candidate. name is the lock's name; l tells how much of the lease is left.
func newMetrics(name string, l *lease) *metrics {
	labels := prometheus.Labels{"name": name}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		leader: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "interregnum_elector_leader", Help: "1 while this candidate leads, else 0.", ConstLabels: labels,
		}),
		transitions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "interregnum_elector_transitions_total", ConstLabels: labels,
			Help: "New holders that this candidate has seen, the first one and itself included.",
		}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "interregnum_elector_lock_request_seconds", ConstLabels: labels,
			Help: "How long requests to the lock took, by verb (get, create, update, replace, refresh, release) and " +
				"result (ok, refused: somebody else was quicker, error). Renewals are the verbs update and refresh.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 15),
		}, []string{"verb", "result"}),
	}
	remaining := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "interregnum_elector_lease_remaining_seconds", ConstLabels: labels,
		Help: "What is left of this candidate's own lease, counted from when its last acknowledged renewal was sent; " +
			"0 where it has none.",
	}, func() float64 { return l.remaining().Seconds() })
	m.registry.MustRegister(m.leader, m.transitions, m.requests, remaining,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// request counts a request to the lock in the metrics. verb and result are labels; took is how long the request took.
func (m *metrics) request(verb, result string, took time.Duration) {
	m.requests.WithLabelValues(verb, result).Observe(took.Seconds())
}
