package investigate

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// from sets where the last request came from.
func (l *logs) from(agent, user, address string) {
	q := &l.e.Requests[len(l.e.Requests)-1]
	q.Agent, q.User, q.From = agent, user, address
}

// handed is the story of a lease that somebody gives to b by hand, or the API server for it. b's own first write takes 4.5 s, and a has
// stopped before b begins.
func handed(agent string) *logs {
	l := newLogs()
	l.ahead = map[string]float64{}
	own := func(holder string, at float64) {
		l.write(holder, at)
		l.from(goAgent, "manager", map[string]string{"a": "10.0.0.1", "b": "10.0.0.2"}[holder])
	}
	for at := 0.0; at <= 8; at += 2 {
		own("a", at)
	}
	l.write("b", 9)
	l.from(agent, "admin", "192.168.1.9")
	l.e.Requests[5].Wrote.Renew = after(8)
	own("b", 16)
	l.e.Requests[6].Answered = after(20.5)
	for at := 22.5; at < 32; at += 2 {
		own("b", at)
	}
	l.say("a", 0.02, evidence.Acquired, acquires)
	l.say("b", 5, evidence.Tries, tries)
	l.say("a", 20.02, evidence.Lost, deadline)
	l.say("b", 20.51, evidence.Acquired, acquires)
	return l
}

// TestWrittenByHand: a write by kubectl, or by the API server, is not that of the holder that it names. Neither the holder's clock nor
// its work follows from it, nor is it counted as the holder's, and the story names who wrote.
func TestWrittenByHand(t *testing.T) {
	for _, agent := range []string{"kubectl/v1.30.0 (linux/amd64) kubernetes/abc", "kubectl-edit", "kube-apiserver/v1.31.0 (linux/amd64) kubernetes/abc"} {
		l := handed(agent)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.Len(t, s.Pairs, 1)
		assert.NotEqual(t, Certain, s.Pairs[0].Worked.Verdict, agent)
		assert.Zero(t, s.Terms[1].Belief.Start.Low, agent)
		for _, o := range s.Offsets {
			require.NotNil(t, o.Low, agent)
			require.NotNil(t, o.High, agent)
			assert.LessOrEqual(t, *o.Low, time.Duration(0), agent)
			assert.GreaterOrEqual(t, *o.High, time.Duration(0), agent)
		}
		program, _, _ := strings.Cut(agent, " ")
		assert.Contains(t, strings.Join(s.Notes, "\n"), program+" (user admin, from 192.168.1.9) wrote a record that names b (audit.log:6).", agent)
		assert.Equal(t, Edited, s.Losses[0].Cause, agent)
		var counts []int
		for _, p := range s.Processes {
			counts = append(counts, p.Writes)
		}
		assert.Equal(t, []int{5, 1, 6}, counts, agent)
		assert.Equal(t, []string{"a", "", "b"}, []string{s.Processes[0].Name, s.Processes[1].Name, s.Processes[2].Name}, agent)
	}
}

// TestPatchedByHand: the record of a patch is in its answer alone; the story names who sent it all the same.
func TestPatchedByHand(t *testing.T) {
	l := handed("kubectl/v1.30.0 (linux/amd64) kubernetes/abc")
	l.e.Requests[5].Verb, l.e.Requests[5].Wrote = "patch", nil
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.NotEqual(t, Certain, s.Pairs[0].Worked.Verdict)
	assert.Contains(t, strings.Join(s.Notes, "\n"), "wrote a record that names b (audit.log:6).")
}

// TestTwoPrograms: if two programs write one name, whose it is is not known.
func TestTwoPrograms(t *testing.T) {
	l := handed("fixer/v1 (linux/amd64) kubernetes/abc")
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.NotEqual(t, Certain, s.Pairs[0].Worked.Verdict)
	assert.Nil(t, s.Offsets[1].High)
	assert.Contains(t, strings.Join(s.Notes, "\n"), "fixer/v1 (user admin, from 192.168.1.9) wrote a record that names b (audit.log:6).")
}

// TestAProgramOfItsOwn: a program that writes but one holder's name, while the others are written by another, is perhaps no elector.
func TestAProgramOfItsOwn(t *testing.T) {
	l := handed("fixer/v1 (linux/amd64) kubernetes/abc")
	l.e.Requests = l.e.Requests[:6] // b itself writes nothing
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Contains(t, strings.Join(s.Notes, "\n"), "fixer/v1 (user admin, from 192.168.1.9) wrote a record that names b (audit.log:6).")
	assert.NotContains(t, strings.Join(s.Notes, "\n"), "names a")
	assert.Zero(t, s.Terms[1].Belief.Start.Low)
}

