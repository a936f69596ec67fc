package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestForecastBadInput: one line on standard error says what is wanted; nothing is on standard output.
func TestForecastBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"site.yaml":   "behaviour: {roundTrip: {p50: 20ms, p99: 800ms}}\n",
		"falls.yaml":  "behaviour:\n  roundTrip: {p50: 20ms, p99: 8ms}\n",
		"broken.yaml": "behaviour: [\n",
		"bounds.yaml": "maxRoundTrip: 5s\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for args, want := range map[string]string{
		"":                                        "nothing to judge: want files, or at least one of --lease-duration",
		"--lease-duration 15s":                    "nothing says what is usual: want --behaviour FILE, or flags such as --p50 20ms --p99 800ms --outage 20s/7d",
		"missing.yaml --p50":                      "flag needs an argument",
		"x --behaviour site.yaml --p50 1s":        "--behaviour and --p50: want what is usual from a file or from flags, not both",
		"x --behaviour=":                          "--behaviour: want FILE, got nothing",
		"- --behaviour -":                         "standard input can be read only once",
		"x --behaviour nope.yaml":                 "nope.yaml: cannot be read: no such file or directory",
		"x --behaviour broken.yaml":               "broken.yaml:",
		"x --behaviour bounds.yaml":               "bounds.yaml:1: there is no behaviour in the file",
		"x --behaviour falls.yaml":                "falls.yaml:2: behaviour.roundTrip.p99: is 8ms, after p50 of 20ms",
		"x --max 5s":                              "--max 5s is a bound, which says nothing of what is usual: want --p50 or --p99 too",
		"x --p50 2s --p99 1s":                     "--p50, --p99, --max: p99 is 1s, after p50 of 2s: want percentiles that do not fall",
		"x --p99 2s --max 1s":                     "--p50, --p99, --max: p99 is 2s, above the maximum of 1s",
		"x --p50 20":                              "unit missing in 20: want a duration such as 20ms, 20s or 20d",
		"x --outage 20s":                          `want how long and how often, such as 20s/7d, got "20s"`,
		"x --outage 2/7d":                         "unit missing in 2",
		"x --outage -5s/7d":                       `got "-5s"`,
		"x --outage 9s-5s/7d":                     "want a range that does not fall, got 9s-5s",
		"x --outage 0s/7d":                        `want a length above zero, such as 20s/7d, got "0s/7d"`,
		"x --outage 20s/0d":                       "want a time above zero after the /",
		"x --outage 20s/7d@me":                    "@me: want @everybody, @one or @leader",
		"x --outage 8d/7d":                        "the episodes take all time, and leave none for usual times: want shorter or rarer ones",
		"x --brownout 5/10m/1d":                   "want a factor, how long and how often, such as 5x/10m/1d",
		"x --brownout 5x/10m/1d":                  "--brownout multiplies round trips, of which nothing is said: want --p50 or --p99 too",
		"x --brownout 0.5x/10m/1d":                "want a factor, how long and how often, such as 5x/10m/1d",
		"x --crash 0/30d":                         "want a number above zero, and in which time, such as 2/30d",
		"x --crash -1/30d":                        "want a number above zero, and in which time, such as 2/30d",
		"x --errors 200:1%":                       "want a status from 400 to 599 and a percentage, such as 503:0.1%",
		"x --errors 503:1":                        "unit missing in 1: want a percentage such as 1%",
		"x --errors 503:60% --lost 50%":           "want 100% in all at most",
		"x --max-losses 0.1":                      `want how often in which time, such as 0.1/30d, got "0.1"`,
		"x --max-losses -1/30d":                   `want how often in which time, such as 0.1/30d, got "-1/30d"`,
		"x --max-gap-p99 40":                      "unit missing in 40",
		"x --min-availability 99.99":              "unit missing in 99.99: want a percentage such as 99.99%",
		"x --max-overlaps 1/1":                    "unit missing in 1",
		"x --precision 0%":                        "want a percentage above 0%",
		"x --restart 5":                           "unit missing in 5",
		"x --p50 1s --replicas 21":                "--replicas 21: want 1 to 20",
		"x --p50 1s --max-windows 0":              "--max-windows 0: want 1 or more",
		"x --p50 1s --for -1s":                    "--for -1s: want a duration of zero or more",
		"x --p50 1s --parallel 0":                 "--parallel 0: want 1 to 4096",
		"x --p50 1s -o xml":                       `--output "xml": want text, json, junit or markdown`,
		"x --p50 1s --kind outage":                "unknown flag: --kind",
		"--lease-duration 15s --p50 1s --require": "--require is about files: want one",
		"x --p50 1s --compare 30/20/4":            `--compare with timings is about those of flags: want --compare targets, or no file, got "x"`,
		"x --p50 1s --compare better":             `--compare with timings is about those of flags: want --compare targets, or no file, got "x"`,
		"--lease-duration 15s --p50 1s --compare better --max-round-trip 100s": "--compare better: no timings in whole seconds are safe in the environment: simulate tune says why",
		"--lease-duration 15s --p50 1s --compare better --profile fabric8":     "--compare better: no timings in whole seconds are safe in the environment",
		"x --p50 1s --compare 30/20":                                           `want lease duration/renew deadline/retry period, such as 15/10/2, got "30/20"`,
		"--lease-duration 15s --p50 1s --compare targets":                      `--compare targets is about files: want one, or timings such as 30/20/4`,
		"x --p50 1s --max-requests 1":                                          "want how often in which time, such as 0.1/30d",
		"x --p50 1s --plot x.gif":                                              "want a file that ends in .svg or .png",
		"x --p50 1s --compare 30/20/4,":                                        `want lease duration/renew deadline/retry period, such as 15/10/2, got ""`,
		"x --p50 1s --compare 30/0/4":                                          `want a time above 0, got "0"`,
		"x --p50 1s --compare 30/20/x":                                         "want a duration",
		"x --p50 1s --column-precision 1s":                                     "--column-precision is of --lock sql-ttl; that is lease",
	} {
		got := simulate("", append([]string{"forecast"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Empty(t, got.stdout, args)
		assert.Contains(t, got.stderr, want, args)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), "%s: %s", args, got.stderr)
	}
}

