package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestTune: what is found is what the gate takes, and what is not says what stands in the way.
func TestTune(t *testing.T) {
	environment := []string{"--max-drift-ppm", "200"}
	r := simulate("", append([]string{"tune", "--tolerate-outage", "5s"}, environment...)...)
	require.Equal(t, exit.AsExpected, r.code, r.stderr)
	first, _, _ := strings.Cut(r.stdout, "\n")
	assert.Equal(t, "--lease-duration 19s --renew-deadline 12s --retry-period 1s --request-timeout 2s", first)
	gated := simulate("", append(append([]string{"gate"}, strings.Fields(first)...), environment...)...)
	assert.Equal(t, exit.AsExpected, gated.code, gated.stdout)

	r = simulate("", "tune")
	assert.Contains(t, r.stdout, "is refused: renewDeadline must be greater than retryPeriod*JitterFactor\n", "on a line of its own, and no longer")

	r = simulate("", "tune", "--release-on-cancel")
	assert.Equal(t, exit.NotAsExpected, r.code)
	assert.Contains(t, r.stdout, "--profile client-go: there is one with strict")
}

// TestTuneOtherClients: so it is with the clients for Java and C#. In C# no outage is survived, since nothing ends a request.
func TestTuneOtherClients(t *testing.T) {
	for _, flags := range [][]string{{"--profile", "java", "--tolerate-outage", "5s"}, {"--profile", "csharp"}, {"--profile", "csharp", "--release-on-cancel"}} {
		r := simulate("", append([]string{"tune"}, flags...)...)
		require.Equal(t, exit.AsExpected, r.code, r.stderr)
		first, _, _ := strings.Cut(r.stdout, "\n")
		gated := simulate("", append([]string{"gate", "--profile", flags[1]}, strings.Fields(first)...)...)
		assert.Equal(t, exit.AsExpected, gated.code, gated.stdout)
		assert.NotContains(t, gated.stdout, "not computed")
	}
	assert.Contains(t, simulate("", "tune", "--profile", "csharp", "--tolerate-outage", "5s").stdout, "--tolerate-outage 5s: one tolerates 0s")
}

// TestTuneClient: what is found for a client is what the gate takes with that client, and it has its request timeout.
func TestTuneClient(t *testing.T) {
	if testing.Short() {
		t.Skip("computes bounds, on one goroutine")
	}
	for _, flags := range [][]string{
		{"--client", "controller-runtime", "--max-round-trip", "300ms"},
		{"--client", "component-base", "--max-round-trip", "300ms", "--tolerate-outage", "3s"},
		{"--client", "client-go", "--max-round-trip", "1s", "--max-retry-after", "1s"},
		{"--qps", "20", "--burst", "30", "--other-burst", "35", "--max-round-trip", "300ms"},
		{"--request-timeout", "half", "--max-round-trip", "300ms"},
		{"--request-timeout", "none", "--max-round-trip", "300ms"},
	} {
		r := simulate("", append([]string{"tune"}, flags...)...)
		require.Equal(t, exit.AsExpected, r.code, "%v: %s", flags, r.stderr)
		first, _, _ := strings.Cut(r.stdout, "\n")
		for _, ofTune := range []string{"--request-timeout", "--tolerate-outage"} {
			if i := slices.Index(flags, ofTune); i >= 0 {
				flags = slices.Delete(flags, i, i+2)
			}
		}
		gated := simulate("", append(append([]string{"gate"}, strings.Fields(first)...), flags...)...)
		assert.Equal(t, exit.AsExpected, gated.code, "%v: %s: %s", flags, first, gated.stdout)
	}

	r := simulate("", "tune", "--client", "controller-runtime", "--max-round-trip", "300ms")
	assert.Contains(t, r.stdout, "--lease-duration 6s --renew-deadline 2s --retry-period 1s --request-timeout 1s\n")
	assert.Contains(t, r.stdout, "client: no limit of requests (given)")
	assert.NotContains(t, r.stdout, "closes no connection", "closings count")

	r = simulate("", "tune", "--client", "client-go", "--other-qps", "4", "--other-burst", "10", "--tolerate-outage", "5s", "--max-lease", "40s")
	assert.Equal(t, exit.NotAsExpected, r.code)
	assert.Contains(t, inOneLine(r.stdout), "--tolerate-outage 5s: one is safe, but which outage it tolerates is not computed")
	r = simulate("", "gate", "--lease-duration", "14s", "--renew-deadline", "4s", "--retry-period", "3s", "--request-timeout", "2s",
		"--client", "client-go", "--other-qps", "4", "--other-burst", "10")
	assert.Contains(t, inOneLine(r.stdout), "which outage costs no leadership is not computed")
}

// inOneLine returns the words of a text, each after one space.
func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestTuneJSON(t *testing.T) {
	r := simulate("", "tune", "--profile", "strict", "--max-qps", "1", "-o", "json")
	require.Equal(t, exit.AsExpected, r.code, r.stderr)
	var out struct {
		Found bool
		Best  struct {
			RetryPeriodNs     int64
			RequestsPerSecond float64
		}
		Frontier []struct{ ToleratedOutageNs, WorstFailoverNs int64 }
	}
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &out))
	assert.True(t, out.Found)
	assert.EqualValues(t, 3e9, out.Best.RetryPeriodNs)
	assert.LessOrEqual(t, out.Best.RequestsPerSecond, 1.0)
	for i := 1; i < len(out.Frontier); i++ {
		assert.Greater(t, out.Frontier[i].ToleratedOutageNs, out.Frontier[i-1].ToleratedOutageNs)
		assert.Greater(t, out.Frontier[i].WorstFailoverNs, out.Frontier[i-1].WorstFailoverNs)
	}
}

