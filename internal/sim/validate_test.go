package sim

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

func validPlan() *Plan {
	still := Delay{Min: time.Millisecond, Max: time.Millisecond}
	p := &Plan{Seed: 1, Horizon: time.Minute, Network: Network{Request: still, Response: still}}
	for _, id := range []string{"a", "b"} {
		p.Candidates = append(p.Candidates, Candidate{
			ID: id, Profile: machine.ClientGo, Lock: Lease,
			Timings: machine.Timings{LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9},
		})
	}
	return p
}

func withFault(f Fault) func(*Plan) {
	return func(p *Plan) { p.Faults = []Fault{{Kind: FaultCrash, At: 1e9}, f} }
}

func withCandidate(change func(*Candidate)) func(*Plan) {
	return func(p *Plan) { change(&p.Candidates[1]) }
}

// refused checks that a valid plan, once changed, is refused with an error that begins so.
func refused(t *testing.T, want string, change func(*Plan)) {
	t.Helper()
	p := validPlan()
	change(p)
	err := p.Validate()
	var field *FieldError
	if assert.True(t, errors.As(err, &field), want) {
		assert.True(t, strings.HasPrefix(err.Error(), want), "want %s\ngot  %s", want, err)
		assert.NotContains(t, err.Error(), "\n")
	}
}

const tooLong = MaxDuration + 1

func TestValidateRefusesPlan(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Plan){
		"horizon: must be greater than zero":       func(p *Plan) { p.Horizon = 0 },
		"horizon: -1s is negative":                 func(p *Plan) { p.Horizon = -time.Second },
		"horizon: 87600h0m0.000000001s is more":    func(p *Plan) { p.Horizon = tooLong },
		"candidates: there is none":                func(p *Plan) { p.Candidates = nil },
		"candidates: has more than 100000 entries": func(p *Plan) { p.Candidates = make([]Candidate, 100_001) },
		"faults: has more than 100000 entries":     func(p *Plan) { p.Faults = make([]Fault, 100_001) },
		"network.request: -1ns is negative":        func(p *Plan) { p.Network.Request = Delay{Min: -1, Max: -1} },
		"network.request.min: -1ns is negative":    func(p *Plan) { p.Network.Request = Delay{Min: -1} },
		"network.response: min 2ns is more than":   func(p *Plan) { p.Network.Response = Delay{Min: 2, Max: 1} },
		"network.response.max: 87600h0m0.00000000": func(p *Plan) { p.Network.Response = Delay{Max: tooLong} },
	} {
		refused(t, want, change)
	}
}

func TestValidateRefusesCandidate(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Candidate){
		"id: must not be empty":            func(c *Candidate) { c.ID = "" },
		`id: "a" is the id of candidates[`: func(c *Candidate) { c.ID = "a" },
		"id: leader is the name":           func(c *Candidate) { c.ID = "leader" },
		"id: follower is the name":         func(c *Candidate) { c.ID = "follower" },
		`id: "\x00" is not printable`:      func(c *Candidate) { c.ID = "\x00" },
		`id: "\xff" is not printable`:      func(c *Candidate) { c.ID = "\xff" },
		`id: "xxx`:                         func(c *Candidate) { c.ID = strings.Repeat("x", 254) },
		`identity: "\n" is not`:            func(c *Candidate) { c.Identity = "\n" },
		`profile: "" is not a profile`:     func(c *Candidate) { c.Profile = machine.Profile{} },
		`lock: "" is not a kind of lock`:   func(c *Candidate) { c.Lock = "" },
		`lock: "leases" is not a kind of`:  func(c *Candidate) { c.Lock = "leases" },
		"leaseDuration: 87600h":            func(c *Candidate) { c.LeaseDuration = tooLong },
		"renewDeadline: -1ns is":           func(c *Candidate) { c.RenewDeadline = -1 },
		"retryPeriod: -1ns is":             func(c *Candidate) { c.RetryPeriod = -1 },
		"requestTimeout: -1ns is":          func(c *Candidate) { c.RequestTimeout = -1 },
		"jitter: NaN is out":               func(c *Candidate) { c.Jitter = new(math.NaN()) },
		"jitter: 1 is out":                 func(c *Candidate) { c.Jitter = new(1.0) },
		"jitter: -1e-09 is out":            func(c *Candidate) { c.Jitter = new(-1e-9) },
		"drain: -1ns is negative":          func(c *Candidate) { c.Drain = -1 },
		"startAt: 87600h":                  func(c *Candidate) { c.StartAt = tooLong },
		"rejoin: -1ns is":                  func(c *Candidate) { c.Rejoin = new(time.Duration(-1)) },
		"clock.offset: -2562047h":          func(c *Candidate) { c.Clock.Offset = math.MinInt64 },
		"clock.driftPPM: -1000000":         func(c *Candidate) { c.Clock.DriftPPM = -1_000_000 },
	} {
		refused(t, "candidates[1]."+want, withCandidate(change))
	}
	refused(t, "candidates[1]: leaseDuration must be greater than renewDeadline (leaseDuration 10s, renew",
		withCandidate(func(c *Candidate) { c.LeaseDuration = 10e9 }))
}