// TestForecastCompare: which timings are better, and what they cost, is one command. What the library refuses is left out.
func TestForecastCompare(t *testing.T) {
	asked := strings.Fields("forecast --lease-duration 15s --p99 800ms --outage 20s/7d --max-windows 800 --compare 60s/40s/5s,10/10/2,30/20/4")
	got := simulate("", asked...)
	assert.Equal(t, exit.NotAsExpected, got.code)
	assert.Contains(t, got.stdout, "flags: 60s/40s/5s: losses a month: none seen")
	assert.Contains(t, got.stdout, "flags: 10s/10s/2s: REFUSED")
	assert.Contains(t, got.stdout, "compared by the same random numbers\n")
	got = simulate("", append(asked, "-o", "json")...)
	var report struct {
		Targets []struct {
			AgainstFirst *struct {
				LossesPerMonth, LeaderlessSecondsPerMonth, RequestsPerDay struct{ Value, Low, High float64 }
			}
			LossesPerMonth *struct{ Value float64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &report))
	require.Len(t, report.Targets, 4)
	assert.Nil(t, report.Targets[0].AgainstFirst)
	assert.Nil(t, report.Targets[2].AgainstFirst)
	longer := report.Targets[3].AgainstFirst
	assert.InDelta(t, report.Targets[3].LossesPerMonth.Value-report.Targets[0].LossesPerMonth.Value, longer.LossesPerMonth.Value, 1e-4)
	assert.Negative(t, longer.LossesPerMonth.High, "30/20/4 loses less often")
	assert.Positive(t, longer.LeaderlessSecondsPerMonth.Low, "and stands still for longer")
	assert.Negative(t, longer.RequestsPerDay.High)
	got = simulate("", append(asked, "-o", "markdown")...)
	assert.Contains(t, got.stdout, "Compared by the same random numbers:\n\n| timings |")
}

// TestForecastBetter: which timings are better, and what they cost, is one command also for somebody who has no others in mind.
func TestForecastBetter(t *testing.T) {
	asked := strings.Fields("forecast --lease-duration 15s --p99 800ms --outage 20s/7d --replicas 2 --compare better --max-windows 500 -o json")
	got := simulate("", asked...)
	require.Zero(t, got.code, got.stderr)
	var report struct {
		Targets []struct {
			LeaseDurationNs int64
			Gate            struct{ Verdict string }
			AgainstFirst    *struct {
				LossesPerMonth, RequestsPerDay struct{ Value, High float64 }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &report))
	require.Len(t, report.Targets, 6)
	fewer, last := 0, int64(0)
	for _, target := range report.Targets[1:] {
		assert.Equal(t, "safe", target.Gate.Verdict)
		assert.Greater(t, target.LeaseDurationNs, last)
		last = target.LeaseDurationNs
		if target.AgainstFirst.LossesPerMonth.High < 0 {
			fewer++
		}
	}
	assert.GreaterOrEqual(t, fewer, 2, "some survive the outage")
}

// TestForecastRefused: what the library does not take has no forecast, and the exit code says so.
func TestForecastRefused(t *testing.T) {
	got := simulate("", "forecast", "--lease-duration", "10s", "--p50", "1ms")
	assert.Equal(t, exit.NotAsExpected, got.code, got.stderr)
	assert.Contains(t, got.stdout, "flags: REFUSED: the library or a real server does not take it\n")
	assert.Contains(t, got.stdout, "leaseDuration must be greater than renewDeadline")
}

// TestForecastSite: a file says what is usual and, without --environment, the gate's environment; flags are described alike.
func TestForecastSite(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("site.yaml", []byte("maxRoundTrip: 7s\nbehaviour:\n  roundTrip: {p50: 20ms, p99: 800ms, max: 5s}\n"+
		"  errors: [{status: 503, probability: 0.1%}, {lost: 0.01%}]\n"+
		"  episodes:\n  - {kind: outage, every: 7d, lasts: 20s}\n  - {kind: brownout, every: 1d, lasts: 10m, factor: 5}\n"+
		"  - {kind: crash, rate: 2/30d, lasts: 3s, on: leader}\n"), 0o600))
	timings := []string{"forecast", "--lease-duration", "10s"}
	file := simulate("", append(timings, "--behaviour", "site.yaml")...)
	flags := simulate("", append(timings, strings.Fields("--p50 20ms --p99 800ms --max 5s --errors 503:0.1% --lost 0.01% --outage 20s/7d "+
		"--brownout 5x/10m/1d --crash 2/30d@leader --restart 3s")...)...)
	_, file.stdout, _ = strings.Cut(file.stdout, "behaviour (site.yaml)\n")
	_, flags.stdout, _ = strings.Cut(flags.stdout, "behaviour (flags)\n")
	usual, environment, _ := strings.Cut(file.stdout, "\n\n")
	usualOfFlags, environmentOfFlags, _ := strings.Cut(flags.stdout, "\n\n")
	assert.NotEmpty(t, usual)
	assert.Equal(t, usual, usualOfFlags)
	assert.Contains(t, environment, "max-round-trip     7s      site.yaml:1\n")
	assert.Contains(t, environmentOfFlags, "max-round-trip     5s      --max\n")
	flags = simulate("", append(timings, strings.Fields("--p50 20ms --max 5s --max-round-trip 9s")...)...)
	assert.Contains(t, flags.stdout, "max-round-trip     9s      --max-round-trip\n")
}

// weekly is a site with an outage of 20s a week, which costs 15s/10s/2s the leadership each time.
var weekly = strings.Fields("forecast --lease-duration 15s --p50 20ms --p99 800ms --max 5s --outage 20s/7d --replicas 2")

// TestForecast: an outage of 20s a week costs the leadership 30/7 times a month; the same seed gives the same bytes on any number of
// cores.
func TestForecast(t *testing.T) {
	got := simulate("", append(weekly, "--parallel", "1")...)
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Empty(t, got.stderr)
	words := inOneLine(got.stdout)
	assert.Contains(t, words, "request timeout none (default; --request-timeout half is that of controller-runtime)")
	assert.Contains(t, words, "exits, and is back after 10s (assumed)")
	assert.Contains(t, got.stdout, "The gate: two leaders can work at once for 10s, at worst in its environment.")
	assert.Equal(t, got, simulate("", append(weekly, "--parallel", "3")...))
	assert.NotEqual(t, got.stdout, simulate("", append(weekly, "--seed", "2")...).stdout)

	type estimate struct{ Value, Low, High float64 }
	var out struct {
		Targets []struct {
			LossesPerMonth, AvailabilityPercent estimate
			Causes                              []struct{ Name string }
			Precise                             bool
		}
	}
	got = simulate("", append(weekly, "-o", "json")...)
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &out))
	require.Len(t, out.Targets, 1)
	losses := out.Targets[0].LossesPerMonth
	assert.LessOrEqual(t, losses.Low, 30.0/7)
	assert.GreaterOrEqual(t, losses.High, 30.0/7)
	assert.LessOrEqual(t, losses.Low, losses.Value)
	assert.True(t, out.Targets[0].Precise)
	assert.Less(t, out.Targets[0].AvailabilityPercent.Low, 100.0)
	assert.Equal(t, "outage", out.Targets[0].Causes[1].Name)
}

