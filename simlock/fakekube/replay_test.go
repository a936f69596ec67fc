package fakekube

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/apirecord"
)

// recorded is one request to a real kube-apiserver, and what it answered.
type recorded = apirecord.Request

// recordedServer has the rights and the counter of the recorded one, which began at 212.
func recordedServer() *Server {
	s := &Server{version: 211}
	for _, f := range []Fault{
		{User: "cand", Verb: "patch", Status: 403}, {User: "cand", Verb: "list", Status: 403},
		{User: "cand", Namespace: "kube-system", Verb: "get", Status: 403},
		{User: "nobody", Status: 403}, {User: "system:anonymous", Status: 403},
		{User: "wrong", Status: 401},
	} {
		s.Inject(f)
	}
	return s
}

// notReplayed are the requests whose answers are not compared, with the reason.
var notReplayed = map[string]string{
	"version":                     "the fake names itself",
	"create in missing namespace": "namespaces need not exist",
}

// replay sends each recorded request, in order, and compares the whole answer. Versions are the same numbers.
func replay(t *testing.T, send func(s *Server, o *recorded) (int, http.Header, []byte)) (compared int) {
	s := recordedServer()
	player := apirecord.Player{
		Send: func(o *recorded) (int, http.Header, []byte) { return send(s, o) },
		Skip: notReplayed,
		Before: func(o *recorded) bool {
			if o.User == "" {
				o.User = "system:anonymous"
			}
			switch o.Name {
			case "create in missing namespace":
				return false // it would be created
			case "get future resourceVersion":
				s.version += 2 // writes of the recorded server's own
			}
			return true
		},
	}
	requests := apirecord.Read(t, "../../testdata/apiserver/ground-truth.json")
	require.Len(t, requests, 110)
	compared = player.Play(t, requests)
	theirs, ours := player.Versions()
	assert.Equal(t, theirs, ours)
	return compared
}

func sendHTTP(t *testing.T) func(s *Server, o *recorded) (int, http.Header, []byte) {
	return func(s *Server, o *recorded) (int, http.Header, []byte) {
		return o.Send(t, &transport{s, o.User}, "http://fakekube")
	}
}

// TestRecordedRandom replays random requests on Leases, ConfigMaps and Endpoints that e2e/kubernetes recorded. Each
// sequence had a namespace of its own, and has a server of its own here.
func TestRecordedRandom(t *testing.T) {
	sequences := map[string][]recorded{}
	requests := apirecord.Read(t, "../../testdata/apiserver/random.json")
	require.Greater(t, len(requests), 400)
	for _, o := range requests {
		seed, _, _ := strings.Cut(o.Name, ",")
		sequences[seed] = append(sequences[seed], o)
	}
	send := sendHTTP(t)
	for _, sequence := range sequences {
		s := &Server{version: 1000}
		player := apirecord.Player{Send: func(o *recorded) (int, http.Header, []byte) { return send(s, o) }}
		assert.Equal(t, len(sequence), player.Play(t, sequence))
	}
}

// TestRecordedHTTP replays all that was sent to a real kube-apiserver.
func TestRecordedHTTP(t *testing.T) {
	assert.Equal(t, 110-len(notReplayed), replay(t, sendHTTP(t)))
}
