package simlock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

const lasts = 10 * time.Second

// keyCaller is a candidate's lock on a key.
type keyCaller struct {
	*Expiring
	key *KeyStore
}

func callers(key *KeyStore, identities ...string) (all []keyCaller) {
	var marks uint64
	for _, identity := range identities {
		all = append(all, keyCaller{NewExpiring(Key, "k", identity, lasts, &marks), key})
	}
	return all
}

// ask makes a call whose request arrives at once and is answered.
func (c keyCaller) ask(at time.Duration, verb machine.Verb) (machine.Outcome, Result) {
	var op Op
	c.Prepare(verb, &machine.Record{}, &op)
	var r Result
	c.key.Apply(machine.Mono(at), &op, &r)
	return c.Answered(verb, &r), r
}

// keyStep is a call and its outcome; holder and token are of the key afterwards.
type keyStep struct {
	at     time.Duration
	who    int
	verb   machine.Verb
	want   machine.Outcome
	holder string
	token  uint64
}

// TestKey is what elector/etcdlock's requests do, one row each: at which second, who, asks what, is answered what, and
// whom the key then names with which token.
//
//	Get      reads the key                                         absent: ErrAbsent
//	Create   a lease, and a put if the key is not there            there: ErrTaken
//	Replace  is Create
//	Refresh  keeps the lease alive, and looks whether the key is under it, and as old as known    else ErrLost
//	Release  deletes the key if it is under the lease              else ErrLost
func TestKey(t *testing.T) {
	const a, again, b = 0, 1, 2 // again is another process of a's name
	for _, story := range []struct {
		name  string
		steps []keyStep
	}{
		{"nothing there", []keyStep{
			{0, a, machine.Get, machine.NotFound, "", 0},
			{0, a, machine.Refresh, machine.Conflict, "", 0},
			{0, a, machine.Resign, machine.Conflict, "", 0},
			{0, a, machine.Replace, machine.Done, "a", 1},
		}},
		{"another's", []keyStep{
			{0, a, machine.Create, machine.Done, "a", 1},
			{1, b, machine.Get, machine.Done, "a", 1},
			{1, b, machine.Create, machine.Conflict, "a", 1},
			{1, b, machine.Replace, machine.Conflict, "a", 1},
			{1, b, machine.Refresh, machine.Conflict, "a", 1},
			{1, b, machine.Resign, machine.Conflict, "a", 1},
			{1, again, machine.Refresh, machine.Conflict, "a", 1},
			{1, again, machine.Resign, machine.Conflict, "a", 1},
			{1, a, machine.Create, machine.Conflict, "a", 1},
		}},
		{"expires TTL after the last refresh", []keyStep{
			{0, a, machine.Create, machine.Done, "a", 1},
			{6, a, machine.Refresh, machine.Done, "a", 1},
			{15, b, machine.Create, machine.Conflict, "a", 1},
			{16, b, machine.Get, machine.NotFound, "", 0},
			{16, a, machine.Refresh, machine.Conflict, "", 0},
			{16, b, machine.Create, machine.Done, "b", 3},
			{17, a, machine.Refresh, machine.Conflict, "b", 3},
			{17, a, machine.Resign, machine.Conflict, "b", 3},
		}},
		{"a release disowns", []keyStep{
			{0, a, machine.Create, machine.Done, "a", 1},
			{1, a, machine.Resign, machine.Done, "", 0},
			{1, a, machine.Resign, machine.Conflict, "", 0},
			{2, a, machine.Create, machine.Done, "a", 3},
			{3, b, machine.Resign, machine.Conflict, "a", 3},
		}},
	} {
		t.Run(story.name, func(t *testing.T) {
			var key KeyStore
			who := callers(&key, "a", "a", "b")
			for i, s := range story.steps {
				at := s.at * time.Second
				outcome, _ := who[s.who].ask(at, s.verb)
				assert.Equal(t, s.want, outcome, "step %d, %v", i, s.verb)
				op, found := Op{Verb: machine.Get}, Result{}
				key.Apply(machine.Mono(at), &op, &found)
				assert.Equal(t, s.holder, found.Record.Holder, "step %d", i)
				assert.Equal(t, s.token, found.Version, "step %d", i)
			}
		})
	}
}

// TestLateRequestsOfAKey: what a caller has given up takes effect all the same, and does no harm.
func TestLateRequestsOfAKey(t *testing.T) {
	var key KeyStore
	a := callers(&key, "a")[0]
	var create, release, refresh Op
	var r Result
	a.Prepare(machine.Create, &machine.Record{}, &create)
	a.Failed(machine.Create)
	key.Apply(0, &create, &r)
	outcome, _ := a.ask(time.Second, machine.Refresh)
	assert.Equal(t, machine.Done, outcome, "an entry whose making was never answered is its own")

	a.Prepare(machine.Refresh, &machine.Record{}, &refresh)
	a.Prepare(machine.Resign, &machine.Record{}, &release)
	outcome, _ = a.ask(2*time.Second, machine.Refresh)
	assert.Equal(t, machine.Conflict, outcome, "a release is under way")
	key.Apply(machine.Mono(3*time.Second), &release, &r)
	key.Apply(machine.Mono(3*time.Second), &refresh, &r)
	assert.Equal(t, statusConflict, r.Status)

	_, made := a.ask(4*time.Second, machine.Create)
	require.True(t, made.Changed)
	key.Apply(machine.Mono(5*time.Second), &release, &r)
	assert.Equal(t, statusConflict, r.Status, "a late release ends no entry made after it")

	// One that was made later cannot be taken for an earlier one.
	a.Prepare(machine.Refresh, &machine.Record{}, &refresh)
	key.Delete()
	a.ask(6*time.Second, machine.Create)
	key.Apply(machine.Mono(6*time.Second), &refresh, &r)
	assert.Equal(t, statusConflict, r.Status)
	a.ask(7*time.Second, machine.Refresh)
	old := Op{Verb: machine.Refresh, UID: create.UID, TTL: time.Second}
	key.Apply(machine.Mono(7*time.Second), &old, &r)
	expires, there := key.Expires()
	assert.True(t, there)
	assert.Equal(t, machine.Mono(17*time.Second), expires, "nor makes a late refresh it expire earlier")
}

// TestWatchOfAKey: a watch tells of what has changed since the watcher's last answer: entries made and ended, not refreshed.
func TestWatchOfAKey(t *testing.T) {
	var key KeyStore
	who := callers(&key, "a", "b")
	a, b := who[0], who[1]
	changed := func(at time.Duration) bool {
		_, r := b.ask(at*time.Second, machine.Watch)
		return r.Changed
	}
	b.ask(0, machine.Get)
	assert.False(t, changed(0))
	a.ask(0, machine.Create)
	assert.True(t, changed(0))
	assert.True(t, changed(0), "a watch is no look")
	b.ask(1*time.Second, machine.Get)
	a.ask(2*time.Second, machine.Refresh)
	assert.False(t, changed(2))
	assert.False(t, key.Expire(machine.Mono(12*time.Second)-1))
	assert.True(t, key.Expire(machine.Mono(12*time.Second)))
	assert.True(t, changed(12))
	b.ask(12*time.Second, machine.Create)
	assert.False(t, changed(12), "its own is in its last answer")
	assert.True(t, key.Delete())
	assert.True(t, changed(12))
}
