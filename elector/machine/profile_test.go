package machine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// after plays inputs and returns the machine's outputs for the last one. The first input is a candidate without its
// option.
func after(t *testing.T, option string, inputs ...string) []string {
	t.Helper()
	var p player
	output := ""
	for i, line := range inputs {
		if i == 0 {
			line += " " + option
		}
		output = p.play(t, line)
	}
	return strings.Split(strings.TrimSpace(output), "\n")
}

const clientGo = ""

// TestLeaseFromSend: the lease that a leader counts on begins when the renewal was sent, not with its answer.
func TestLeaseFromSend(t *testing.T) {
	inputs := []string{
		"candidate a 3s/2.8s/2s",
		"start @0s",
		"response 1 notFound @0s",
		"response 2 done @2s",
		"response 3 failed @2.5s",
		"response 4 failed @2.6s",
		"fired tick @4s",
	}
	assert.Equal(t, []string{
		"send 5 update (poll) holder=a seconds=3 acquire=0s renew=4s transitions=0", "set tick @6s",
	}, after(t, clientGo, inputs...), "it counts until 5 s")
	assert.Equal(t, []string{"send 5 get (poll)", "set tick @6s"},
		after(t, "leaseFrom=send", inputs...), "it counts until 3 s")

	inputs = append(inputs[:4:4], "healthy 1s @5.5s")
	assert.Equal(t, []string{"true"}, after(t, clientGo, inputs...))
	assert.Equal(t, []string{"false"}, after(t, "leaseFrom=send", inputs...))
}

// TestLeaseFromSendOfTwo: in an attempt with two updates, the lease begins when the acknowledged one was sent.
func TestLeaseFromSendOfTwo(t *testing.T) {
	inputs := []string{
		"candidate a 3s/2.8s/2s", "leads", "fired retry @2.003s", "response 4 failed @2.5s",
		"response 5 done holder=a seconds=3 @3s", "response 6 done @3.5s",
	}
	assert.Equal(t, []string{"true"}, after(t, "leaseFrom=send", append(inputs, "healthy 0s @6s")...))
	assert.Equal(t, []string{"false"}, after(t, "leaseFrom=send", append(inputs, "healthy 0s @6.000000001s")...))
	assert.Equal(t, []string{"true"}, after(t, clientGo, append(inputs, "healthy 0s @6.5s")...))
}

// TestCompareExact: a renewal within the same second is a renewal.
func TestCompareExact(t *testing.T) {
	inputs := []string{
		"candidate a 15s/10s/2s",
		"start @0s",
		"response 1 done holder=b seconds=4 renew=0.1s @1ms",
		"fired retry @2.001s",
		"response 2 done holder=b seconds=4 renew=0.100000001s @2.002s",
		"fired retry @5s",
		"response 3 done holder=b seconds=4 renew=0.100000001s @5.001s",
	}
	assert.Equal(t, []string{"send 4 update (run) holder=a seconds=15 acquire=5s renew=5s transitions=1"},
		after(t, clientGo, inputs...), "it saw no renewal")
	assert.Equal(t, []string{"set retry @7.001s..9.401s"}, after(t, "compare=exact", inputs...))

	inputs[4] = "response 2 done holder=b seconds=4 renew=0.1s @2.002s"
	inputs[6] = "response 3 done holder=b seconds=4 renew=0.1s @5.001s"
	assert.Equal(t, after(t, clientGo, inputs...), after(t, "compare=exact", inputs...), "the same is the same")
}

// TestForeignObeyed: a leader that reads another holder, or that there is none, stops at once.
func TestForeignObeyed(t *testing.T) {
	read := func(holder string) []string {
		return []string{
			"candidate a 15s/10s/2s", "leads", "fired retry @2.003s", "response 4 conflict @2.004s",
			"response 5 done holder=" + holder + " seconds=15 acquire=0s transitions=1 @2.005s",
		}
	}
	stops := func(leader, told string) []string {
		return []string{
			"stop deadline", "stop tick", "tell the new leader: " + told, "metric off",
			`event "stopped leading"`, "stop work", "stopped", "return", "= returned, leader " + leader,
		}
	}
	assert.Equal(t, []string{"nothing", "= renewing, leader b"}, after(t, clientGo, read("b")...))
	assert.Equal(t, stops("b", "b"), after(t, "foreign=obeyed", read("b")...))
	assert.Equal(t, stops("nobody", "nobody"), after(t, "foreign=obeyed", read("")...))
	assert.Equal(t, after(t, clientGo, read("a")...), after(t, "foreign=obeyed", read("a")...), "its own")

	// The lock is not its own then: it reads and writes nothing.
	released := append(read("b"), "response 6 done holder=b seconds=15 transitions=1 @2.006s")
	assert.Equal(t, []string{
		"stop deadline", `event "stopped leading"`, "stop work", "stopped", "return", "= returned, leader b",
	}, after(t, "foreign=obeyed release", released...))

	follower := []string{"candidate a 15s/10s/2s", "start @0s", "response 1 done holder=b seconds=15 @1ms"}
	assert.Equal(t, after(t, clientGo, follower...), after(t, "foreign=obeyed", follower...), "followers wait")
}

