package kubernetes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"interregnum/internal/behaviour"
)

var (
	forecastFor  = flag.Duration("forecast.for", 10*time.Minute, "how long TestForecast watches real elections")
	forecastSeed = flag.Uint64("forecast.seed", 1, "the seed that TestForecast's proxies draw from")
)

const (
	roughLease, roughDeadline, roughPeriod = 2 * time.Second, 1500 * time.Millisecond, 300 * time.Millisecond
	// roughPause is a time for which a machine must not stand still if an election is to be judged.
	roughPause = 100 * time.Millisecond
	roughFile  = "testdata/behaviours/rough.yaml"
)

// TestForecast: elections on a real server, on ways where requests fare as a behaviour says, lose their leaders, are without one and ask as
// often as simulate forecast says of that behaviour.
func TestForecast(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten minutes")
	}
	b, warnings, err := behaviour.ReadFile(roughFile, nil)
	require.NoError(t, err)
	require.Empty(t, warnings)
	forecastOn(t, theServer(t).Config("admin"), b)
}

// forecastOn judges elections on the server that a client of that configuration reaches.
func forecastOn(t *testing.T, server *rest.Config, b *behaviour.Behaviour) {
	simulate := buildSimulate(t)
	seed := *forecastSeed * 10
	elections, end, paused := elect(t, *forecastFor, func() way {
		seed++
		return newSite(t, server, b, seed, *forecastFor)
	})
	wrong, losses := 0.0, 0
	less := gentler(t)
	for _, e := range elections {
		t.Run(e.kind, func(t *testing.T) {
			seen := e.judge(t, forecastOf(t, simulate, e.kind, roughFile), end, paused)
			losses += seen.losses - seen.tainted
			wrong += *forecastOf(t, simulate, e.kind, less).LossesPerMonth.High * seen.lasted.Seconds() / (30 * 24 * time.Hour).Seconds()
		})
	}
	if *forecastFor >= 5*time.Minute && wrong > 0 && !t.Failed() {
		low, _ := poisson(losses)
		assert.Greater(t, low, wrong, "the losses of a behaviour whose episodes are three times as rare fit too")
	}
}

// elect has elections of each kind for so long, each on a way of its own, and returns when they were over, and when this machine stood still.
func elect(t *testing.T, lasts time.Duration, newWay func() way) (all []*election, end time.Time, paused *stretches) {
	ctx, cancel := context.WithTimeout(klog.NewContext(t.Context(), logr.Discard()), lasts) // what fails is meant to
	defer cancel()
	paused = &stretches{}
	var running sync.WaitGroup
	running.Go(func() { pauses(ctx, paused.add) })
	for _, kind := range kinds {
		e := &election{kind: kind, way: newWay()}
		name := fmt.Sprintf("rough-%s-%d", kind, time.Now().UnixNano())
		for replica := range 2 {
			s := standing{Kind: kind, Namespace: "default", Name: name, ID: fmt.Sprint("candidate-", replica),
				LeaseDuration: roughLease, RenewDeadline: roughDeadline, RetryPeriod: roughPeriod}
			running.Go(func() { e.stand(ctx, s) })
		}
		all = append(all, e)
	}
	<-ctx.Done()
	end = time.Now()
	running.Wait()
	return all, end, paused
}

// judge holds what was seen of an election against its forecast.
func (e *election) judge(t *testing.T, f *forecasted, end time.Time, paused *stretches) *seenFigures {
	seen := e.measure(end, paused)
	t.Log(seen.text())
	t.Log(f.text(seen.lasted))
	if seen.tainted > seen.losses/2 {
		t.Skip("this machine stood still so often that nothing can be judged on it")
	}
	assert.Empty(t, seen.refutes(f))
	if e.kind == "strict" && !slices.ContainsFunc(paused.all, func(x stretch) bool { return x.until.Sub(x.from) >= roughPause }) {
		assert.Zero(t, seen.both)
	}
	return seen
}

// gentler is a file with a behaviour whose episodes are three times as rare.
func gentler(t *testing.T) string {
	text, err := os.ReadFile(roughFile)
	require.NoError(t, err)
	less := strings.NewReplacer("every: 25s", "every: 75s", "every: 40s", "every: 120s", "every: 50s", "every: 150s").Replace(string(text))
	file := filepath.Join(t.TempDir(), "gentler.yaml")
	require.NoError(t, os.WriteFile(file, []byte(less), 0o600))
	return file
}

// estimate is a figure of a forecast.
type estimate struct {
	Value, Low float64
	High       *float64
}

// forecasted is what the test reads of simulate forecast's JSON.
type forecasted struct {
	LossesPerMonth, LeaderlessSecondsPerMonth, RequestsPerDay estimate
}

// text is what is forecast for so long.
func (f *forecasted) text(lasts time.Duration) string {
	part := lasts.Seconds() / (30 * 24 * time.Hour).Seconds()
	return fmt.Sprintf("forecast: %.1f losses, %.1f s without a leader, %.0f requests", f.LossesPerMonth.Value*part, f.LeaderlessSecondsPerMonth.Value*part, f.RequestsPerDay.Value*part*30)
}

func forecastOf(t *testing.T, simulate, kind, file string) *forecasted {
	profile := kind
	if kind == "library" {
		profile = "client-go"
	}
	cmd := exec.Command(simulate, "forecast", "--profile", profile, "--lease-duration", roughLease.String(), "--renew-deadline", roughDeadline.String(),
		"--retry-period", roughPeriod.String(), "--request-timeout", (roughDeadline / 2).String(), "--restart", "none", "--replicas", "2", "--behaviour", file, "-o", "json")
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	require.NoError(t, err, "%v\n%s", cmd.Args, talk.Bytes())
	var report struct{ Targets []forecasted }
	require.NoError(t, json.Unmarshal(out, &report))
	require.Len(t, report.Targets, 1)
	return &report.Targets[0]
}

// stretches are times, noted by several goroutines.
type stretches struct {
	mu  sync.Mutex
	all []stretch
}

func (s *stretches) add(from, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, stretch{from, until})
}

// near tells whether one that lasts long ends within a lease before an instant, or is at it.
func (s *stretches) near(at time.Time) bool {
	return slices.ContainsFunc(s.all, func(x stretch) bool {
		return x.until.Sub(x.from) >= roughPause && x.from.Before(at) && x.until.After(at.Add(-roughLease-roughDeadline))
	})
}

// way is a way to the server.
type way interface {
	config(timeout time.Duration) *rest.Config
	// asked is when requests came, late by how much their answers were late on average, beyond what the way is meant to do.
	asked() []time.Time
	late() time.Duration
}

// election is candidates of one kind that stand again whenever they have lost.
type election struct {
	kind  string
	way   way
	works stretches
}

func (e *election) stand(ctx context.Context, s standing) {
	for ctx.Err() == nil {
		_ = s.run(ctx, e.way.config(roughDeadline/2), func(ctx context.Context) {
			from := time.Now()
			<-ctx.Done()
			e.works.add(from, time.Now())
		})
	}
}
