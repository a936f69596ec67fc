package read_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// TestStrangers: lines of elections in other languages are known, and are not taken for client-go's. The words are those of the sources that docs/clients.md
// names, and of LeaderElectionManager.java of operator-framework/java-operator-sdk and kubert/src/lease.rs of olix0r/kubert; what stands before them is as
// Quarkus, Spring Boot (a line in dynatrace-oss/dynatrace-gcp-monitor), logback (kubernetes-client/java#1011, with a date), Python's logging, env_logger and tracing-subscriber (as text and as JSON) print it.
func TestStrangers(t *testing.T) {
	lock := evidence.Lock{Namespace: "n", Name: "l"}
	for text, want := range map[string]evidence.Saying{
		"2026-01-24 04:20:01.123 DEBUG 1 --- [pool-1] i.f.k.c.e.leaderelection.LeaderElector   : Attempting to acquire leader lease 'LeaseLock: n - l (a-1)'...":           {Client: "fabric8", Lock: lock, Step: evidence.Tries},
		"2026-01-24 04:20:01,123 DEBUG [io.fab.kub.cli.ext.lea.LeaderElector] (pool-1) Successfully Acquired leader lease 'LeaseLock: n - l (a-1)'":                        {Client: "fabric8", Lock: lock, Step: evidence.Acquired},
		"2026-01-24 04:20:01,123 DEBUG [io.fab.kub.cli.ext.lea.LeaderElector] (pool-1) Renew deadline reached after 10 seconds while renewing lock LeaseLock: n - l (a-1)": {Client: "fabric8", Lock: lock, Step: evidence.Lost},
		"2026-01-24 04:20:01,123 ERROR [io.fab.kub.cli.ext.lea.LeaderElector] (pool-1) Exception occurred while acquiring lock 'ConfigMapLock: n - l (a-1)'":               {Client: "fabric8", Lock: lock, Step: evidence.Failed},
		`{"timestamp":"2026-01-24T04:20:01.123Z","loggerName":"io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector","level":"DEBUG","message":"Leader changed from null to a-1"}`: {
			Client: "fabric8", Step: evidence.Observed, Identity: "a-1"},
		`{"@timestamp":"2026-01-24T04:20:01.123Z","logger_name":"io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector","message":"Lock is held by b-1 and has not yet expired"}`: {
			Client: "fabric8", Step: evidence.Held, Identity: "b-1"},
		`{"timestamp":"2026-01-24T04:20:01.123Z","loggerName":"io.javaoperatorsdk.operator.LeaderElectionManager","message":"New leader with identity: a-1"}`:               {Client: "fabric8", Step: evidence.Observed, Identity: "a-1"},
		`{"timestamp":"2026-01-24T04:20:01.123Z","loggerName":"io.javaoperatorsdk.operator.LeaderElectionManager","message":"Stopped leading for identity: a-1. Exiting."}`: {Client: "fabric8", Step: evidence.Ends},
		"2026-01-24 04:20:01.123 [main] INFO  io.kubernetes.client.extended.leaderelection.LeaderElector - Start leader election with lock n/l":                             {Client: "Java", Lock: lock, Step: evidence.Tries},
		"2026-01-24 04:20:01.123 [main] INFO  io.kubernetes.client.extended.leaderelection.LeaderElector - Successfully acquired lease, became leader":                      {Client: "Java", Step: evidence.Acquired},
		"2026-01-24 04:20:01.123 [main] INFO  io.kubernetes.client.extended.leaderelection.LeaderElector - Failed to renew lease, lose leadership":                          {Client: "Java", Step: evidence.Lost},
		"2026-01-24 04:20:01.123 [worker-0] DEBUG io.kubernetes.client.extended.leaderelection.LeaderElector - Lock is held by b-1 and has not yet expired: 2020-07-02T09:56:06.847+0200": {
			Client: "Java", Step: evidence.Held, Identity: "b-1"},
		"2026-01-24 04:20:01.123 [worker-0] ERROR io.kubernetes.client.extended.leaderelection.LeaderElector - Error retrieving resource lock n/l":                                              {Client: "Java", Lock: lock, Step: evidence.Failed},
		"2026-01-24 04:20:01,123 - leaderelection - INFO - a-1 is a follower":                                                                                                                   {Client: "Python", Step: evidence.Tries},
		"2026-01-24 04:20:01,123 INFO:root:a-1 successfully acquired lease":                                                                                                                     {Client: "Python", Step: evidence.Acquired, Identity: "a-1"},
		"2026-01-24 04:20:01,123 INFO leaderelection leader a-1 has successfully acquired lease":                                                                                                {Client: "Python", Step: evidence.Held, Identity: "a-1"},
		"2026-01-24 04:20:01,123 yet to finish lease_duration, lease held by b-1 and has not expired":                                                                                           {Client: "Python", Step: evidence.Held, Identity: "b-1"},
		"2026-01-24 04:20:01,123 INFO leaderelection Leader has switched to b-1":                                                                                                                {Client: "Python", Step: evidence.Observed, Identity: "b-1"},
		"2026-01-24 04:20:01,123 INFO:leaderelection:a-1 failed to acquire lease":                                                                                                               {Client: "Python", Step: evidence.Failed},
		"[2026-01-24T04:20:01.123Z INFO  kube_leader_election::lease] lease is held by b-1 and has not yet expired":                                                                             {Client: "kube-leader-election", Step: evidence.Held, Identity: "b-1"},
		`{"timestamp":"2026-01-24T04:20:01.123Z","level":"DEBUG","fields":{"message":"Error claiming lease, retrying...","error":"timed out"},"target":"kubert::lease"}`:                        {Client: "kubert", Step: evidence.Failed},
		`{"timestamp":"2026-01-24T04:20:01.123Z","level":"INFO","fields":{"message":"lease is held by b-1 and has not yet expired","log.target":"kube_leader_election::lease"},"target":"log"}`: {Client: "kube-leader-election", Step: evidence.Held, Identity: "b-1"},
		"2026-01-24T04:20:01.123Z DEBUG kubert::lease: Error claiming lease, retrying... error=timed out sleep=5ms":                                                                             {Client: "kubert", Step: evidence.Failed},
	} {
		e := readAll(t, read.Options{}, "a-1.log", text)
		require.Len(t, e.Sayings, 1, text)
		got := e.Sayings[0]
		assert.Equal(t, time.Date(2026, 1, 24, 4, 20, 1, 123000000, time.UTC), got.At, text)
		got.Place, got.Text, got.At, got.Unit, got.Relayed, got.Resource = evidence.Place{}, "", time.Time{}, 0, false, ""
		assert.Equal(t, want, got, text)
	}
}

