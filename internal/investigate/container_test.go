package investigate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// beside has the pod's container say a line at a time of the server.
func (l *logs) beside(pod, container string, at float64, step evidence.Step, text string) {
	stamp := after(at + l.ahead[pod])
	l.e.Sources = append(l.e.Sources, evidence.Source{File: pod + ".log", Kind: evidence.Log, Process: pod, Container: container, First: stamp.Add(-time.Minute), Last: stamp.Add(time.Minute)})
	l.e.Sayings = append(l.e.Sayings, evidence.Saying{Place: evidence.Place{Source: len(l.e.Sources) - 1, Line: 1}, At: stamp, Unit: time.Microsecond, Lock: lock, Step: step, Text: text})
}

// TestContainers: what another container of a pod says is not what the elector says; of two that stand for election it is not known which one is the holder.
func TestContainers(t *testing.T) {
	for name, test := range map[string]struct {
		own, other string
		step       evidence.Step
		want       Verdict
	}{
		"alone":                       {"", "", "", Certain},
		"another ends":                {"manager", "sidecar", evidence.Ends, Certain},
		"another stands":              {"manager", "sidecar", evidence.Tries, Possible},
		"of the same":                 {"manager", "manager", evidence.Tries, Certain},
		"its lines name no container": {"", "manager", evidence.Observed, Certain},
	} {
		l := frozen(40, deadline)
		for i := range l.e.Sources {
			if l.e.Sources[i].Process == "a" {
				l.e.Sources[i].Container = test.own
			}
		}
		if test.step != "" {
			at := 35.0
			if test.other == "manager" {
				at = 45
			}
			l.beside("a", test.other, at, test.step, "leader election lost; attempting to acquire leader lease")
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, s.Pairs[0].Worked.Verdict, name)
		if name == "another ends" {
			assert.Zero(t, s.Terms[0].Worked.End.High)
		}
	}
}

// TestStaticPods: a static pod's name ends with its host's, which its processes have in records.
func TestStaticPods(t *testing.T) {
	for name, test := range map[string]struct {
		pod, host string
		others    []string
		want      bool
	}{
		"static":                    {"kube-scheduler-cp1", "cp1", nil, true},
		"another host":              {"kube-scheduler-cp12", "cp1", nil, false},
		"part of the host's name":   {"kube-scheduler-1-cp1", "cp1", []string{"1-cp1_x"}, false},
		"another holder has it":     {"kube-scheduler-cp1", "cp1", []string{"kube-scheduler-cp1_x"}, false},
		"another's log is the same": {"cp1", "cp1", nil, true},
	} {
		l := newLogs()
		l.renew(test.host+"_0c5f1b2e", 1, 9)
		for _, other := range test.others {
			l.write(other, 40)
		}
		l.say(test.pod, 0.5, evidence.Tries, tries)
		l.say(test.pod, 1.02, evidence.Acquired, acquires)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, test.want, !s.Terms[0].Worked.Start.High.IsZero(), name)
		assert.Equal(t, test.want, s.Processes[0].Name == test.pod, name)
	}
}
