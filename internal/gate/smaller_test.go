package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
)

// judgedOnly is the judgement of a configuration that is not refused, without the changes that would make it safe.
func judgedOnly(t *testing.T, c *bound.Config, e *bound.Environment) *Judgement {
	j := &Judgement{Target: Target{Config: *c}, Environment: *e}
	require.NoError(t, j.bound())
	if !j.Result.Safe() {
		require.NoError(t, j.show())
	}
	return j
}

// TestShownInSmaller: where no run shows an environment's own worst case, those of smaller ones are shown.
func TestShownInSmaller(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, row := range map[string]struct {
		lease, deadline, period, timeout time.Duration
		minor                            int
		client                           *plan.Client
		bound.Environment
		shown time.Duration
	}{
		"a release that reads nothing": {137 * s, 107 * s, 26 * s, 0, 33, nil,
			bound.Environment{MaxRoundTrip: s, MaxDriftPPM: 200, MaxPause: 100 * ms}, 107_121 * ms},
		"no Retry-After": {137 * s, 107 * s, 26 * s, 5 * s, 37, &plan.Client{QPS: 5, Burst: 5, Retries: true},
			bound.Environment{MaxRoundTrip: 10 * ms, OtherQPS: 4, OtherBurst: 100, MaxRetryAfter: s}, 55_610 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			c := &bound.Config{
				Timings:        machine.Timings{LeaseDuration: row.lease, RenewDeadline: row.deadline, RetryPeriod: row.period},
				RequestTimeout: row.timeout, Lock: plan.Lease, ReleaseOnCancel: row.minor == 33, Client: row.client,
			}
			c.SetClientGo(row.minor)
			j := judgedOnly(t, c, &row.Environment)
			assert.Equal(t, row.shown, j.Shown.Round(ms))
			w := gatetest.Watched(t, j.Witness)
			assert.Empty(t, w.Outside(j.Witness, &row.Environment))
		})
	}
}

// TestShownGrows: what is shown of a project's configuration in an environment is shown in each that allows more, with its client and without.
func TestShownGrows(t *testing.T) {
	for _, row := range readCorpus(t) {
		c := row.Config
		if c.Profile.OtherClient() || bound.Refused(&c) != nil || bound.Unknown(&c) != nil {
			continue
		}
		own, err := (&ClientSaid{row.Kind, row.QPS, row.Burst}).Client()
		require.NoError(t, err, row.Project)
		for _, c.Client = range []*plan.Client{nil, own} {
			before := time.Duration(0)
			for i := range corpusEnvironments {
				e := row.Site(corpusEnvironments[i].Environment, c.Client)
				j := judgedOnly(t, &c, e)
				if j.Result.Unbounded {
					j.Shown = plan.MaxDuration // one scenario of many
				}
				assert.GreaterOrEqual(t, j.Shown, before-stage.Agree, "%s in %s", row.Project, corpusEnvironments[i].name)
				before = j.Shown
			}
		}
	}
}
