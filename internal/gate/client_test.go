package gate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
)

// clientCase is a configuration with a client, and what is said of it.
type clientCase struct {
	lease, deadline, period, trip, timeout time.Duration
	client                                 plan.Client
	otherQPS                               float64
	otherBurst                             int
	again                                  time.Duration
	release                                bool
	// bound is the computed overlap, shown what a witness shows; both in milliseconds.
	bound, shown int64
}

func (c *clientCase) judge(t *testing.T) *Judgement {
	j, err := Judge(Target{Config: bound.Config{
		Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period},
		Profile: machine.ClientGo, ReleaseOnCancel: c.release, RequestTimeout: c.timeout, Client: &c.client,
	}}, &bound.Environment{MaxRoundTrip: c.trip, OtherQPS: c.otherQPS, OtherBurst: c.otherBurst, MaxRetryAfter: c.again})
	require.NoError(t, err)
	return j
}

// withoutClosings judges j again as if the client closed no connection, as one of HTTP/1.1 does not: then no witness has one closed, either.
func withoutClosings(t *testing.T, j *Judgement) {
	j.Client = j.Client.Clone()
	j.Client.HTTP1 = true
	var err error
	j.Result, err = bound.Of(&j.Config, &j.Environment)
	require.NoError(t, err)
	j.Closing, j.Verdict, j.Witness, j.Shown = 0, Safe, nil, 0
	if !j.Result.Safe() {
		j.Verdict = Unsafe
		require.NoError(t, j.show())
	}
}

// TestClientShown: the witness shows what is computed, to the millisecond, where requests do not wait for tokens, and where other traffic
// comes in bursts alone. Otherwise the computed overlap can be an upper bound, and the witness shows less by some tokens.
func TestClientShown(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	plain, small := plan.Client{QPS: 5, Burst: 10, Retries: true}, plan.Client{QPS: 5, Burst: 1, Retries: true}
	large, free := plan.Client{QPS: 50, Burst: 100, Retries: true}, plan.Client{Retries: true}
	for _, c := range []clientCase{
		{15 * s, 10 * s, 2 * s, s, 0, plain, 0, 0, 0, false, 1000, 1000},
		{15 * s, 10 * s, 2 * s, s, 0, large, 40, 60, 0, false, 1000, 1000},
		{15 * s, 10 * s, 2 * s, 6 * s, 5 * s, free, 0, 0, 0, false, 10_000, 10_000},
		{15 * s, 10 * s, 2 * s, s, 0, plain, 0, 20, 0, false, 3600, 3600},
		{15 * s, 10 * s, 2 * s, s, 0, plain, 3, 20, 0, false, 5400, 5400},
		{15 * s, 10 * s, 2 * s, s, 5 * s, plain, 3, 20, 0, false, 8000, 8000},
		{15 * s, 10 * s, 2 * s, s, 5 * s, plain, 0, 40, 0, false, 8200, 8200},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, plain, 0, 40, 0, false, 4300, 4300},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, small, 0, 0, 0, false, -1900, 0},
		{60 * s, 40 * s, 2 * s, 100 * ms, 0, plain, 0, 100, 0, false, 1300, 1300},
		{60 * s, 40 * s, 2 * s, 100 * ms, 20 * s, plain, 2, 100, 0, false, 25_700, 25_700},
		{15 * s, 10 * s, 2 * s, 100 * ms, 5 * s, large, 0, 0, 0, true, 17_400, 17_400},
		{15 * s, 10 * s, 2 * s, 500 * ms, 5 * s, large, 0, 0, 0, true, 19_000, 19_000},
		{15 * s, 10 * s, 2 * s, s, 5 * s, large, 0, 0, 0, true, 23_000, 23_000},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, plain, 0, 40, 0, true, 22_100, 22_100},
		{15 * s, 10 * s, 2 * s, 100 * ms, 5 * s, plain, 0, 20, 0, true, 22_100, 19_900},
		{15 * s, 10 * s, 2 * s, 100 * ms, 5 * s, free, 0, 0, s, false, 10_000, 10_000},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, free, 0, 0, 3 * s, false, 10_000, 10_000},
		{60 * s, 40 * s, 2 * s, 100 * ms, 20 * s, free, 0, 0, 2 * s, false, 40_000, 39_100},
	} {
		j := c.judge(t)
		withoutClosings(t, j)
		assert.Equal(t, c.bound, j.Result.Overlap.Round(ms).Milliseconds(), "%+v: %v", c, j.Result.Terms)
		assert.Equal(t, c.shown, j.Shown.Round(ms).Milliseconds(), "%+v: %v", c, j.Result.Terms)
		assert.Equal(t, c.bound > 0, j.Verdict == Unsafe, "%+v", c)
		if c.bound == c.shown && !j.Result.AtLeast {
			assert.False(t, j.Result.Upper, "%+v", c)
		}
	}
}

