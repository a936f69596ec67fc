package plan_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

func validPlan() *plan.Plan {
	still := plan.Delay{Min: time.Millisecond, Max: time.Millisecond}
	p := &plan.Plan{Seed: 1, Horizon: time.Minute, Network: plan.Network{Request: still, Response: still}}
	for _, id := range []string{"a", "b"} {
		p.Candidates = append(p.Candidates, plan.Candidate{
			ID: id, Profile: machine.ClientGo, Lock: plan.Lease,
			Timings: machine.Timings{LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9},
		})
	}
	return p
}

func withFault(f plan.Fault) func(*plan.Plan) {
	return func(p *plan.Plan) { p.Faults = []plan.Fault{{Kind: plan.FaultCrash, At: 1e9}, f} }
}

func withCandidate(change func(*plan.Candidate)) func(*plan.Plan) {
	return func(p *plan.Plan) { change(&p.Candidates[1]) }
}

// refused checks that a valid plan, once changed, is refused with an error that begins so.
func refused(t *testing.T, want string, change func(*plan.Plan)) {
	t.Helper()
	p := validPlan()
	change(p)
	err := p.Validate()
	var field *plan.FieldError
	if assert.True(t, errors.As(err, &field), want) {
		assert.True(t, strings.HasPrefix(err.Error(), want), "want %s\ngot  %s", want, err)
		assert.NotContains(t, err.Error(), "\n")
	}
}

const tooLong = plan.MaxDuration + 1

func TestValidateRefusesPlan(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*plan.Plan){
		"horizon: must be greater than zero":       func(p *plan.Plan) { p.Horizon = 0 },
		"horizon: -1s is negative":                 func(p *plan.Plan) { p.Horizon = -time.Second },
		"horizon: 87600h0m0.000000001s is more":    func(p *plan.Plan) { p.Horizon = tooLong },
		"candidates: there is none":                func(p *plan.Plan) { p.Candidates = nil },
		"candidates: has more than 100000 entries": func(p *plan.Plan) { p.Candidates = make([]plan.Candidate, 100_001) },
		"faults: has more than 100000 entries":     func(p *plan.Plan) { p.Faults = make([]plan.Fault, 100_001) },
		"network.request: -1ns is negative":        func(p *plan.Plan) { p.Network.Request = plan.Delay{Min: -1, Max: -1} },
		"network.request.min: -1ns is negative":    func(p *plan.Plan) { p.Network.Request = plan.Delay{Min: -1} },
		"network.response: min 2ns is more than":   func(p *plan.Plan) { p.Network.Response = plan.Delay{Min: 2, Max: 1} },
		"network.response.max: 87600h0m0.00000000": func(p *plan.Plan) { p.Network.Response = plan.Delay{Max: tooLong} },
	} {
		refused(t, want, change)
	}
}

