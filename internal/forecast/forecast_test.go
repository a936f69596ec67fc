package forecast

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

func TestX(t *testing.T) {
	d, _ := behaviour.Percentiles([]behaviour.Point{{0.99, 800 * time.Millisecond}}, 0)
	for name, b := range map[string]*behaviour.Behaviour{
		"outage": {RoundTrip: d, Episodes: []behaviour.Episode{{Kind: behaviour.Outage, Every: 7 * 24 * time.Hour, Lasts: behaviour.Constant(20 * time.Second), On: behaviour.Everybody}}},
		"short":  {RoundTrip: behaviour.Constant(10 * time.Millisecond), Episodes: []behaviour.Episode{{Kind: behaviour.Outage, Every: 7 * 24 * time.Hour, Lasts: behaviour.Constant(11 * time.Second), On: behaviour.Everybody}}},
		"errors": {RoundTrip: behaviour.Constant(10 * time.Millisecond), Errors: []behaviour.Error{{503, 0.025}}},
		"lost":   {RoundTrip: behaviour.Constant(10 * time.Millisecond), Errors: []behaviour.Error{{0, 1e-7}}},
		"crash":  {RoundTrip: behaviour.Constant(10 * time.Millisecond), Episodes: []behaviour.Episode{{Kind: behaviour.Crash, Every: 7 * 24 * time.Hour, Lasts: behaviour.Constant(11 * time.Second), On: behaviour.Leader}}},
	} {
		r := behaviour.Constant(10 * time.Second)
		q := &Question{Candidate: plan.Candidate{Lock: plan.Lease, Profile: machine.ClientGo, Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}}, Replicas: 2, Restart: &r, Behaviour: b}
		start := time.Now()
		f, err := Run(context.Background(), q, &Options{Seed: 1, Precision: 0.05, MaxWindows: 20000, Workers: 2})
		require.NoError(t, err)
		fmt.Println(name, time.Since(start))
		fmt.Printf("%+v\n", *f)
	}
}
