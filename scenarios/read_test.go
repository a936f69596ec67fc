package scenarios

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

func readText(text string) (*Scenario, error) { return Read(strings.NewReader(text), "x.yaml") }

// TestReadContract reads the example of the contract; every field lands.
func TestReadContract(t *testing.T) {
	t.Parallel()
	s, err := ReadFile("testdata/contract.yaml")
	require.NoError(t, err)
	a := plan.DefaultCandidate()
	a.ID, a.Jitter, a.Rejoin = "a", new(0.5), new(time.Second)
	b, c := a, a
	b.ID, b.StartAt, b.Clock = "b", 100*time.Millisecond, Clock{Offset: 3 * time.Second, DriftPPM: -200}
	c.ID, c.Identity = "c", "a"
	still := Delay{Min: time.Millisecond, Max: time.Millisecond}
	slow := Delay{Min: 9900 * time.Millisecond, Max: 9900 * time.Millisecond}
	at := func(n time.Duration) time.Duration { return n * time.Second }
	until := func(n time.Duration) *time.Duration { return new(at(n)) }
	on := []string{"a"}
	require.Equal(t, &Scenario{
		Name:  "late-ack",
		About: "one sentence on what this shows",
		Plan: Plan{
			Seed:       1,
			Horizon:    time.Minute,
			Candidates: []Candidate{a, b, c},
			Network:    Network{Request: still, Response: still},
			Faults: []Fault{
				{Kind: plan.FaultDelay, At: at(20), Until: until(22), On: on, Response: &slow},
				{Kind: plan.FaultPartition, At: at(22), On: on},
				{
					Kind: plan.FaultLose, At: at(5), Until: until(9), On: on,
					Leg: plan.ResponseLeg, Probability: new(0.3),
				},
				{Kind: plan.FaultOutage, At: at(5), Until: until(9)},
				{Kind: plan.FaultError, At: at(5), Until: until(9), On: on, Verb: machine.Update, Status: 504},
				{Kind: plan.FaultPause, At: at(30), Until: until(50), On: on},
				{Kind: plan.FaultCrash, At: at(30), On: on},
				{Kind: plan.FaultRestart, At: at(35), On: on, Identity: plan.SameIdentity},
				{Kind: plan.FaultCancel, At: at(40), On: on},
				{Kind: plan.FaultClock, At: at(10), On: on, Jump: at(5)},
				{Kind: plan.FaultDelete, At: at(12)},
			},
		},
		Expect: map[string]Expectation{
			"single-work": ExpectViolated, "single-belief": ExpectViolated, "safety-window": ExpectViolated,
		},
	}, s)
}

func TestReadDefaults(t *testing.T) {
	t.Parallel()
	s, err := readText(`
name: x
horizon: 1h
candidates:
  - {id: a}
  - {id: b, jitter: 0, rejoin: 0, releaseOnCancel: false, clock: {offset: 3s}}
defaults: {jitter: 25e-2, rejoin: 5s, releaseOnCancel: true, clock: {offset: -1s, driftPPM: 7}}
network: {response: {min: 2ms, max: 3ms}}
seed: 0
`)
	require.NoError(t, err)
	a, b := s.Candidates[0], s.Candidates[1]
	assert.Equal(t, machine.ClientGo, a.Profile)
	assert.Equal(t, plan.Lease, a.Lock)
	assert.Equal(t, machine.Timings{LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9}, a.Timings)
	assert.Equal(t, 0.25, *a.Jitter)
	assert.Equal(t, 5*time.Second, *a.Rejoin)
	assert.True(t, a.ReleaseOnCancel)
	assert.Equal(t, Clock{Offset: -time.Second, DriftPPM: 7}, a.Clock)
	assert.Zero(t, *b.Jitter)
	assert.Zero(t, *b.Rejoin)
	assert.False(t, b.ReleaseOnCancel)
	assert.Equal(t, Clock{Offset: 3 * time.Second, DriftPPM: 7}, b.Clock, "a clock is merged field by field")
	assert.Equal(t, Delay{Min: 1e6, Max: 1e6}, s.Network.Request, "a leg that is not given keeps the default")
	assert.Equal(t, Delay{Min: 2e6, Max: 3e6}, s.Network.Response)
	assert.Zero(t, s.Seed)
	assert.Nil(t, s.Faults)
	assert.Nil(t, s.Expect)
}

// TestReadJitters: a list of draws is for the first waits, and its last number for all after them too.
func TestReadJitters(t *testing.T) {
	t.Parallel()
	s, err := readText("name: x\nhorizon: 1h\ndefaults: {jitter: [0.5, 0, 0.25]}\ncandidates: [{id: a}, {id: b, jitter: 0.75}, {id: c, jitter: [0.125]}]")
	require.NoError(t, err)
	for i, want := range []struct {
		first []float64
		rest  float64
	}{{[]float64{0.5, 0}, 0.25}, {nil, 0.75}, {nil, 0.125}} {
		assert.Equal(t, want.rest, *s.Candidates[i].Jitter)
		assert.ElementsMatch(t, want.first, s.Candidates[i].FirstJitters)
	}
	for jitter, want := range map[string]string{
		"[]": "candidates[0].jitter: want a number, or a list of one and more", "[0.5, a]": `jitter[1]: want a number, got "a"`,
		"[1, 0.5]": "jitter: 1 is out of range", "{a: 1}": "want a number",
	} {
		_, err := readText("name: x\nhorizon: 1h\ncandidates: [{id: a, jitter: " + jitter + "}]")
		assert.ErrorContains(t, err, want)
	}
}