func TestValidateRefusesCandidate(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*plan.Candidate){
		"id: must not be empty":            func(c *plan.Candidate) { c.ID = "" },
		`id: "a" is the id of candidates[`: func(c *plan.Candidate) { c.ID = "a" },
		"id: leader is the name":           func(c *plan.Candidate) { c.ID = "leader" },
		"id: follower is the name":         func(c *plan.Candidate) { c.ID = "follower" },
		`id: "\x00" is not printable`:      func(c *plan.Candidate) { c.ID = "\x00" },
		`id: "\xff" is not printable`:      func(c *plan.Candidate) { c.ID = "\xff" },
		`id: "xxx`:                         func(c *plan.Candidate) { c.ID = strings.Repeat("x", 254) },
		`identity: "\n" is not`:            func(c *plan.Candidate) { c.Identity = "\n" },
		`profile: "" is not a profile`:     func(c *plan.Candidate) { c.Profile = machine.Profile{} },
		`lock: "" is not a kind of lock`:   func(c *plan.Candidate) { c.Lock = "" },
		`lock: "leases" is not a kind of`:  func(c *plan.Candidate) { c.Lock = "leases" },
		"leaseDuration: 87600h":            func(c *plan.Candidate) { c.LeaseDuration = tooLong },
		"renewDeadline: -1ns is":           func(c *plan.Candidate) { c.RenewDeadline = -1 },
		"retryPeriod: -1ns is":             func(c *plan.Candidate) { c.RetryPeriod = -1 },
		"requestTimeout: -1ns is":          func(c *plan.Candidate) { c.RequestTimeout = -1 },
		"jitter: NaN is out":               func(c *plan.Candidate) { c.Jitter = new(math.NaN()) },
		"jitter: 1 is out":                 func(c *plan.Candidate) { c.Jitter = new(1.0) },
		"jitter: -1e-09 is out":            func(c *plan.Candidate) { c.Jitter = new(-1e-9) },
		"jitter: 1.5 is out":               func(c *plan.Candidate) { c.FirstJitters, c.Jitter = []float64{0, 1.5}, new(0.0) },
		"jitter: has first draws and none": func(c *plan.Candidate) { c.FirstJitters, c.Jitter = []float64{0}, nil },
		"drain: -1ns is negative":          func(c *plan.Candidate) { c.Drain = -1 },
		"returnsAfter: -1ns is negative":   func(c *plan.Candidate) { c.ReturnsAfter = -1 },
		"startAt: 87600h":                  func(c *plan.Candidate) { c.StartAt = tooLong },
		"rejoin: -1ns is":                  func(c *plan.Candidate) { c.Rejoin = new(time.Duration(-1)) },
		"clock.offset: -2562047h":          func(c *plan.Candidate) { c.Clock.Offset = math.MinInt64 },
		"clock.driftPPM: -1000000":         func(c *plan.Candidate) { c.Clock.DriftPPM = -1_000_000 },

		"client.qps: NaN is out of":            client(plan.Client{QPS: math.NaN(), Burst: 1}),
		"client.qps: -1 is out of range; want": client(plan.Client{QPS: -1}),
		"client.qps: 1e-07 is out of":          client(plan.Client{QPS: 1e-7, Burst: 1}),
		"client.burst: 0 is out of range":      client(plan.Client{QPS: 5}),
		"client.burst: 1000001 is out":         client(plan.Client{QPS: 5, Burst: 1_000_001}),
		"client.other: takes tokens":           client(plan.Client{Other: []plan.Traffic{{Count: 1}}}),
		"client.other: has more than 100":      client(plan.Client{QPS: 5, Burst: 1, Other: make([]plan.Traffic, 101)}),
		"client.other[0].at: -1ns is negative": traffic(plan.Traffic{At: -1, Count: 1}),
		"client.other[0].every: -1ns is":       traffic(plan.Traffic{Every: -1, Count: 1}),
		"client.other[0].count: 0 is out":      traffic(plan.Traffic{}),
		"client.other[0].until: 1ns is not":    traffic(plan.Traffic{At: 1, Until: new(time.Duration(1)), Every: 1, Count: 1}),
		"client.other[0].every: is required":   traffic(plan.Traffic{Count: 1, Drawn: true}),
		"client.other[0].every: 1ns makes":     traffic(plan.Traffic{Every: 1, Count: 1}),
		"client: is not simulated with profile client-go-v0.24": func(c *plan.Candidate) {
			c.Client, c.Profile = &plan.Client{Retries: true}, machine.ClientGoV024
		},
		"client: is not simulated with profile client-go-v0.17": func(c *plan.Candidate) {
			c.Client, c.Profile, c.RequestTimeout = new(plan.Client), machine.ClientGoV017, 0
		},
		"returnsAfter: is not simulated with profile csharp": func(c *plan.Candidate) {
			c.Profile, c.ReturnsAfter = machine.CSharp, 1
		},
		"returnsAfter: is not simulated with profile fabric8": func(c *plan.Candidate) {
			c.Profile, c.ReturnsAfter = machine.Fabric8, 1
		},
		"client: is not simulated in coordinated elections": func(c *plan.Candidate) { c.Client, c.Coordinated = new(plan.Client), true },
		"client: keys and rows are not":                     func(c *plan.Candidate) { c.Client, c.Lock = new(plan.Client), plan.KVTTL },
	} {
		refused(t, "candidates[1]."+want, withCandidate(change))
	}
	refused(t, "candidates[1]: leaseDuration must be greater than renewDeadline (leaseDuration 10s, renew",
		withCandidate(func(c *plan.Candidate) { c.LeaseDuration = 10e9 }))
}

// client returns a change that gives a candidate that client, and traffic one whose client has that traffic besides.
func client(l plan.Client) func(*plan.Candidate) { return func(c *plan.Candidate) { c.Client = &l } }

func traffic(t plan.Traffic) func(*plan.Candidate) {
	return client(plan.Client{QPS: 5, Burst: 10, Other: []plan.Traffic{t}})
}

