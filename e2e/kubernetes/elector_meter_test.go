package kubernetes_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"interregnum/scenarios"
)

// meter keeps updating a Lease of its own, to see how long requests take while candidates run, and whether the server is there.
type meter struct {
	stop context.CancelFunc
	over chan struct{}

	mu      sync.Mutex
	samples []sample
}

// sample is one update.
type sample struct {
	sent time.Time
	took time.Duration
	err  error
}

// every is how often.
const every = 20 * time.Millisecond

func newMeter(ctx context.Context, leases coordinationclient.LeaseInterface) (*meter, error) {
	holder := "meter"
	lease, err := leases.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "meter-"}, Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	m := &meter{stop: stop, over: make(chan struct{})}
	go func() {
		defer close(m.over)
		for ctx.Err() == nil {
			at := metav1.NowMicro()
			lease.Spec.RenewTime = &at
			sent := time.Now()
			updated, err := leases.Update(ctx, lease, metav1.UpdateOptions{})
			m.add(sample{sent, time.Since(sent), err})
			if err != nil { // it may have been applied
				updated, err = leases.Get(ctx, lease.Name, metav1.GetOptions{})
			}
			if err == nil {
				lease = updated
			}
			time.Sleep(every)
		}
	}()
	return m, nil
}

func (m *meter) add(s sample) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.samples = append(m.samples, s)
}

// network is how long the way took between two instants, half a round trip: all but the quickest and slowest tenth, and the median.
func (m *meter) network(from, until time.Time) (leg scenarios.Delay, median time.Duration, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var took []time.Duration
	for _, s := range m.samples {
		if s.err == nil && s.sent.After(from) && s.sent.Before(until) {
			took = append(took, s.took)
		}
	}
	if len(took) < 20 {
		return leg, 0, fmt.Errorf("expected 20 updates at least to measure by, got %d", len(took))
	}
	slices.Sort(took)
	leg = scenarios.Delay{Min: took[len(took)/10] / 2, Max: took[len(took)*9/10] / 2}
	return leg, took[len(took)/2] / 2, nil
}

// quantiles are the median and the 99th percentile of all updates that were answered well.
func (m *meter) quantiles() (median, slow time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var took []time.Duration
	for _, s := range m.samples {
		if s.err == nil {
			took = append(took, s.took)
		}
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100]
}

// answeredAfter is when the first update sent after an instant was answered well, or now where the meter has stopped.
func (m *meter) answeredAfter(instant time.Time) time.Time {
	for {
		m.mu.Lock()
		i := slices.IndexFunc(m.samples, func(s sample) bool { return s.sent.After(instant) && s.err == nil })
		if i >= 0 {
			defer m.mu.Unlock()
			return m.samples[i].sent.Add(m.samples[i].took)
		}
		m.mu.Unlock()
		select {
		case <-m.over:
			return time.Now()
		case <-time.After(every):
		}
	}
}