// TestReadOtherKind: a candidate that has another kind of client than the defaults does not have the request timeout of theirs, unless
// the file gives that.
func TestReadOtherKind(t *testing.T) {
	const second = time.Second
	for defaults, want := range map[string][]time.Duration{
		"client: controller-runtime":                       {5 * second, 0, 0, 5 * second, 5 * second},
		"client: controller-runtime, requestTimeout: half": {5 * second, 5 * second, 5 * second, 5 * second, 5 * second},
		"client: controller-runtime, requestTimeout: none": {0, 0, 0, 5 * second, 0},
		"client: controller-runtime, requestTimeout: 3s":   {3 * second, 3 * second, 3 * second, 5 * second, 3 * second},
	} {
		s, err := readText("name: x\nhorizon: 60s\ndefaults: {" + defaults + "}\ncandidates:\n- {id: a}\n- {id: b, client: client-go}\n" +
			"- {id: c, client: {kind: none}}\n- {id: d, client: component-base}\n- {id: e, client: {qps: 3, burst: 1}}\n")
		require.NoError(t, err)
		for i := range want {
			assert.Equal(t, want[i], s.Candidates[i].RequestTimeout, "%s: %s", defaults, s.Candidates[i].ID)
		}
	}
}

// TestReadClient: a client has what its kind has, unless the file says otherwise.
func TestReadClient(t *testing.T) {
	t.Parallel()
	second := time.Second
	for text, want := range map[string]Candidate{
		"":                                     {},
		"client: none":                         {},
		"client: {kind: none}":                 {},
		"client: {kind: none, retries: false}": {Client: &plan.Client{}},
		"client: {kind: none, protocol: http/1.1}": {Client: &plan.Client{HTTP1: true}},
		"client: {kind: none, protocol: http/2}":   {Client: &plan.Client{}},
		"client: {kind: none, qps: 7}":             {Client: &plan.Client{QPS: 7, Burst: 10}},
		"client: {kind: none, qps: -1}":            {Client: &plan.Client{}},
		"client: {qps: -0.0, burst: 0}":            {Client: &plan.Client{QPS: 5, Burst: 10, Retries: true}},
		"client: client-go":                        {Client: &plan.Client{QPS: 5, Burst: 10, Retries: true}},
		"client: {qps: 7.5}":                       {Client: &plan.Client{QPS: 7.5, Burst: 10, Retries: true}},
		"client: {qps: 0, burst: 0}":               {Client: &plan.Client{QPS: 5, Burst: 10, Retries: true}},
		"client: {qps: 0, burst: 3}":               {Client: &plan.Client{QPS: 5, Burst: 3, Retries: true}},
		"client: {qps: -1, burst: 3}":              {Client: &plan.Client{Retries: true}},
		"client: controller-runtime":               {Client: &plan.Client{Retries: true}, RequestTimeout: 5 * second},
		"client: {kind: component-base, retries: false}": {
			Client: &plan.Client{QPS: 50, Burst: 100}, RequestTimeout: 5 * second},
		"requestTimeout: 3s, client: component-base": {
			Client: &plan.Client{QPS: 50, Burst: 100, Retries: true}, RequestTimeout: 3 * second},
		"requestTimeout: half, renewDeadline: 8s": {RequestTimeout: 4 * second},
		"client: {kind: none, qps: 1, burst: 2, other: [{at: 3s}, {at: 0s, every: 1s, until: 9s, count: 4, drawn: true}]}": {
			Client: &plan.Client{QPS: 1, Burst: 2, Other: []plan.Traffic{{At: 3 * second, Count: 1},
				{Every: second, Until: new(9 * second), Count: 4, Drawn: true}}}},
	} {
		s, err := readText("name: x\nhorizon: 60s\ncandidates: [{id: a, " + text + "}]\n")
		require.NoError(t, err, text)
		assert.Equal(t, want.Client, s.Candidates[0].Client, text)
		assert.Equal(t, want.RequestTimeout, s.Candidates[0].RequestTimeout, text)
	}
	s, err := readText("name: x\nhorizon: 60s\ndefaults: {client: {qps: 1, burst: 2}, requestTimeout: 9s}\ncandidates:\n" +
		"- {id: a}\n- {id: b, client: {retries: false}}\n- {id: c, client: controller-runtime, renewDeadline: 3s}\n- {id: d, client: none}\n- {id: e, client: {kind: none}}\n")
	require.NoError(t, err)
	for i, want := range []*plan.Client{{QPS: 1, Burst: 2, Retries: true}, {QPS: 1, Burst: 2}, {Retries: true}, nil, nil} {
		assert.Equal(t, want, s.Candidates[i].Client, s.Candidates[i].ID)
	}
	assert.Equal(t, 1500*time.Millisecond, s.Candidates[2].RequestTimeout, "half of its own deadline")
	assert.Equal(t, 9*second, s.Candidates[3].RequestTimeout, "none says nothing of the timeout")
}