// TestPlainText: an answer that is no JSON is refused where it may reach the client for Python, and nowhere else.
func TestPlainText(t *testing.T) {
	t.Parallel()
	seats := plan.Fault{Kind: plan.FaultBrownout, Seats: 1, Takes: 1}
	for i, f := range []plan.Fault{{Kind: plan.FaultThrottle}, {Kind: plan.FaultError, Status: 429}, {Kind: plan.FaultError, Status: 502}, seats} {
		of := func(on ...string) func(*plan.Plan) {
			return func(p *plan.Plan) {
				p.Candidates[1].Profile, p.Candidates[1].RequestTimeout = machine.Python, 0
				f.On = on
				p.Faults = []plan.Fault{f}
			}
		}
		refused(t, "faults[0].kind: such an answer is no JSON, and ends the run of", of())
		refused(t, "faults[0].kind: such an answer is no JSON", of(plan.RoleLeader))
		p := validPlan()
		of(p.Candidates[0].ID)(p)
		require.NoError(t, p.Validate(), i)
	}
	p := validPlan()
	p.Candidates[1].Profile, p.Candidates[1].RequestTimeout = machine.Python, 0
	p.Faults = []plan.Fault{{Kind: plan.FaultError, Status: 500}}
	require.NoError(t, p.Validate())
}

func TestValidateRefusesFault(t *testing.T) {
	t.Parallel()
	late, backward := new(time.Duration(1)), &plan.Delay{Min: 2, Max: 1}
	for want, f := range map[string]plan.Fault{
		`.kind: "" is not a fault kind; want one of delay,`:          {},
		"[1].at: -1ns is negative":                                   {Kind: plan.FaultPause, At: -1},
		".until: 1ns is not after at":                                {Kind: plan.FaultPause, At: 1, Until: late},
		".until: until is not a field":                               {Kind: plan.FaultCrash, Until: late},
		`.on[1]: "x" is no candidate`:                                {Kind: plan.FaultCrash, On: []string{"a", "x"}},
		`.on[1]: "b" is named twice`:                                 {Kind: plan.FaultCrash, On: []string{"b", "b"}},
		`.on[1]: "leader" is named`:                                  {Kind: plan.FaultCrash, On: []string{"leader", "leader"}},
		".on: on is not a field of outage; an outage has":            {Kind: plan.FaultOutage, On: []string{"a"}},
		".on: on is not a field of delete; a delete has at":          {Kind: plan.FaultDelete, On: []string{"a"}},
		".leg: leg is not a field of pause; a pause has at":          {Kind: plan.FaultPause, Leg: plan.RequestLeg},
		".jump: jump is not":                                         {Kind: plan.FaultPause, Jump: 1},
		".applied: applied is not":                                   {Kind: plan.FaultLose, Applied: true},
		".response: response is not":                                 {Kind: plan.FaultLose, Response: &plan.Delay{}},
		": a delay needs request":                                    {Kind: plan.FaultDelay},
		".request: min 2ns is more":                                  {Kind: plan.FaultDelay, Request: backward},
		`.leg: "x" is not a leg`:                                     {Kind: plan.FaultLose, Leg: "x"},
		".probability: NaN is out":                                   {Kind: plan.FaultLose, Probability: new(math.NaN())},
		".probability: 1.1 is out":                                   {Kind: plan.FaultLose, Probability: new(1.1)},
		`.object: "x" is no kind`:                                    {Kind: plan.FaultDelete, Object: "x"},
		".object: no candidate's lock is on a configmap; want lease": {Kind: plan.FaultLose, Object: "configmap"},
		".object: object is not a field of partition; a":             {Kind: plan.FaultPartition, Object: "lease"},
		": an error needs a status":                                  {Kind: plan.FaultError},
		".status: 399 is not":                                        {Kind: plan.FaultError, Status: 399},
		".status: 600 is not":                                        {Kind: plan.FaultError, Status: 600},
		".verb: replace is not a verb of any candidate's lock":       {Kind: plan.FaultError, Status: 500, Verb: 4},
		".on[0]: \"service\" is no candidate":                        {Kind: plan.FaultClock, Jump: 1, On: []string{"service"}},
		`.identity: "x" is not known`:                                {Kind: plan.FaultRestart, Identity: "x"},
		": a clock fault needs a jump":                               {Kind: plan.FaultClock},
		".retryAfter: 1.5s is not what":                              {Kind: plan.FaultThrottle, RetryAfter: new(1500 * time.Millisecond)},
		".retryAfter: -1s is negative":                               {Kind: plan.FaultError, Status: 503, RetryAfter: new(-time.Second)},
		".retryAfter: 87601h0m0s is more":                            {Kind: plan.FaultThrottle, RetryAfter: new(87601 * time.Hour)},
		".status: status is not a field of throttle":                 {Kind: plan.FaultThrottle, Status: 503},
		".driftPPM: 9000001 is out":                                  {Kind: plan.FaultClock, DriftPPM: new(int64(9_000_001))},
	} {
		refused(t, "faults[1]"+strings.TrimPrefix(want, "[1]"), withFault(f))
	}
}