func TestTunePlot(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, begins := range map[string]string{"f.png": "\x89PNG", "f.svg": "<?xml"} {
		r := simulate("", "tune", "--plot", name)
		require.Equal(t, exit.AsExpected, r.code, r.stderr)
		picture, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(picture), begins), name)
	}
}

func TestTuneBadInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--plot", "f.gif"}, ".svg or .png"},
		{[]string{"--request-timeout", "either"}, "want half, none or a duration such as 5s"},
		{[]string{"--other-qps", "3"}, "otherQPS and otherBurst count for a client with a limiter"},
		{[]string{"--client", "controller-runtime", "--burst", "5"}, "burst 5 of a client without a limit"},
		{[]string{"--max-qps", "0"}, "want a number above 0"},
		{[]string{"--max-qps", "NaN"}, "want a number above 0"},
		{[]string{"--candidates", "0"}, "want 1 to 1000000"},
		{[]string{"--max-lease", "601s"}, "want 1s to"},
		{[]string{"--profile", "client-go-v0.17"}, "no bound is known"},
		{[]string{"--profile", "python", "--lock", "kv-ttl"}, "--lock kv-ttl: want lease, the only one that is judged with profile python"},
		{[]string{"--profile", "java", "--outage", "20s/7d"}, "--profile java: timings are not forecast for that profile"},
		{[]string{"--profile", "csharp", "--request-timeout", "5s"}, "requests with profile csharp have no timeout"},
		{[]string{"--profile", "python", "--request-timeout", "5s"}, "requests with profile python have no timeout"},
		{[]string{"--tolerate-outage", "5"}, "unit missing"},
		{[]string{"--plot", "no/such/f.png"}, "--plot"},
		{[]string{"x"}, `unexpected argument "x"`},
		{[]string{"--max-losses", "1/30d"}, "--max-losses: nothing says what is usual: want --behaviour FILE, or flags such as"},
		{[]string{"--restart", "5s"}, "--restart is about forecasts: want --behaviour FILE too"},
		{[]string{"--outage", "20s/7d", "--candidates", "21"}, "want 1 to 20, since forecasts simulate them"},
		{[]string{"--outage", "20s/7d", "--behaviour", "x.yaml"}, "--behaviour and --outage: want what is usual from a file or from flags, not both"},
		{[]string{"--outage", "20s/7d", "--max-gap-p99", "40"}, "unit missing in 40"},
		{[]string{"--outage", "20s/7d", "--max-losses", "0.1"}, "want how often in which time, such as 0.1/30d"},
		{[]string{"--outage", "20s/7d", "--max-windows", "1"}, "1 windows at most: want 3 or more"},
	} {
		r := simulate("", append([]string{"tune"}, c.args...)...)
		assert.Equal(t, exit.BadInput, r.code, "%v", c.args)
		assert.Contains(t, r.stderr, c.want)
		assert.Empty(t, r.stdout)
	}
}

// TestTuneForecast: with thresholds the best configuration is one that keeps to them surely; where none does, the wish is named.
func TestTuneForecast(t *testing.T) {
	t.Parallel()
	asked := strings.Fields("tune --outage 10s/7d --request-timeout 2s --max-lease 24s --max-qps 1 --max-windows 500")
	picture := filepath.Join(t.TempDir(), "frontier.svg")
	r := simulate("", append(asked, "--max-losses", "0.1/30d", "--plot", picture, "-o", "json")...)
	require.Equal(t, exit.AsExpected, r.code, r.stderr)
	var found struct {
		Found bool
		Best  struct {
			RenewDeadlineNs time.Duration
			Forecast        struct {
				Verdict        string
				LossesPerMonth struct{ High float64 }
				Gate           struct{ Verdict string }
			}
		}
		LookedAt []struct{ WorstFailoverNs time.Duration }
	}
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &found))
	assert.True(t, found.Found)
	assert.Greater(t, found.Best.RenewDeadlineNs, 10*time.Second, "an outage of ten seconds costs nothing")
	assert.Equal(t, "met", found.Best.Forecast.Verdict)
	assert.LessOrEqual(t, found.Best.Forecast.LossesPerMonth.High, 0.1)
	assert.Equal(t, "safe", found.Best.Forecast.Gate.Verdict)
	drawn, err := os.ReadFile(picture)
	require.NoError(t, err)
	assert.Equal(t, len(found.LookedAt)+1, strings.Count(string(drawn), "<circle"), "one for each, and a ring around the best")

	r = simulate("", append(asked, "--max-losses", "0.1/30d", "--max-gap-p99", "5s")...)
	assert.Equal(t, exit.NotAsExpected, r.code)
	assert.Contains(t, r.stdout, "None of the configurations that were looked at is known to be as wished.")
	assert.Contains(t, r.stdout, "--max-gap-p99 5s stands in the way")
}