func TestValidateRefusesFault(t *testing.T) {
	t.Parallel()
	late, backward := new(time.Duration(1)), &Delay{Min: 2, Max: 1}
	for want, f := range map[string]Fault{
		`.kind: "" is not a fault kind; want one of delay,`:          {},
		"[1].at: -1ns is negative":                                   {Kind: FaultPause, At: -1},
		".until: 1ns is not after at":                                {Kind: FaultPause, At: 1, Until: late},
		".until: until is not a field":                               {Kind: FaultCrash, Until: late},
		`.on[1]: "x" is no candidate`:                                {Kind: FaultCrash, On: []string{"a", "x"}},
		`.on[1]: "b" is named twice`:                                 {Kind: FaultCrash, On: []string{"b", "b"}},
		`.on[1]: "leader" is named`:                                  {Kind: FaultCrash, On: []string{"leader", "leader"}},
		".on: on is not a field of outage; an outage has":            {Kind: FaultOutage, On: []string{"a"}},
		".on: on is not a field of delete; a delete has at":          {Kind: FaultDelete, On: []string{"a"}},
		".leg: leg is not a field of pause; a pause has at":          {Kind: FaultPause, Leg: RequestLeg},
		".jump: jump is not":                                         {Kind: FaultPause, Jump: 1},
		".applied: applied is not":                                   {Kind: FaultLose, Applied: true},
		".response: response is not":                                 {Kind: FaultLose, Response: &Delay{}},
		": a delay needs request":                                    {Kind: FaultDelay},
		".request: min 2ns is more":                                  {Kind: FaultDelay, Request: backward},
		`.leg: "x" is not a leg`:                                     {Kind: FaultLose, Leg: "x"},
		".probability: NaN is out":                                   {Kind: FaultLose, Probability: new(math.NaN())},
		".probability: 1.1 is out":                                   {Kind: FaultLose, Probability: new(1.1)},
		`.object: "x" is no kind`:                                    {Kind: FaultDelete, Object: "x"},
		".object: no candidate's lock is on a configmap; want lease": {Kind: FaultLose, Object: "configmap"},
		".object: object is not a field of partition; a":             {Kind: FaultPartition, Object: "lease"},
		": an error needs a status":                                  {Kind: FaultError},
		".status: 399 is not":                                        {Kind: FaultError, Status: 399},
		".status: 600 is not":                                        {Kind: FaultError, Status: 600},
		".verb: replace is not a verb of any candidate's lock":       {Kind: FaultError, Status: 500, Verb: 4},
		".on[0]: \"service\" is no candidate":                        {Kind: FaultClock, Jump: 1, On: []string{"service"}},
		`.identity: "x" is not known`:                                {Kind: FaultRestart, Identity: "x"},
		": a clock fault needs a jump":                               {Kind: FaultClock},
		".driftPPM: 9000001 is out":                                  {Kind: FaultClock, DriftPPM: new(int64(9_000_001))},
	} {
		refused(t, "faults[1]"+strings.TrimPrefix(want, "[1]"), withFault(f))
	}
}

