package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

func locks(l plan.Lock) func(*plan.Candidate) { return func(c *plan.Candidate) { c.Lock = l } }
func profiled(p machine.Profile) func(*plan.Candidate) {
	return func(c *plan.Candidate) { c.Profile = p }
}
func requestsOf(t *testing.T, p *plan.Plan) []string {
	return asks(play(t, p), "a", trace.RequestSent)
}

// asks are a candidate's events of those kinds that are about an object.
func asks(p *tape, id string, kinds ...trace.Kind) []string {
	var out []string
	for i := range p.events {
		e := &p.events[i]
		for _, k := range kinds {
			if e.Kind == k && p.name(e) == id {
				out = append(out, fmt.Sprintf("%v %v %v", time.Duration(e.At), e.Verb, e.Object))
			}
		}
	}
	return out
}

var old = profiled(machine.ClientGoV024)

// TestOneRequestAfterTheOther: a call on two objects is two requests or three; the next one leaves when the answer comes.
func TestOneRequestAfterTheOther(t *testing.T) {
	setup := round(aPlan(9*sec, who("a", 0, locks(plan.EndpointsLeases), old)), ms)
	assert.Equal(t, []string{
		"0s get endpoints", "2ms create endpoints", "4ms create lease",
		"6ms get endpoints", "8ms get lease", "10ms update endpoints", "12ms get lease", "14ms update lease",
	}, requestsOf(t, setup)[:8])
	setup.Candidates[0].Lock = plan.ConfigMap
	assert.Equal(t, []string{"0s get configmap", "2ms create configmap", "4ms get configmap", "6ms update configmap"},
		requestsOf(t, setup)[:4])
}

// TestTimeoutIsPerRequest, not per call.
func TestTimeoutIsPerRequest(t *testing.T) {
	setup := round(aPlan(15*sec, who("a", 0, locks(plan.EndpointsLeases), old, timeout(3*sec))), sec)
	p := play(t, setup)
	assert.Empty(t, p.at("a", trace.GaveUp), "a call of 4 s or 6 s is none of 3 s")
	assert.Equal(t, []time.Duration{6 * sec}, p.at("a", trace.WorkStarted))

	until(with(setup, but(window(plan.FaultLose, 0, 5*sec, "a"), about("lease"))), 10*sec)
	p = play(t, setup)
	assert.Equal(t, []string{"7s create lease"}, asks(p, "a", trace.GaveUp))
	assert.Equal(t, []string{"9s get endpoints"}, asks(p, "a", trace.RequestSent)[3:], "and the attempt is over")
}

// TestContextEndsACall between its requests: what is under way goes on, what would have followed is not sent.
func TestContextEndsACall(t *testing.T) {
	const cancelAt = 5 * sec
	for _, k := range []plan.Fault{fault(plan.FaultCancel, cancelAt, "a"), fault(plan.FaultCrash, cancelAt, "a")} {
		// From 3 s on a renewal takes a get of 2 s and 2 s, an update of 2 s (to 9 s), a get, an update.
		p := play(t, with(round(aPlan(30*sec, who("a", 0, locks(plan.EndpointsLeases), old)), 500*ms), k))
		assert.Equal(t, []string{
			"0s get endpoints", "1s create endpoints", "2s create lease",
			"3s get endpoints", "4s get lease", "5s update endpoints",
		}[:6], append(asks(p, "a", trace.RequestSent), "5s update endpoints")[:6])
		assert.Len(t, asks(p, "a", trace.RequestSent), 5, "%v comes first at that instant", k.Kind)
		assert.Equal(t, []string{"5s get lease"}, asks(p, "a", trace.ResponseLate, trace.GaveUp)[:1])
	}
	p := play(t, with(round(aPlan(30*sec, who("a", 0, locks(plan.EndpointsLeases), old)), 500*ms), fault(plan.FaultCancel, 5500*ms, "a")))
	assert.Equal(t, []string{"5.5s update endpoints"}, asks(p, "a", trace.Written)[2:], "half of it is written all the same")
	assert.Len(t, asks(p, "a", trace.RequestSent), 6)
}

// TestDeadlineEndsACall: the poll's, in the middle of a renewal that takes longer.
func TestDeadlineEndsACall(t *testing.T) {
	slow := but(fault(plan.FaultDelay, 5*sec, "a"), response(4*sec), about("lease"))
	p := play(t, with(round(aPlan(40*sec, who("a", 0, locks(plan.EndpointsLeases), old)), ms), slow))
	last := asks(p, "a", trace.RequestSent)
	assert.Equal(t, []string{"10.039s update endpoints", "10.041s get lease", "14.042s update lease"}, last[len(last)-3:])
	assert.Equal(t, []string{"16.036s update lease"}, asks(p, "a", trace.GaveUp), "10 s after the poll of 6.036 s")
	assert.Equal(t, []time.Duration{16036 * ms}, p.at("a", trace.Stopped))
}

// TestPauseBetweenRequests: the next request leaves when the process wakes.
func TestPauseBetweenRequests(t *testing.T) {
	p := play(t, with(round(aPlan(30*sec, who("a", 0, locks(plan.EndpointsLeases), old)), 500*ms), window(plan.FaultPause, 1200*ms, 4*sec, "a")))
	assert.Equal(t, []string{"0s get endpoints", "1s create endpoints", "4s create lease"}, asks(p, "a", trace.RequestSent)[:3])
}