// TestForecastThresholds: the exit code is 0 only if every threshold is surely met.
func TestForecastThresholds(t *testing.T) {
	for _, c := range []struct {
		flags, want string
		code        int
	}{
		{"--max-losses 5/30d --min-availability 99.9% --max-gap-p99 60s", "flags: MET: ", exit.AsExpected},
		{"--max-losses 5/30d --min-availability 99.999%", "--min-availability 99.999%: VIOLATED\n", exit.NotAsExpected},
		{"--max-losses 0.1/30d", "flags: VIOLATED: ", exit.NotAsExpected},
		{"--max-overlaps 0.001/1y", "--max-overlaps 0.001/1y: UNDECIDED: the threshold lies within the interval", exit.NotAsExpected},
	} {
		got := simulate("", append(weekly, strings.Fields(c.flags)...)...)
		assert.Equal(t, c.code, got.code, "%s: %s", c.flags, got.stderr)
		assert.Contains(t, got.stdout, c.want)
	}
}

// TestForecastFolder: every target of a folder has a line; a broken file is bad input, and does not keep the others from a forecast.
func TestForecastFolder(t *testing.T) {
	gateTree(t)
	site := strings.Fields("--p50 20ms --outage 20s/7d --brief")
	got := simulate("", append([]string{"forecast", "deploy"}, site...)...)
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	lines := strings.Split(got.stdout, "\n")
	assert.Regexp(t, `^deploy/a/safe\.yml:4: Deployment bar/safe: container manager: losses a month: .* 60s/10s/2s; no two leaders work at once`, lines[0])
	assert.Regexp(t, `^deploy/b/unsafe\.yaml:4: .* 15s/10s/2s; two leaders can work at once for`, lines[1])
	assert.Equal(t, "2 forecast; 1 file without leader election", lines[3])
	require.NoError(t, os.WriteFile("deploy/broken.yaml", []byte("a: [\n"), 0o600))
	got = simulate("", append([]string{"forecast", "deploy"}, site...)...)
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stdout, "\n2 forecast; 1 could not be; 1 file without leader election\n")
	assert.Contains(t, got.stderr, "simulate: deploy/broken.yaml:1: ")
}