// TestValidateAccepts has what lies just within the limits.
func TestValidateAccepts(t *testing.T) {
	t.Parallel()
	zero := Delay{}
	for name, change := range map[string]func(*Plan){
		"as it is":      func(*Plan) {},
		"horizon":       func(p *Plan) { p.Horizon = MaxDuration },
		"delays of 0":   func(p *Plan) { p.Network = Network{} },
		"rejoin of 0":   withCandidate(func(c *Candidate) { c.Rejoin = new(time.Duration(0)) }),
		"jitter of 0":   withCandidate(func(c *Candidate) { c.Jitter = new(0.0) }),
		"long id":       withCandidate(func(c *Candidate) { c.ID = strings.Repeat("é", 126) }),
		"odd id":        withCandidate(func(c *Candidate) { c.ID = " 😀 \uFFFD" }),
		"same identity": withCandidate(func(c *Candidate) { c.Identity = "a" }),
		"offset":        withCandidate(func(c *Candidate) { c.Clock = Clock{-MaxDuration, 9_000_000} }),
		"late fault":    withFault(Fault{Kind: FaultPause, At: time.Hour}),
		"roles":         withFault(Fault{Kind: FaultCrash, On: []string{RoleLeader, RoleFollower, "a"}}),
		"instant delay": withFault(Fault{Kind: FaultDelay, Request: &zero, Response: &zero}),
		"certain loss":  withFault(Fault{Kind: FaultLose, Probability: new(1.0)}),
		"conflict":      withFault(Fault{Kind: FaultError, Status: 409, Verb: machine.Update, Applied: true}),
		"new identity":  withFault(Fault{Kind: FaultRestart, Identity: NewIdentity}),
		"drift":         withFault(Fault{Kind: FaultClock, DriftPPM: new(int64(0))}),
	} {
		p := validPlan()
		change(p)
		assert.NoError(t, p.Validate(), name)
	}
}

// TestValidateClockSum adds up what can meet one wall clock, whoever the leader is.
func TestValidateClockSum(t *testing.T) {
	t.Parallel()
	jumps := func(n int, on ...string) (all []Fault) {
		for range n {
			all = append(all, Fault{Kind: FaultClock, Jump: -MaxDuration, On: on})
		}
		return all
	}
	p := validPlan()
	p.Faults = append(jumps(9, "a"), jumps(9, "b")...)
	require.NoError(t, p.Validate())
	p.Candidates[0].Clock.Offset = MaxDuration - 1
	require.NoError(t, p.Validate())
	p.Candidates[0].Clock.Offset = MaxDuration
	require.ErrorContains(t, p.Validate(), "faults[8].jump: takes a wall clock a hundred years or more")
	p = validPlan()
	p.Faults = append(jumps(5, "a"), jumps(5, RoleLeader)...)
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
	for i := range MaxCandidates {
		model.ID = strconv.Itoa(i)
		all = append(all, model.ID)
		p.Candidates = append(p.Candidates, model)
	}
	for range 10 {
		p.Faults = append(p.Faults, Fault{Kind: FaultClock, Jump: time.Hour, On: all})
	}
	require.NoError(t, p.Validate())
	p.Faults[9].On = append(all[:MaxCandidates:MaxCandidates], "7")
	require.EqualError(t, p.Validate(), `faults[9].on[100000]: "7" is named twice`)
}

// TestValidateRefusesExpiring is what only locks that expire by themselves can have, and how.
func TestValidateRefusesExpiring(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Candidate){
		"now: is whose time a statement":       func(c *Candidate) { c.Now = DatabaseNow },
		"precision: is of a row's column":      func(c *Candidate) { c.Lock, c.Precision = KVTTL, time.Second },
		`now: "x" is not known; want caller`:   func(c *Candidate) { c.Lock, c.Now = SQLTTL, "x" },
		"precision: 2s is not what a column":   func(c *Candidate) { c.Lock, c.Precision = SQLTTL, 2*time.Second },
		"leaseDuration: 15.0000005s has fract": func(c *Candidate) { c.Lock, c.LeaseDuration = SQLTTL, 15*time.Second+500 },
	} {
		refused(t, "candidates[1]."+want, withCandidate(change))
	}
	row := func(p *Plan) { p.Candidates[0].Lock, p.Candidates[1].Lock = SQLTTL, SQLTTL }
	refused(t, "candidates[1].precision: 1s differs from another candidate's, 1µs", func(p *Plan) {
		row(p)
		p.Candidates[1].Precision = time.Second
	})
	refused(t, "service: no candidate's lock expires", func(p *Plan) { p.Service.Offset = 1 })
	refused(t, "service.clock.driftPPM: -1000000 is out", func(p *Plan) {
		row(p)
		p.Service.DriftPPM = -1_000_000
	})
	for want, f := range map[string]Fault{
		"on[0]: service is no candidate; only": {Kind: FaultCrash, On: []string{ServiceName}},
		"on[1]: \"service\" is named twice":    {Kind: FaultClock, Jump: 1, On: []string{ServiceName, ServiceName}},
		"verb: update is not a verb of any":    {Kind: FaultError, Status: 500, Verb: machine.Update},
		"object: no candidate's lock is on a":  {Kind: FaultDelete, Object: "key"},
	} {
		refused(t, "faults[0]."+want, func(p *Plan) {
			row(p)
			p.Faults = []Fault{f}
		})
	}
}
