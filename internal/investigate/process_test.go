package investigate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// read has somebody read the record at a time of the server, and get that answer.
func (l *logs) read(from string, at float64, status int) {
	l.e.Requests = append(l.e.Requests, evidence.Request{Place: evidence.Place{Line: len(l.e.Requests) + 1}, Lock: lock, Verb: "get", Agent: l.agent, From: from,
		Received: after(at), Answered: after(at).Add(20 * time.Millisecond), Status: status})
}

// TestReleasedAndBack: a holder that released the lock and took it again is no pair of leaders, in the lock's verdict as in its row.
func TestReleasedAndBack(t *testing.T) {
	l := newLogs()
	l.renew("a", 1, 9)
	l.write("", 10)
	l.renew("a", 12, 20)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.Len(t, s.Pairs, 1)
	assert.True(t, s.Same(&s.Pairs[0]))
	assert.Empty(t, s.Verdict())
}

// TestProcessesOfAHost: holders that share what stands before an underscore are two processes, unless client-go's users would have
// named one like that.
func TestProcessesOfAHost(t *testing.T) {
	l := newLogs()
	l.write("worker_a", 1)
	l.write("worker_b", 20)
	l.write("worker_a", 40)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.Len(t, s.Processes, 2)
	assert.Equal(t, []any{"worker_a", 2, "worker_b", 1}, []any{s.Processes[0].Name, s.Processes[0].Writes, s.Processes[1].Name, s.Processes[1].Writes})
}

// TestProcesses: each process has its polls and attempts, by whose name it writes or from where, and its restarts.
func TestProcesses(t *testing.T) {
	l := newLogs()
	l.say("a", 0, evidence.Tries, tries)
	l.read("10.0.0.1", 0.5, 404)
	l.write("a_1", 1)
	l.write("a_1", 3)
	l.read("10.0.0.2", 4, 200)
	l.read("10.0.0.9", 5, 403)
	l.write("b_6f1e0a52-0d5c-4b8e-9b8e-1f2f3a4b5c6d", 20)
	l.write("a_2", 40)
	l.say("a", 39, evidence.Tries, tries)
	l.say("c", 41, evidence.Tries, tries)
	for i := range l.e.Requests {
		if q := &l.e.Requests[i]; q.Wrote != nil {
			q.From = map[byte]string{'a': "10.0.0.1", 'b': "10.0.0.2"}[q.Wrote.Holder[0]]
		}
	}
	l.e.Requests[2].Status = 503
	l.e.Requests[2].Answered = l.e.Requests[2].Received.Add(time.Second)
	l.e.Requests = append(l.e.Requests, evidence.Request{Lock: lock, Verb: "watch", Received: after(6), Answered: after(60), Status: 200})
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	for i := range s.Processes {
		p := &s.Processes[i]
		assert.Len(t, p.Requests, p.Reads+p.Writes)
		p.Requests, p.Agent = nil, ""
	}
	assert.Equal(t, []Process{
		{Name: "a", From: "10.0.0.1", Names: 2, Stands: 2, Reads: 1, Writes: 3, Accepted: 2, Failed: 1, Slowest: time.Second},
		{Name: "b", From: "10.0.0.2", Names: 1, Reads: 1, Writes: 1, Accepted: 1, Slowest: 20 * time.Millisecond},
		{From: "10.0.0.9", Reads: 1, Refused: 1, Slowest: 20 * time.Millisecond},
		{Name: "c", Stands: 1},
	}, s.Processes)

	for i := range l.e.Requests { // all on one node, behind one address: whose the reads are is not known
		l.e.Requests[i].From = ""
	}
	s, err = Tell(&l.e, lock, nil)
	require.NoError(t, err)
	require.Len(t, s.Processes, 4)
	assert.Equal(t, [2]any{"", 3}, [2]any{s.Processes[0].Name, s.Processes[0].Reads})
}

// TestPodsOfTokens: who asked for the lock and wrote nobody's name is the pod whose token it had, as the server says.
func TestPodsOfTokens(t *testing.T) {
	l := newLogs()
	l.write("a_1", 1)
	l.say("b", 2, evidence.Tries, tries)
	l.read("10.0.0.2", 2.1, 200)
	l.e.Requests[len(l.e.Requests)-1].Pod = "b"
	l.read("10.0.0.3", 2.2, 200)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	names := map[string]int{}
	for _, p := range s.Processes {
		names[p.Name] = p.Reads
	}
	assert.Equal(t, map[string]int{"a_1": 0, "b": 1, "": 1}, names)
}