// TestNoStrangers: what other programs say with the same words, or what need not be so, is nothing of an election.
func TestNoStrangers(t *testing.T) {
	for _, text := range []string{
		"2026-01-24 04:20:01,123 DEBUG [io.fab.kub.cli.ext.lea.LeaderElector] (pool-1) Failed to acquire lease 'LeaseLock: n - l (a-1)' retrying...", // fabric8io/kubernetes-client#5184: it is said whenever it succeeds, too
		"2026-01-24 04:20:01,123 INFO raft node-1 is a follower",
		"2026-01-24 04:20:01,123 INFO worker-1 failed to acquire lease",
		"2026-01-24 04:20:01,123 INFO [com.example.LeaderElector] (main) Leader of the pack",
		"2026-01-24 04:20:01,123 INFO successfully acquired lease l",
		"2026-01-24T04:20:01.123Z DEBUG other::lease: Error claiming lease, retrying...",
	} {
		assert.Empty(t, readAll(t, read.Options{}, "a.log", text).Sayings, text)
	}
}

// TestNotStrange: a logger of a Go program may have the name of the one of Python's client.
func TestNotStrange(t *testing.T) {
	e := readAll(t, read.Options{}, "a.log", `{"ts":"2026-01-24T04:20:01.123Z","logger":"leaderelection","msg":"successfully acquired lease n/l"}`)
	require.Len(t, e.Sayings, 1)
	assert.Empty(t, e.Sayings[0].Client)
	assert.Equal(t, evidence.Acquired, e.Sayings[0].Step)
}

// TestStrangersLocks: lines that name no lock, or none with a namespace, are about the only lock whose records name whom they name, or that has that name.
func TestStrangersLocks(t *testing.T) {
	lease := func(namespace, name, holder string) string {
		return "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: " + name + ", namespace: " + namespace + "}\nspec: {holderIdentity: " + holder + ", leaseDurationSeconds: 15}\n"
	}
	const python = "2026-01-24 04:20:00,123 - leaderelection - INFO - a-1 is a follower\n2026-01-24 04:20:01,123 INFO:root:a-1 successfully acquired lease\n"
	const rust = "[2026-01-24T04:20:01Z INFO  kube_leader_election::lease] successfully acquired lease l\n"
	for name, c := range map[string]struct {
		log, objects string
		want         []evidence.Lock
	}{
		"by the holder":            {python, lease("n", "l", "a-1"), []evidence.Lock{{Namespace: "n", Name: "l"}, {Namespace: "n", Name: "l"}}},
		"no such holder":           {python, lease("n", "l", "b-1"), []evidence.Lock{{}, {}}},
		"a holder of two locks":    {python, lease("n", "l", "a-1") + "---\n" + lease("n", "k", "a-1"), []evidence.Lock{{}, {}}},
		"by the name":              {rust, lease("n", "l", "b-1"), []evidence.Lock{{Namespace: "n", Name: "l"}}},
		"no lock of that name":     {rust, lease("n", "k", "b-1"), nil},
		"two locks with that name": {rust, lease("n", "l", "b-1") + "---\n" + lease("m", "l", "b-1"), nil},
	} {
		var got []evidence.Lock
		e := readAll(t, read.Options{}, "a-1.log", c.log, "leases.yaml", c.objects)
		for _, s := range e.Sayings {
			got = append(got, s.Lock)
		}
		assert.Equal(t, c.want, got, name)
	}
}

// TestStrangersNames: fabric8 and Python's client say which name in records is their own.
func TestStrangersNames(t *testing.T) {
	for _, line := range []string{
		"2026-01-24 04:20:01,123 DEBUG [io.fab.kub.cli.ext.lea.LeaderElector] (pool-1) Successfully Acquired leader lease 'LeaseLock: n - l (a-1)'\n",
		"2026-01-24 04:20:01,123 INFO:root:a-1 successfully acquired lease\n",
	} {
		e := readAll(t, read.Options{}, "operator.log", line)
		assert.Equal(t, "a-1", e.Sources[0].Process)
		assert.False(t, e.Sources[0].Assumed)
	}
}