// TestValidateTraffic: so much other traffic takes time, whoever asks.
func TestValidateTraffic(t *testing.T) {
	t.Parallel()
	million := plan.Traffic{Count: 1_000_000}
	many := plan.Client{QPS: 5, Burst: 10, Other: slices.Repeat([]plan.Traffic{million}, 100)}
	refused(t, "candidates[1].client.other[0].count: makes more than 100000000", func(p *plan.Plan) {
		p.Candidates[0].Client, p.Candidates[1].Client = &many, &many
	})
	busy := plan.Fault{Kind: plan.FaultBrownout, Until: new(time.Second), Seats: 1, Takes: time.Second, Every: 200 * time.Nanosecond}
	refused(t, "faults[19].every: makes more than 100000000", func(p *plan.Plan) {
		p.Faults = slices.Repeat([]plan.Fault{busy}, 20)
	})
	assert.NoError(t, func() error { p := validPlan(); p.Candidates[0].Client = &many; return p.Validate() }())
}

// TestValidateStall: a stall, and a frame, need a client in the elections that they are on, and in no other.
func TestValidateStall(t *testing.T) {
	for _, kind := range []plan.FaultKind{plan.FaultStall, plan.FaultFrame} {
		validateOnClients(t, kind)
	}
}

func validateOnClients(t *testing.T, kind plan.FaultKind) {
	for election, refused := range map[string]bool{"x": false, "y": true, "": true} {
		for _, on := range [][]string{nil, {"a"}} {
			p := validPlan()
			p.Elections = []string{"x", "y"}
			p.Candidates = append(p.Candidates[:1], p.Candidates[0])
			p.Candidates[0].Election, p.Candidates[1].Election = "x", "y"
			p.Candidates[0].Client = &plan.Client{Retries: true}
			p.Faults = []plan.Fault{{Kind: kind, On: on, Election: election}}
			err := p.Validate()
			if !refused {
				assert.NoError(t, err)
				continue
			}
			assert.ErrorContains(t, err, "faults[0].kind: a "+string(kind)+" is of the connection of a client", "in %q", election)
		}
	}
}

// TestValidateAccepts has what lies just within the limits.
func TestValidateAccepts(t *testing.T) {
	t.Parallel()
	zero := plan.Delay{}
	for name, change := range map[string]func(*plan.Plan){
		"as it is":      func(*plan.Plan) {},
		"horizon":       func(p *plan.Plan) { p.Horizon = plan.MaxDuration },
		"delays of 0":   func(p *plan.Plan) { p.Network = plan.Network{} },
		"rejoin of 0":   withCandidate(func(c *plan.Candidate) { c.Rejoin = new(time.Duration(0)) }),
		"jitter of 0":   withCandidate(func(c *plan.Candidate) { c.Jitter = new(0.0) }),
		"long id":       withCandidate(func(c *plan.Candidate) { c.ID = strings.Repeat("é", 126) }),
		"odd id":        withCandidate(func(c *plan.Candidate) { c.ID = " 😀 \uFFFD" }),
		"same identity": withCandidate(func(c *plan.Candidate) { c.Identity = "a" }),
		"offset":        withCandidate(func(c *plan.Candidate) { c.Clock = plan.Clock{Offset: -plan.MaxDuration, DriftPPM: 9_000_000} }),
		"late fault":    withFault(plan.Fault{Kind: plan.FaultPause, At: time.Hour}),
		"roles":         withFault(plan.Fault{Kind: plan.FaultCrash, On: []string{plan.RoleLeader, plan.RoleFollower, "a"}}),
		"instant delay": withFault(plan.Fault{Kind: plan.FaultDelay, Request: &zero, Response: &zero}),
		"certain loss":  withFault(plan.Fault{Kind: plan.FaultLose, Probability: new(1.0)}),
		"conflict":      withFault(plan.Fault{Kind: plan.FaultError, Status: 409, Verb: machine.Update, Applied: true}),
		"new identity":  withFault(plan.Fault{Kind: plan.FaultRestart, Identity: plan.NewIdentity}),
		"drift":         withFault(plan.Fault{Kind: plan.FaultClock, DriftPPM: new(int64(0))}),
	} {
		p := validPlan()
		change(p)
		assert.NoError(t, p.Validate(), name)
	}
}