// TestFaultsOfOneObject: rules and deletes that name an object leave the others alone.
func TestFaultsOfOneObject(t *testing.T) {
	setup := func() *plan.Plan { return round(aPlan(20*sec, who("a", 0, locks(plan.ConfigMapsLeases), old)), ms) }
	p := play(t, with(setup(), but(fault(plan.FaultError, 0, "a"), answers(500), about("lease"))))
	for _, refused := range asks(p, "a", trace.RequestRefused) {
		assert.Contains(t, refused, "lease")
	}
	assert.Len(t, asks(p, "a", trace.Written), 1, "the ConfigMap, once")
	p = play(t, with(setup(), but(fault(plan.FaultDelay, 0, "a"), request(sec), about("configmap"))))
	assert.Equal(t, []string{"0s get configmap", "1.001s create configmap", "2.002s create lease", "2.004s get configmap"},
		asks(p, "a", trace.RequestSent)[:4])

	deleted := func(f plan.Fault) (objects []string) {
		p := play(t, with(setup(), f))
		for i := range p.events {
			if e := &p.events[i]; e.Kind == trace.Deleted {
				objects = append(objects, e.Object.String())
			}
		}
		return objects
	}
	assert.Equal(t, []string{"lease", "configmap"}, deleted(fault(plan.FaultDelete, 5*sec)))
	assert.Equal(t, []string{"configmap"}, deleted(but(fault(plan.FaultDelete, 5*sec), about("configmap"))))
	assert.Empty(t, deleted(but(fault(plan.FaultDelete, 0), about("lease"))))
}

// TestLeadersOfSeveralObjects: the leaders are the holders of any object.
func TestLeadersOfSeveralObjects(t *testing.T) {
	p := play(t, with(round(aPlan(30*sec, who("a", 0, locks(plan.Endpoints)), who("b", sec), who("c", 2*sec), who("d", 2*sec, locks(plan.Endpoints))), ms), fault(plan.FaultCrash, 10*sec, plan.RoleLeader)))
	for id, crashed := range map[string]int{"a": 1, "b": 1, "c": 0, "d": 0} {
		assert.Len(t, p.at(id, trace.Crashed), crashed, id)
	}
}

// TestReleaseAfterHalfARead: with v0.24 a release is written on what the last read has left. Of two objects that may be
// the first alone; of one it is none.
func TestReleaseAfterHalfARead(t *testing.T) {
	blind := but(fault(plan.FaultError, 3*sec, "a"), answers(500), of(get))
	for l, want := range map[plan.Lock][]string{
		plan.EndpointsLeases: {"8s update endpoints", "8.002s get lease"},
		plan.Endpoints:       nil,
	} {
		f := blind
		if l == plan.EndpointsLeases {
			f = but(f, about("lease"))
		}
		p := play(t, with(round(aPlan(9*sec, who("a", 0, locks(l), old, releases)), ms), f, fault(plan.FaultCancel, 8*sec, "a")))
		var released []string
		for i, asked := range asks(p, "a", trace.RequestSent) {
			if at := p.at("a", trace.RequestSent)[i]; at >= 8*sec {
				released = append(released, asked)
			}
		}
		assert.Equal(t, want, released, l)
	}
}

// TestStrictRenewsOnceASecondInTheRecord: where times have whole seconds, renewals that are less than one apart are told
// apart all the same, ahead of the clock.
func TestStrictRenewsOnceASecondInTheRecord(t *testing.T) {
	plan := round(aPlan(10*sec, who("a", 0, locks(plan.ConfigMap), profiled(machine.Strict), timings(5*sec, 3*sec, 250*ms))), ms)
	p := play(t, plan)
	assert.Len(t, p.at("a", trace.Written), 40)
	plan.Candidates[0].Profile = machine.ClientGo
	assert.Less(t, len(play(t, plan).at("a", trace.Written)), 12)
}

// TestStrayCallGoesOn: with v0.17 a leader that gives up leaves its attempt running, which goes on with its second object
// while the next Run is at its own.
func TestStrayCallGoesOn(t *testing.T) {
	c := who("a", 0, locks(plan.EndpointsLeases), profiled(machine.ClientGoV017), rejoins(500*ms))
	slow := but(window(plan.FaultDelay, 5*sec, 6100*ms, "a"), response(12*sec), about("endpoints"))
	p := play(t, with(round(aPlan(40*sec, c), ms), slow))
	assert.Contains(t, asks(p, "a", trace.RequestSent), "18.037s get lease", "the renewal of 6.036 s")
	assert.Equal(t, []time.Duration{6 * ms}, p.at("a", trace.WorkStarted)[:1])
}

// TestOneIdentityAndADelete: where a lock is deleted and made anew within one second by who goes by the same name, the
// records look the same and the objects do not. The first leader ends with its next renewal.
func TestOneIdentityAndADelete(t *testing.T) {
	for _, l := range []plan.Lock{plan.Lease, plan.ConfigMap, plan.Endpoints, plan.ConfigMapsLeases, plan.EndpointsLeases} {
		a, b := who("a", 0, locks(l), profiled(machine.Strict)), who("b", 200*ms, locks(l), profiled(machine.Strict))
		b.Identity = "a"
		p := play(t, with(round(aPlan(20*sec, a, b), ms), plan.Fault{Kind: plan.FaultDelete, At: 100 * ms}))
		ends := p.at("a", trace.WorkEnded)
		require.NotEmpty(t, ends, l)
		assert.Less(t, ends[0], 3*sec, l)
		assert.Empty(t, p.at("b", trace.WorkEnded), l)
	}
}