// TestTheServersOwn: where only the API server writes, it is an elector.
func TestTheServersOwn(t *testing.T) {
	l := frozen(40, deadline)
	for i := range l.e.Requests {
		l.e.Requests[i].Agent = "kube-apiserver/v1.31.0 (linux/amd64) kubernetes/abc"
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Certain, s.Pairs[0].Worked.Verdict)
}

// TestSharedName: a holder that writes from two addresses is perhaps two processes, which may work at once: nothing shows that they did
// not. A name with a UUID is one process's.
func TestSharedName(t *testing.T) {
	const id = "_6f1e0a52-0d5c-4b8e-9b8e-1f2f3a4b5c6d"
	for name, test := range map[string]struct {
		holder string
		from   func(at float64) string
		want   Verdict
		note   string
	}{
		"one address": {"a", func(float64) string { return "10.0.0.1" }, Impossible, ""},
		"in turns":    {"a", func(at float64) string { return map[bool]string{true: "10.0.0.1", false: "10.0.0.2"}[int(at)%4 == 1] }, Possible, "in turns from 10.0.0.1 (audit.log:1) and then from 10.0.0.2 (audit.log:2)"},
		"moved":       {"a", func(at float64) string { return map[bool]string{true: "10.0.0.1", false: "10.0.0.2"}[at < 4] }, Possible, "first from 10.0.0.1 (audit.log:1) and then from 10.0.0.2 (audit.log:3)"},
		"a UUID":      {"a" + id, func(at float64) string { return map[bool]string{true: "10.0.0.1", false: "10.0.0.2"}[at < 4] }, Impossible, ""},
	} {
		l := newLogs()
		l.ahead = map[string]float64{}
		for at := 1.0; at <= 9; at += 2 {
			l.write(test.holder, at)
			l.from(goAgent, "", test.from(at))
		}
		l.say("a", 1.02, evidence.Acquired, acquires)
		l.say("a", 20, evidence.Lost, canceled)
		l.say("b", 1.5, evidence.Tries, tries)
		l.renew("b", 30, 60)
		l.say("b", 30.02, evidence.Acquired, acquires)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
		notes := strings.Join(s.Notes, "\n")
		assert.Equal(t, name == "in turns", strings.Contains(notes, "WARNING"), "%s: %s", name, notes)
		assert.Equal(t, test.note != "", s.Shared, name)
		assert.Contains(t, notes, test.note, name)
	}
}

// TestMoreLogsThanNames: if more processes have acquired the lock than there are names, some share one.
func TestMoreLogsThanNames(t *testing.T) {
	for name, test := range map[string]struct {
		logs []string
		want Verdict
	}{"each has a name": {nil, Impossible}, "one more": {[]string{"x"}, Possible}, "long before": {[]string{"old"}, Impossible}} {
		l := frozen(20, canceled)
		for _, pod := range test.logs {
			at := 15.0
			if pod == "old" {
				at = -3600
			}
			l.say(pod, at, evidence.Acquired, acquires)
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
		assert.Equal(t, test.want == Possible, strings.Contains(strings.Join(s.Notes, "\n"), "nor are there as many other holders: x."), name)
	}
}

// TestPerhapsItsOwn: what a holder perhaps wrote itself, from another address, is neither its own write nor none of it: where it may
// have acquired the lock by it, no later write bounds its clock, and what it asked for is not all known.
func TestPerhapsItsOwn(t *testing.T) {
	for address, own := range map[string]bool{"10.0.0.1": true, "10.0.0.9": false} {
		const holder = "a_6f1e0a52-0d5c-4b8e-9b8e-1f2f3a4b5c6d"
		l := newLogs()
		l.ahead = map[string]float64{}
		for at := 1.9; at <= 9; at += 0.5 {
			l.write(holder, at)
			l.from(goAgent, "", map[bool]string{true: address, false: "10.0.0.1"}[at == 1.9])
		}
		l.e.Requests[0].Verb = "create"
		l.say("a", 0.5, evidence.Tries, tries)
		l.say("a", 2.05, evidence.Acquired, acquires) // before the second write
		s, err := Tell(&l.e, l.coarse(), nil)
		require.NoError(t, err)
		require.NotNil(t, s.Offsets[0].Low, address)
		assert.LessOrEqual(t, *s.Offsets[0].Low, time.Duration(0), address)
		l = frozen(0, "")
		l.say("a", 15, evidence.Failed, "Failed to update lock: context deadline exceeded")
		l.say("a", 21, evidence.Lost, deadline)
		q := l.e.Requests[4]
		q.Received, q.Answered, q.Status, q.From = after(11), after(11.01), 409, address
		for i := range l.e.Requests {
			l.e.Requests[i].From = "10.0.0.1"
		}
		l.e.Requests = append(l.e.Requests, q)
		s, err = Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, map[bool]Cause{true: Conflicts, false: Unknown}[own], s.Losses[0].Cause, address)
	}
}