// TestValidateClockSum adds up what can meet one wall clock, whoever the leader is.
func TestValidateClockSum(t *testing.T) {
	t.Parallel()
	jumps := func(n int, on ...string) (all []plan.Fault) {
		for range n {
			all = append(all, plan.Fault{Kind: plan.FaultClock, Jump: -plan.MaxDuration, On: on})
		}
		return all
	}
	p := validPlan()
	p.Faults = append(jumps(9, "a"), jumps(9, "b")...)
	require.NoError(t, p.Validate())
	p.Candidates[0].Clock.Offset = plan.MaxDuration - 1
	require.NoError(t, p.Validate())
	p.Candidates[0].Clock.Offset = plan.MaxDuration
	require.ErrorContains(t, p.Validate(), "faults[8].jump: takes a wall clock a hundred years or more")
	p = validPlan()
	p.Faults = append(jumps(5, "a"), jumps(5, plan.RoleLeader)...)
	require.ErrorContains(t, p.Validate(), "faults[9].jump: takes")
	p.Faults = append(jumps(5, "a"), jumps(5)...)
	require.ErrorContains(t, p.Validate(), "faults[9].jump: takes")
}

// TestValidateMany has as many candidates as there may be, all named by every one of some faults.
func TestValidateMany(t *testing.T) {
	t.Parallel()
	p := validPlan()
	model := p.Candidates[0]
	p.Candidates = p.Candidates[:0]
	var all []string
	for i := range plan.MaxCandidates {
		model.ID = strconv.Itoa(i)
		all = append(all, model.ID)
		p.Candidates = append(p.Candidates, model)
	}
	for range 10 {
		p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultClock, Jump: time.Hour, On: all})
	}
	require.NoError(t, p.Validate())
	p.Faults[9].On = append(all[:plan.MaxCandidates:plan.MaxCandidates], "7")
	require.EqualError(t, p.Validate(), `faults[9].on[100000]: "7" is named twice`)
}

// TestValidateRefusesExpiring is what only locks that expire by themselves can have, and how.
func TestValidateRefusesExpiring(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*plan.Candidate){
		"now: is whose time a statement":       func(c *plan.Candidate) { c.Now = plan.DatabaseNow },
		"precision: is of a row's column":      func(c *plan.Candidate) { c.Lock, c.Precision = plan.KVTTL, time.Second },
		`now: "x" is not known; want caller`:   func(c *plan.Candidate) { c.Lock, c.Now = plan.SQLTTL, "x" },
		"precision: 2s is not what a column":   func(c *plan.Candidate) { c.Lock, c.Precision = plan.SQLTTL, 2*time.Second },
		"leaseDuration: 15.0000005s has fract": func(c *plan.Candidate) { c.Lock, c.LeaseDuration = plan.SQLTTL, 15*time.Second+500 },
	} {
		refused(t, "candidates[1]."+want, withCandidate(change))
	}
	row := func(p *plan.Plan) { p.Candidates[0].Lock, p.Candidates[1].Lock = plan.SQLTTL, plan.SQLTTL }
	refused(t, "candidates[1].precision: 1s differs from another candidate's, 1µs", func(p *plan.Plan) {
		row(p)
		p.Candidates[1].Precision = time.Second
	})
	refused(t, "service: no candidate's lock expires", func(p *plan.Plan) { p.Service.Offset = 1 })
	refused(t, "service.clock.driftPPM: -1000000 is out", func(p *plan.Plan) {
		row(p)
		p.Service.DriftPPM = -1_000_000
	})
	for want, f := range map[string]plan.Fault{
		"on[0]: service is no candidate; only": {Kind: plan.FaultCrash, On: []string{plan.ServiceName}},
		"on[1]: \"service\" is named twice":    {Kind: plan.FaultClock, Jump: 1, On: []string{plan.ServiceName, plan.ServiceName}},
		"verb: update is not a verb of any":    {Kind: plan.FaultError, Status: 500, Verb: machine.Update},
		"object: no candidate's lock is on a":  {Kind: plan.FaultDelete, Object: "key"},
	} {
		refused(t, "faults[0]."+want, func(p *plan.Plan) {
			row(p)
			p.Faults = []plan.Fault{f}
		})
	}
}

// TestValidateDial: a dial whose TLS handshake the real client would give up is refused.
func TestValidateDial(t *testing.T) {
	p := validPlan()
	p.Candidates[0].Client = &plan.Client{Dial: plan.LongestDial - 1}
	assert.NoError(t, p.Validate())
	p.Candidates[0].Client.Dial = plan.LongestDial
	assert.ErrorContains(t, p.Validate(), "candidates[0].client.dial: 20s is too long; want less than 20s")
}