// TestClientNeverSafe: what may wait for ever is not judged, and what is about no client of the target neither.
func TestClientNeverSafe(t *testing.T) {
	limited := &plan.Client{QPS: 5, Burst: 10, Retries: true}
	for want, c := range map[string]struct {
		client *plan.Client
		e      bound.Environment
		change func(*Target)
	}{
		"other traffic may be 5 a second":      {limited, bound.Environment{OtherQPS: 5}, nil},
		"other traffic may be 7 a second":      {limited, bound.Environment{OtherQPS: 7, OtherBurst: 1}, nil},
		"wait for more than 24h0m0s":           {&plan.Client{QPS: 0.001, Burst: 1}, bound.Environment{OtherBurst: 1000}, nil},
		"want --client client-go, or --qps":    {nil, bound.Environment{OtherBurst: 1}, nil},
		"want --client client-go, or --qps ":   {&plan.Client{Retries: true}, bound.Environment{OtherQPS: 1}, nil},
		"repeats requests: want --client":      {nil, bound.Environment{MaxRetryAfter: time.Second}, nil},
		"repeats requests: want --client ":     {&plan.Client{QPS: 5, Burst: 10}, bound.Environment{MaxRetryAfter: time.Second}, nil},
		"want no client, or profile client-go": {limited, bound.Environment{}, func(t *Target) { t.Profile = machine.Java }},
		"together with a client's limiter":     {limited, bound.Environment{}, func(t *Target) { t.Profile = machine.Fabric8 }},
		"kv-ttl is not asked for through":      {limited, bound.Environment{}, func(t *Target) { t.Lock = plan.KVTTL }},
	} {
		target := Target{Config: bound.Config{
			Timings: machine.Timings{LeaseDuration: time.Minute, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
			Profile: machine.ClientGo, Client: c.client,
		}}
		if c.change != nil {
			c.change(&target)
		}
		_, err := Judge(target, &c.e)
		assert.ErrorContains(t, err, strings.TrimSpace(want))
	}
}

// TestClientSaid: 0 and negative numbers are what rest.Config takes them for, and what kubernetes.NewForConfig refuses is refused.
func TestClientSaid(t *testing.T) {
	for _, c := range []struct {
		kind       string
		qps, burst float64 // -2: not said
		want       *plan.Client
		err        string
	}{
		{"", -2, -2, nil, ""},
		{"none", -2, -2, nil, ""},
		{"none", 5, -2, nil, "qps and burst of no client"},
		{"client-go", -2, -2, &plan.Client{QPS: 5, Burst: 10, Retries: true}, ""},
		{"", 0, -2, &plan.Client{QPS: 5, Burst: 10, Retries: true}, ""},
		{"", -1, -2, &plan.Client{Retries: true}, ""},
		{"", -1, 0, &plan.Client{Retries: true}, ""},
		{"", 20, 30, &plan.Client{QPS: 20, Burst: 30, Retries: true}, ""},
		{"", 20, 0, nil, "burst 0 with qps 20, which kubernetes.NewForConfig refuses"},
		{"component-base", 0, -2, &plan.Client{QPS: 50, Burst: 100, Retries: true}, ""},
		{"component-base", -2, 7, &plan.Client{QPS: 50, Burst: 7, Retries: true}, ""},
		{"controller-runtime", -2, -2, &plan.Client{Retries: true}, ""},
		{"controller-runtime", 20, -2, &plan.Client{QPS: 20, Burst: 10, Retries: true}, ""},
		{"controller-runtime", -2, 7, nil, "burst 7 of a client without a limit"},
		{"curl", -2, -2, nil, "curl is not a kind of client; want one of none, client-go"},
	} {
		s := ClientSaid{Kind: c.kind}
		if c.qps != -2 {
			s.QPS = &c.qps
		}
		if c.burst != -2 {
			s.Burst = new(int(c.burst))
		}
		got, err := s.Client()
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%+v", c)
	}
}

// componentConfig is a scheduler's configuration with a client connection.
const componentConfig = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {QPS}
leaderElection: {leaderElect: true}
`

// TestClientOfFiles: what manifests say of the client counts for programs that have one of their own, and for others where somebody asks
// for it.
func TestClientOfFiles(t *testing.T) {
	container := func(image, flags string) string {
		return "kind: Pod\napiVersion: v1\nspec: {containers: [{name: x, image: " + image + ", args: [--leader-elect" + flags + "]}]}\n"
	}
	const manager, scheduler, unknown = "k8s.gcr.io/kube-controller-manager", "k8s.gcr.io/kube-scheduler", "acme/thing"
	silent := func(connection string) string { // a scheduler elects where nothing says so
		config, _, _ := strings.Cut(componentConfig, "leaderElection")
		return strings.Replace(config, "QPS", connection, 1)
	}
	mounted := func(config string) string { // by a scheduler, whose flags for the client count for nothing then
		return "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\ndata:\n  x.yaml: |\n    " + strings.ReplaceAll(config, "\n", "\n    ") + `
---
kind: Pod
apiVersion: v1
spec:
  containers: [{name: x, image: k8s.gcr.io/kube-scheduler, args: [--config=/etc/x/x.yaml, --kube-api-qps=7, --kube-api-burst=9], volumeMounts: [{name: x, mountPath: /etc/x}]}]
  volumes: [{name: x, configMap: {name: x}}]
`
	}
	other := DefaultEnvironment()
	require.NoError(t, other.Set("otherBurst", "20", "--other-burst"))
	site := DefaultEnvironment()
	require.NoError(t, site.Set("otherQPS", "3", "site.yaml:1"))
	require.NoError(t, site.Set("otherBurst", "20", "site.yaml:2"))
	require.NoError(t, site.Set("maxRetryAfter", "1s", "site.yaml:3"))
	asked, quiet := ClientSaid{Kind: "client-go"}, ClientSaid{}
	for _, c := range []struct {
		text string
		said ClientSaid
		e    Environment
		want string
	}{
		{container(manager, ""), quiet, DefaultEnvironment(), "20 requests a second, bursts of 30 (kube-controller-manager), no other traffic (leader election has a client of its own: k8s.io/kubernetes@v1.37.2 pkg/controller/apis/config/v1alpha1/defaults.go:60-65, "},
		{container("k8s.gcr.io/kube-scheduler", ""), quiet, site, "50 requests a second, bursts of 100 (kube-scheduler), no other traffic (leader"},
		{container("k8s.gcr.io/cloud-controller-manager", ""), quiet, site, "20 requests a second, bursts of 30 (cloud-controller-manager), no other traffic (leader"},
		{container(manager, ", --kube-api-qps=20"), quiet, DefaultEnvironment(), "20 requests a second, bursts of 30 (qps: the file), no other traffic (leader election has a client of its own: "},
		{container(manager, ", --kube-api-qps=0"), quiet, DefaultEnvironment(), "5 requests a second, bursts of 30 (qps: the file)"},
		{container(manager, `, --kube-api-qps, "20", --kube-api-burst=30`), quiet, other, "20 requests a second, bursts of 30 (the file), other traffic up to 0 a second, bursts of 20, no Retry-After"},
		{container(manager, ", --kube-api-qps=5, --kube-api-qps=2"), quiet, DefaultEnvironment(), "2 requests a second, bursts of 30 (qps: the file)"},
		{container(manager, ", --kube-api-qps=-1"), quiet, DefaultEnvironment(), "no limit of requests (the file), no Retry-After"},
		{container(manager, ""), quiet, other, "20 requests a second, bursts of 30 (kube-controller-manager), other traffic"},
		{container(manager, ""), asked, DefaultEnvironment(), "20 requests a second, bursts of 30 (kube-controller-manager), no other traffic (leader"},
		{container(manager, `, "--kube-api-qps={{ .Values.qps }}"`), quiet, DefaultEnvironment(), ""},
		{container(manager, `, "--kube-api-qps={{ .Values.qps }}"`), quiet, other, "problem: --kube-api-qps: the value {{ .Values.qps }} is not in this file"},
		{container(manager, `, --kube-api-qps=fast`), asked, other, `problem: --kube-api-qps: want a number of requests, got "fast"`},
		{container(manager, `, --kube-api-burst=0`), quiet, other, "problem: the client: burst 0 with qps 20, which kubernetes.NewForConfig refuses"},
		{container(unknown, ", --kube-api-qps=20"), quiet, DefaultEnvironment(), ""},
		{container(unknown, ", --kube-api-qps=20"), asked, other, "20 requests a second, bursts of 10 (qps: the file), other traffic"},
		{container(unknown, ", --client-connection-qps=20, --client-connection-burst=40"), asked, DefaultEnvironment(), "20 requests a second, bursts of 40 (the file)"},
		{container(unknown, ", --clientRateLimitQPS=0, --clientRateLimitBurst=40"), asked, DefaultEnvironment(), "5 requests a second, bursts of 40 (the file)"},
		{container(unknown, ", --qps=80, --burst=90"), asked, DefaultEnvironment(), "5 requests a second, bursts of 10 (--client)"},
		{container(unknown, ", --kube-api-burst=30"), ClientSaid{Kind: "client-go", QPS: new(7.0), Burst: new(9)}, other, "5 requests a second, bursts of 30 (burst: the file)"},
		{container(unknown, ", --kube-api-qps=20"), ClientSaid{Kind: plan.NoClient}, DefaultEnvironment(), ""},
		{container(unknown, ", --kube-api-qps=abc"), quiet, DefaultEnvironment(), `problem: --kube-api-qps: want a number of requests, got "abc"`},
		{container(unknown, ", --kube-api-qps=5, --kube-api-burst=0"), quiet, DefaultEnvironment(), "problem: the client: burst 0 with qps 5, which"},
		{container(unknown, ""), ClientSaid{Kind: "controller-runtime"}, site, "no limit of requests (--client), Retry-After up to 1s"},
		{container(unknown, ""), asked, DefaultEnvironment(), "5 requests a second, bursts of 10 (--client), no other traffic (assumed), no Retry-After"},
		{container(unknown, ""), quiet, other, ""},
		{container(unknown, ""), quiet, site, ""},
		{strings.Replace(componentConfig, "QPS", "qps: 7, burst: 8", 1), quiet, DefaultEnvironment(), "7 requests a second, bursts of 8 (the file)"},
		{strings.Replace(componentConfig, "QPS", "burst: 0, qps: 7", 1), quiet, DefaultEnvironment(), "7 requests a second, bursts of 100 (qps: the file)"},
		{strings.Replace(componentConfig, "QPS", "kubeconfig: x", 1), quiet, DefaultEnvironment(), "50 requests a second, bursts of 100 (kube-scheduler)"},
		{silent("qps: 2, burst: 4"), quiet, DefaultEnvironment(), "2 requests a second, bursts of 4 (the file)"},
		{silent("qps: 2, burst: 0"), quiet, DefaultEnvironment(), "2 requests a second, bursts of 100 (qps: the file)"},
		{container(scheduler, ", --kube-api-qps=7"), quiet, DefaultEnvironment(), "7 requests a second, bursts of 100 (qps: the file)"},
		{container(scheduler, ", --kube-api-qps=7, --config=/x.yaml"), quiet, DefaultEnvironment(), "50 requests a second, bursts of 100 (kube-scheduler)"},
		{container(manager, ", --kube-api-qps=7, --config=/x.yaml"), quiet, DefaultEnvironment(), "7 requests a second, bursts of 30 (qps: the file)"},
		{"kube_kubeadm_controller_extra_args: {kube-api-qps: '2', leader-elect-lease-duration: 60s}", quiet, DefaultEnvironment(), "2 requests a second, bursts of 30 (qps: the file)"},
		{"extra-kube-scheduler-args: {--kube-api-burst: '0x10', --leader-elect-lease-duration: 60s}", quiet, DefaultEnvironment(), "50 requests a second, bursts of 16 (burst: the file)"},
		{"extra-kube-scheduler-args: {--kube-api-burst: '9', --config: /x.yaml, --leader-elect-lease-duration: 60s}", quiet, DefaultEnvironment(), "50 requests a second, bursts of 100 (kube-scheduler)"},
		{container(manager, ", --kube-api-burst=010"), quiet, DefaultEnvironment(), "20 requests a second, bursts of 8 (burst: the file)"},
		{mounted(silent("qps: 2, burst: 4")), quiet, DefaultEnvironment(), "2 requests a second, bursts of 4 (the file)"},
		{mounted(strings.Replace(componentConfig, "QPS", "qps: 2", 1)), quiet, DefaultEnvironment(), "2 requests a second, bursts of 100 (qps: the file)"},
		{mounted(strings.Replace(componentConfig, "QPS", "kubeconfig: x", 1)), quiet, DefaultEnvironment(), "50 requests a second, bursts of 100 (kube-scheduler)"},
	} {
		r := JudgeFiles([]string{"-"}, strings.NewReader(c.text), &Unsaid{Profile: machine.ClientGo, Client: c.said}, c.e)
		got := ""
		switch {
		case len(r.Problems) > 0:
			got = "problem: " + r.Problems[0].Text
		case r.Targets[0].Client != nil:
			_, got, _ = strings.Cut(r.Targets[0].AssumesHere(), "client: ")
			got, _, _ = strings.Cut(got, "; ")
		}
		assert.True(t, strings.HasPrefix(got, c.want) && (c.want != "" || got == ""), "%s\n%+v: want %s, got %s", c.text, c.said, c.want, got)
	}
}

// TestOtherLimits: a flag that limits the requests of nobody knows which client is a condition where a client counts, and its own limits are not said.
func TestOtherLimits(t *testing.T) {
	const condition = "its election's client has other limits than those of --qps and --webhook-burst"
	for flags, asked := range map[string]bool{"--qps=80, --webhook-burst=3": true, "--qps=80, --webhook-burst=3, --kube-api-qps=20": false} {
		for kind, counts := range map[string]bool{"component-base": true, "": false} {
			text := "kind: Pod\napiVersion: v1\nspec: {containers: [{name: x, image: acme/thing, args: [--leader-elect-lease-duration=120s, --leader-elect-renew-deadline=12s, " + flags + "]}]}\n"
			r := JudgeFiles([]string{"-"}, strings.NewReader(text), &Unsaid{Profile: machine.ClientGo, Client: ClientSaid{Kind: kind}}, DefaultEnvironment())
			require.Empty(t, r.Problems)
			assert.Equal(t, asked && counts, slices.Contains(r.Targets[0].Conditions(), condition), "%s, %q: %s", flags, kind, r.Targets[0].Conditions())
		}
	}
}

// TestResetAssumed: a client that repeats requests repeats a read a second after its connection was reset. Where no Retry-After is as
// long as that, the verdict assumes that no connection is reset then.
func TestResetAssumed(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		repeats bool
		after   time.Duration
		want    string
	}{
		{true, 0, ", no Retry-After, no connection reset during a read; "},
		{true, s - 1, ", Retry-After up to 999.999999ms, no connection reset during a read; "},
		{true, s, ", Retry-After up to 1s; "},
		{false, 0, ", no Retry-After; "},
	} {
		target := Target{Config: bound.Config{
			Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, Profile: machine.ClientGo,
			Client: &plan.Client{QPS: 5, Burst: 10, Retries: c.repeats},
		}}
		j, err := Judge(target, &bound.Environment{MaxRoundTrip: s, MaxRetryAfter: c.after})
		require.NoError(t, err)
		assert.Contains(t, j.Assumes(), c.want)
	}
}

// TestClientTimeout: a kind of client has a request timeout, unless one is said.
func TestClientTimeout(t *testing.T) {
	var target Target
	target.SetClient(&ClientSaid{Kind: "component-base"}, false)
	assert.Equal(t, programs.Half, target.Timeout.Kind)
	target.SetClient(&ClientSaid{Kind: "client-go"}, false)
	assert.Equal(t, programs.None, target.Timeout.Kind)
	target.SetClient(&ClientSaid{Kind: "controller-runtime"}, true)
	assert.Equal(t, programs.None, target.Timeout.Kind)
}

// TestSiteOfUnknownClient: numbers of a file that are about clients do not count for a target whose client nobody knows, and the verdict
// has that as a condition.
func TestSiteOfUnknownClient(t *testing.T) {
	site := environmentOf(t, "maxRoundTrip", "100ms")
	require.NoError(t, site.Set("otherBurst", "20", "site.yaml:2"))
	const text = "kind: Pod\napiVersion: v1\nspec: {containers: [{name: x, image: acme/thing, args: [--leader-elect, --leader-elect-lease-duration=60s, " +
		"--leader-elect-renew-deadline=10s, --leader-elect-retry-period=2s]}]}\n"
	r := JudgeFiles([]string{"-"}, strings.NewReader(text), &Unsaid{Profile: machine.ClientGo}, site)
	require.Empty(t, r.Problems)
	assert.Equal(t, Safe, r.Targets[0].Verdict)
	assert.Contains(t, r.Targets[0].Conditions(), "its client, of which nothing is known, has no limiter and repeats no request")
	assert.Zero(t, r.Targets[0].Environment.OtherBurst)
}

// TestClosedTooLate: where a connection is closed so late that the read is over before it is sent again, there is no such course.
func TestClosedTooLate(t *testing.T) {
	c := bound.Config{
		Timings: machine.Timings{LeaseDuration: 14106420767, RenewDeadline: 14106420751, RetryPeriod: 11754476691},
		Profile: machine.ClientGo, RequestTimeout: 1192146318, Client: &plan.Client{QPS: 0.8507397, Burst: 5},
	}
	j, err := Judge(Target{Config: c}, &bound.Environment{MaxRoundTrip: 5552421634, MaxDriftPPM: 500_000})
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
}

// TestLostOnAFastClock: a lost answer takes no longer than the request timeout on the leader's own clock, so that a fast clock leaves no tick by
// it: 7.32/7.32/1.1 with a timeout of 1.1 s.
func TestLostOnAFastClock(t *testing.T) {
	c := bound.Config{
		Timings: machine.Timings{LeaseDuration: 7320*time.Millisecond + 6, RenewDeadline: 7320*time.Millisecond + 1, RetryPeriod: 1100 * time.Millisecond},
		Profile: machine.ClientGo, RequestTimeout: 1100 * time.Millisecond, Client: &plan.Client{QPS: 100, Burst: 30},
	}
	j, err := Judge(Target{Config: c}, &bound.Environment{MaxRoundTrip: time.Millisecond, MaxDriftPPM: 500_000})
	require.NoError(t, err)
	assert.InDelta(t, j.Result.Overlap, j.Shown, float64(stage.Agree))
}

// TestTriedChain: where few tokens come in a RetryPeriod a witness has attempts that each outlast a tick and so empty the bucket. No other
// plan of a witness shows anything here.
func TestTriedChain(t *testing.T) {
	j := &Judgement{Target: Target{Config: bound.Config{
		Timings: machine.Timings{LeaseDuration: 17 * time.Second, RenewDeadline: 12 * time.Second, RetryPeriod: time.Second},
		Profile: machine.ClientGo, Client: &plan.Client{QPS: 3, Burst: 6}, RequestTimeout: 1950 * time.Millisecond,
	}}, Environment: bound.Environment{MaxRoundTrip: 100 * time.Millisecond, OtherBurst: 5}}
	withoutClosings(t, j)
	assert.GreaterOrEqual(t, j.Shown, 666*time.Millisecond)
	assert.LessOrEqual(t, j.Shown, j.Result.Overlap)
}