// TestRobbedByAnotherLanguage: that a holder's lock was taken while its lease ran is said of electors of several languages, too,
// whichever wrote more. The address of a client tells who is who.
func TestRobbedByAnotherLanguage(t *testing.T) {
	for name, test := range map[string]struct {
		until   float64
		address string
		want    Cause
	}{
		"writes less":     {17, "10.0.0.2", Seized},
		"writes as often": {21, "10.0.0.2", Seized},
		"writes more":     {60, "10.0.0.2", Seized},
		"no address":      {17, "", Unknown},
		"another's too":   {60, "10.0.0.2", Unknown}, // the client also wrote a third name
	} {
		l := newLogs()
		l.renew("a", 1, 9)
		for i := range l.e.Requests {
			l.e.Requests[i].From = "10.0.0.1"
		}
		for at := 12.0; at <= test.until; at += 2 {
			l.write("b", at)
			l.from("fabric8-kubernetes-client/6.9.2 (Java/17)", "", test.address)
		}
		if name == "another's too" {
			l.write("c", 62)
			l.from("fabric8-kubernetes-client/6.9.2 (Java/17)", "", test.address)
			for at := 80.0; at < 200; at += 2 { // so that the client of the other language is not the holder's own
				l.write("a", at)
				l.from(goAgent, "", "10.0.0.1")
			}
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
		for _, note := range s.Notes {
			assert.NotContains(t, note, "as if the holder itself had written", name)
		}
	}
}

// TestTakenByPatch: who takes the lock from its holder by a patch, as kubectl edit and kubectl patch do, is told as one who updates the
// record. A patch that leaves the holder, and one that renews, take nothing.
func TestTakenByPatch(t *testing.T) {
	for name, test := range map[string]struct {
		agent  string
		record evidence.Record
		want   Cause
	}{
		"kubectl":              {"kubectl-edit/v1.34.0 (linux/amd64) kubernetes/abc", evidence.Record{Renew: after(12 - 0.01 - 3)}, Edited},
		"another program":      {"curl/8.0", evidence.Record{Renew: after(12 - 0.01 - 3)}, Edited},
		"an elector's":         {"python", evidence.Record{Renew: after(25)}, Unknown},
		"the holder is as was": {"kubectl-label/v1.34.0 (linux/amd64) kubernetes/abc", evidence.Record{Holder: "a", Renew: after(12 - 0.01 - 3)}, Unknown},
	} {
		l := newLogs()
		l.renew("a", 1, 9)
		q := l.e.Requests[4]
		test.record.Duration, test.record.Renew = q.Wrote.Duration, test.record.Renew.Add(q.Wrote.Renew.Sub(after(12-0.01-3)))
		l.version++
		q.Place.Line, q.Verb, q.Wrote, q.Saw, q.Sent, q.Got = 6, "patch", nil, &test.record, "", "7"
		q.Received, q.Answered, q.Agent, q.User, q.From = after(10), after(10.01), test.agent, "alice", "192.168.1.9"
		l.e.Requests = append(l.e.Requests, q)
		l.renew("b", 12, 20)
		l.say("a", 21, evidence.Lost, deadline)
		s, err := Tell(&l.addressed().e, lock, nil)
		require.NoError(t, err)
		require.Len(t, s.Losses, 1, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
		if test.want == Edited {
			assert.Equal(t, []evidence.Place{q.Place}, s.Losses[0].Chain[2].Places, name)
		}
	}
}

// TestDeletedBy: who deleted the object is named, if that is logged.
func TestDeletedBy(t *testing.T) {
	for _, logged := range []bool{true, false} {
		l := frozen(20, deadline)
		l.e.Requests[5].Verb, l.e.Requests[5].Sent = "create", ""
		want := "the next write created the object, so that it had been deleted"
		if logged {
			q := l.e.Requests[4]
			q.Verb, q.Wrote, q.Saw, q.Received, q.Answered = "delete", nil, nil, after(12), after(12.01)
			l.e.Requests = append(l.e.Requests, q)
			l.from("kubectl/v1.34.0 (linux/amd64) kubernetes/abc", "alice", "192.168.1.9")
			want = "kubectl/v1.34.0 (user alice, from 192.168.1.9) deleted the object, and the next write created it"
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.Equal(t, Gone, s.Losses[0].Cause)
		assert.Equal(t, want, s.Losses[0].Chain[2].Text)
	}
}
