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
	ctx, cancel := context.WithTimeout(klog.NewContext(t.Context(), logr.Discard()), *forecastFor) // what fails is meant to
	defer cancel()
	var paused stretches
	var all sync.WaitGroup
	all.Go(func() { pauses(ctx, paused.add) })
	elections := make([]*election, len(kinds))
	for i, kind := range kinds {
		way := newSite(t, server, b, *forecastSeed*10+uint64(i), *forecastFor)
		e := &election{kind: kind, way: way}
		for replica := range 2 {
			s := standing{Kind: kind, Namespace: "default", Name: fmt.Sprintf("rough-%s-%d", kind, time.Now().UnixNano()),
				ID: fmt.Sprint("candidate-", replica), LeaseDuration: roughLease, RenewDeadline: roughDeadline, RetryPeriod: roughPeriod}
			if replica > 0 {
				s.Name = e.name
			}
			e.name = s.Name
			all.Go(func() { e.stand(ctx, s) })
		}
		elections[i] = e
	}
	<-ctx.Done()
	end := time.Now()
	all.Wait()
	for _, e := range elections {
		t.Run(e.kind, func(t *testing.T) {
			seen := e.measure(end, &paused)
			f := forecastOf(t, simulate, e.kind, roughFile)
			t.Log(seen.text())
			t.Log(f.text(seen.lasted))
			if seen.tainted > seen.losses/2 {
				t.Skip("this machine stood still so often that nothing can be judged on it")
			}
			assert.Empty(t, seen.refutes(f))
			if *forecastFor >= 8*time.Minute {
				assert.NotEmpty(t, seen.refutes(forecastOf(t, simulate, e.kind, harsher(t))), "a behaviour whose episodes are three times as frequent fits too")
			}
			if e.kind == "strict" && len(paused.all) == 0 {
				assert.Zero(t, seen.both)
			}
		})
	}
}

// harsher is a file with a behaviour whose episodes are three times as frequent.
func harsher(t *testing.T) string {
	text, err := os.ReadFile(roughFile)
	require.NoError(t, err)
	more := strings.NewReplacer("every: 25s", "every: 8333ms", "every: 40s", "every: 13333ms", "every: 50s", "every: 16667ms").Replace(string(text))
	file := filepath.Join(t.TempDir(), "harsher.yaml")
	require.NoError(t, os.WriteFile(file, []byte(more), 0o600))
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

// election is candidates of one kind that stand again whenever they have lost.
type election struct {
	kind, name string
	way        *site
	works      stretches
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