// TestForecastBusy: what cannot be simulated is bad input, and the report says so.
func TestForecastBusy(t *testing.T) {
	got := simulate("", strings.Fields("forecast --lease-duration 15s --p50 1ms --outage 6d/7d")...)
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "simulate: flags: episodes fill 86 % of all time")
}

// TestForecastPage: the page has every target, its figures and curves, and what others have written only as text. A file that exists
// stays, unless --force is given.
func TestForecastPage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	page, manifest := filepath.Join(folder, "page.html"), filepath.Join(folder, "<b>.yaml")
	require.NoError(t, os.WriteFile(manifest, []byte("leaderElection: {leaderElect: true, leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n"+
		"---\nleaderElection: {leaderElect: true, leaseDuration: 17s, renewDeadline: 10s, retryPeriod: 2s}\n"), 0o600))
	asked := []string{"forecast", manifest, "--outage", "20s/7d", "--compare", "targets", "--max-windows", "400", "--html", page}
	r := simulate("", asked...)
	require.Equal(t, exit.AsExpected, r.code, r.stderr)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(text), `class="figure gaps"`))
	assert.Equal(t, 1, strings.Count(string(text), `class="figure cloud"`))
	assert.NotContains(t, string(text), "<b>")
	assert.Contains(t, string(text), "losses of leadership a month")
	assert.Equal(t, exit.BadInput, simulate("", asked...).code, "the file exists")
	assert.Equal(t, exit.AsExpected, simulate("", append(asked, "--force")...).code)
}

// TestForecastReplicas: a manifest's number of replicas counts, unless a flag says another.
func TestForecastReplicas(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("one.yaml", []byte(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: m}, spec: {replicas: 1, template: {spec: {containers: [
  {name: m, image: m, args: [--leader-elect, --leader-elect-lease-duration=15s, --leader-elect-renew-deadline=10s, --leader-elect-retry-period=2s]}]}}}}
`), 0o600))
	args := []string{"forecast", "one.yaml", "--outage", "20s/1d", "--max-windows", "40"}
	got := simulate("", args...)
	require.Zero(t, got.code, got.stderr)
	assert.Contains(t, strings.Join(strings.Fields(got.stdout), " "), "1 replica, as the file says")
	got = simulate("", append(args, "--replicas", "3")...)
	assert.Contains(t, strings.Join(strings.Fields(got.stdout), " "), "; 3 replicas;")
	assert.Contains(t, simulate("", append(args, "-o", "json")...).stdout, `"replicas":1,"assumes"`)
}