// TestReadForms reads one scenario in many notations.
func TestReadForms(t *testing.T) {
	t.Parallel()
	want, err := readText("name: x\nabout: one and two\nhorizon: 60s\n" +
		"candidates:\n- {id: a, drain: 3s}\n- {id: b}\nseed: 7\nfaults:\n- {kind: pause, at: 3s, on: [a]}\n")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/forms/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		text := string(content)
		for _, form := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), "\uFEFF" + text} {
			got, err := Read(strings.NewReader(form), file)
			require.NoError(t, err)
			assert.Equal(t, want, got, file)
		}
	}
}

func TestReadJSONText(t *testing.T) {
	t.Parallel()
	s, err := readText(`{"name":"x","about":"\ud83d\ude00 \/ \u00e9\n","horizon":"60s",` +
		`"candidates":[{"id":"a","jitter":1e-1}]}`)
	require.NoError(t, err)
	assert.Equal(t, "😀 / é\n", s.About)
	assert.InDelta(t, 0.1, *s.Candidates[0].Jitter, math.SmallestNonzeroFloat64)
}

// TestReadManyCandidates has as many as there may be, and one more.
func TestReadManyCandidates(t *testing.T) {
	t.Parallel()
	begin := "name: x\nhorizon: 60s\ncandidates:\n"
	s, err := readText(begin + numbered("- {id: c%}\n", plan.MaxCandidates) + "seed: 3\n")
	require.NoError(t, err)
	assert.Len(t, s.Candidates, plan.MaxCandidates)
	assert.Equal(t, "c099999", s.Candidates[99999].ID)
	assert.EqualValues(t, 3, s.Seed)

	all := numbered("{\"id\":\"c%\"},", plan.MaxCandidates)
	_, err = readText(`{"name":"x","horizon":"60s",` + "\n" + `"candidates":[` + all + `{"id":"d"}]}`)
	assert.EqualError(t, err, "x.yaml:2: candidates: has more than 100000 entries")
	_, err = readText(begin + numbered("- id: c%\n", 20000) + "- id: c010000\n")
	assert.EqualError(t, err, "x.yaml:20004: candidates[20000].id: "+
		`"c010000" is the id of candidates[10000] too; ids must differ`)
}

// numbered repeats a pattern, with six digits for %.
func numbered(pattern string, n int) string {
	var b strings.Builder
	before, after, _ := strings.Cut(pattern, "%")
	for i := range n {
		b.WriteString(before)
		for _, unit := range []int{100000, 10000, 1000, 100, 10, 1} {
			b.WriteByte(byte('0' + i/unit%10))
		}
		b.WriteString(after)
	}
	return b.String()
}

func TestReadFileSpecial(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) string {
		require.NoError(t, os.WriteFile(path(name), []byte(content), 0o600))
		return path(name)
	}
	huge := write("huge.yaml", "name: x\n")
	require.NoError(t, os.Truncate(huge, 100<<20))
	for _, c := range []struct{ path, want string }{
		{dir, ": is a directory; want a scenario file"},
		{path("none.yaml"), ": no such file or directory"},
		{huge, ": is larger than 16 MiB; no scenario is"},
		{write("empty.yaml", ""), ":1: there is nothing in the file; want a scenario"},
		{write("comments.yaml", "# a\n\n# b\n"), ":1: there is nothing in the file; want a scenario"},
		{write("binary", "\x7fELF\x02\x01\x01\x00"), ":1: not a text file: it has a byte 0x7f"},
		{write("nul.yaml", "name: x\nabout: \x00\n"), ":2: not a text file: it has a byte 0x00"},
		{write("latin1.yaml", "about: caf\xe9\n"), ":1: not a text file: the byte 0xe9 is not UTF-8"},
		{write("utf16.yaml", "\xff\xfen\x00a\x00"), ":1: not a text file: the byte 0xff is not UTF-8"},
	} {
		_, err := ReadFile(c.path)
		assert.EqualError(t, err, c.path+c.want)
	}
	_, err := ReadFile(path("none.yaml"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	if os.Getuid() != 0 {
		secret := write("secret.yaml", "name: x\n")
		require.NoError(t, os.Chmod(secret, 0))
		_, err = ReadFile(secret)
		assert.EqualError(t, err, secret+": permission denied")
	}
}

// endless never ends, and must not be read to its end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestReadStopsAtLimit(t *testing.T) {
	t.Parallel()
	var e endless
	_, err := Read(&e, "-")
	require.EqualError(t, err, "-: is larger than 16 MiB; no scenario is")
	assert.LessOrEqual(t, e.read, maxFileBytes+1)
}
