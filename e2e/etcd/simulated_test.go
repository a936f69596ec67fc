package etcd_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"interregnum/elector/etcdlock"
	"interregnum/elector/machine"
	"interregnum/elector/ttl"
	"interregnum/simlock"
)

// compared is how many random requests are compared.
const compared = 1500

// twin is a candidate's lock on a key of etcd, and its simulation on a simulated key.
type twin struct {
	identity string
	real     *etcdlock.Lock
	sim      *simlock.Expiring
}

// TestSimulatedKey: whatever candidates ask, whoever deletes the key and whenever it expires, the simulated key answers as
// etcd does. An expiry is etcd's revocation of the lease, at a time that the test chooses.
func TestSimulatedKey(t *testing.T) {
	const long = time.Hour // nothing expires by itself
	client, err := dial(endpoint)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	r := rand.New(rand.NewPCG(1, 2))
	var key simlock.KeyStore
	var marks uint64
	now := machine.Mono(0)
	fresh := func(identity string) *twin {
		l, err := etcdlock.New(client, t.Name(), identity, long)
		require.NoError(t, err)
		return &twin{identity, l, simlock.NewExpiring(simlock.Key, "key", identity, long, &marks)}
	}
	twins := []*twin{fresh("a"), fresh("b"), fresh("c"), fresh("a")}
	verbs := []machine.Verb{machine.Get, machine.Create, machine.Replace, machine.Refresh, machine.Refresh, machine.Resign}
	seen := map[string]int{}
	var last, lastReal uint64
	for step := range compared {
		now++
		who := r.IntN(len(twins))
		switch r.IntN(30) {
		case 0:
			twins[who] = fresh(twins[who].identity) // another process
		case 1:
			_, err := client.Delete(t.Context(), t.Name())
			require.NoError(t, err)
			key.Delete()
		case 2:
			revoke(t, client)
			if expires, there := key.Expires(); there {
				now = expires
				require.True(t, key.Expire(now))
			}
		}
		verb := verbs[r.IntN(len(verbs))]
		wantOutcome, want := twins[who].ask(t.Context(), verb)
		gotOutcome, got := twins[who].simulate(&key, now, verb)
		require.Equal(t, wantOutcome, gotOutcome, "step %d: %v", step, verb)
		require.Equal(t, want.Holder, got.Holder, "step %d: %v", step, verb)
		// Tokens are the same where they are of one entry, and grow from one to the next.
		if got.Token != 0 {
			require.Equal(t, got.Token == last, want.Token == lastReal, "step %d: %v", step, verb)
			require.GreaterOrEqual(t, got.Token, last)
			require.GreaterOrEqual(t, want.Token, lastReal)
			last, lastReal = got.Token, want.Token
		}
		seen[verb.String()+" "+[]string{"", "done", "absent", "refused", "failed"}[wantOutcome]]++
	}
	t.Log(seen)
	for _, all := range []string{"get done", "get absent", "create done", "create refused", "replace done", "replace refused",
		"refresh done", "refresh refused", "release done", "release refused"} {
		require.Positive(t, seen[all], all)
	}
}

// revoke has etcd end the lease that the key is under, as it does when that expires.
func revoke(t *testing.T, client *clientv3.Client) {
	answer, err := client.Get(t.Context(), t.Name())
	require.NoError(t, err)
	for _, kv := range answer.Kvs {
		_, err := client.Revoke(t.Context(), clientv3.LeaseID(kv.Lease))
		require.NoError(t, err)
	}
}

// ask is a call of the real lock.
func (c *twin) ask(ctx context.Context, verb machine.Verb) (machine.Outcome, ttl.Entry) {
	calls := map[machine.Verb]func(context.Context) (ttl.Entry, error){
		machine.Get: c.real.Get, machine.Create: c.real.Create, machine.Replace: c.real.Replace, machine.Refresh: c.real.Refresh,
		machine.Resign: func(ctx context.Context) (ttl.Entry, error) { return ttl.Entry{}, c.real.Release(ctx) },
	}
	entry, err := calls[verb](ctx)
	switch {
	case err == nil:
		return machine.Done, entry
	case errors.Is(err, ttl.ErrAbsent):
		return machine.NotFound, entry
	case errors.Is(err, ttl.ErrTaken), errors.Is(err, ttl.ErrLost):
		return machine.Conflict, entry
	}
	return machine.Failed, entry
}

// simulate is the same request on the simulated key.
func (c *twin) simulate(key *simlock.KeyStore, at machine.Mono, verb machine.Verb) (machine.Outcome, ttl.Entry) {
	var op simlock.Op
	var r simlock.Result
	c.sim.Prepare(verb, &machine.Record{}, &op)
	key.Apply(at, &op, &r)
	outcome := c.sim.Answered(verb, &r)
	if outcome != machine.Done || verb == machine.Resign {
		return outcome, ttl.Entry{}
	}
	return outcome, ttl.Entry{Holder: r.Record.Holder, Token: r.Version}
}