// TestRoundUp: the record promises no less than the leader counts on.
func TestRoundUp(t *testing.T) {
	for timings, seconds := range map[string][2]string{
		"1.9s/1.2s/0.3s":         {"1", "2"},
		"2s/1.2s/0.3s":           {"2", "2"},
		"2.000000001s/1.2s/0.3s": {"2", "3"},
		"0.5s/0.4s/0.1s":         {"0", "1"},
	} {
		for i, option := range []string{clientGo, "seconds=up"} {
			got := after(t, option, "candidate a "+timings, "start @0s", "response 1 notFound @1ms")
			assert.Equal(t, []string{
				"send 2 create (run) holder=a seconds=" + seconds[i] + " acquire=0s renew=0s transitions=0",
			}, got, "%s %s", timings, option)
		}
	}
}

// TestReadFirst: each renewal is a Get and then an Update.
func TestReadFirst(t *testing.T) {
	inputs := []string{
		"candidate a 15s/10s/2s", "start @0s", "response 1 notFound @1ms", "response 2 done @2ms",
	}
	last := func(lines []string) string { return lines[len(lines)-3] }
	assert.Equal(t, "send 3 update (poll) holder=a seconds=15 acquire=0s renew=2ms transitions=0",
		last(after(t, clientGo, inputs...)))
	assert.Equal(t, "send 3 get (poll)", last(after(t, "renewal=readFirst", inputs...)))

	inputs = append(inputs, "response 3 done holder=a seconds=15 acquire=-5s renew=-5s transitions=8 @3ms")
	assert.Contains(t, after(t, "renewal=readFirst", inputs...),
		"send 4 update (poll) holder=a seconds=15 acquire=-5s renew=2ms transitions=8", "what was read stays")

	inputs = append(inputs, "response 4 conflict @4ms")
	assert.Equal(t, []string{"nothing"}, after(t, "renewal=readFirst", inputs...), "one try a tick")
}

// TestReleaseOnce: a release whose write conflicts is over, and reads nothing again.
func TestReleaseOnce(t *testing.T) {
	inputs := []string{"candidate a 15s/10s/2s release", "leads", "cancel @1s", "response 4 done holder=a seconds=15 @1.1s", "response 5 conflict @1.2s"}
	assert.Equal(t, []string{"send 6 get (release)"}, after(t, clientGo, inputs...))
	over := after(t, "release=once", inputs...)
	assert.Equal(t, []string{"return", "= returned, leader a"}, over[len(over)-2:])
	assert.Equal(t, after(t, clientGo, inputs[:4]...), after(t, "release=once", inputs[:4]...), "before, it does the same")
}

// TestProfiles: names are found, and stand for what they say.
func TestProfiles(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range machine.Profiles() {
		assert.False(t, seen[p.Name], "%s twice", p.Name)
		seen[p.Name] = true
		found, ok := machine.ProfileNamed(p.Name)
		assert.True(t, ok)
		assert.Equal(t, p, found)
	}
	assert.True(t, seen["client-go"])
	_, ok := machine.ProfileNamed("client-go ")
	assert.False(t, ok)
}

// TestForeignObeyedByOne: an attempt that an earlier Run has left ends itself when it reads another holder, and not the Run that goes on.
func TestForeignObeyedByOne(t *testing.T) {
	inputs := []string{
		"candidate a 15s/10s/2s profile=client-go-v0.17 foreign=obeyed", "start @0s", "response 1 notFound @1ms", "response 2 done @2ms",
		"response 3 done holder=a seconds=15 acquire=0s renew=0s @3ms", "response 4 done @4ms", "fired retry @2.004s", "cancel @2.1s",
		"again", "start @3s", "response 6 done holder=a seconds=15 acquire=0s renew=2ms @3.001s", "response 7 done @3.002s",
		"response 5 done holder=b seconds=15 transitions=1 @3.1s",
	}
	assert.Equal(t, []string{"nothing", "= renewing, leader b"}, after(t, clientGo, inputs...))
}
