package simlock

import (
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// recorded is one request and its answer.
type recorded struct {
	Name, Method, Path, User string
	Request, Response        json.RawMessage
	Status                   int
}

// leaseBody is a Lease in a recorded body.
type leaseBody struct {
	Kind     string
	Metadata struct {
		Name, Namespace, UID, ResourceVersion string
		Labels, Annotations                   map[string]string
	}
	Spec json.RawMessage
}

// leaseSpec is what the store keeps of a spec.
type leaseSpec struct {
	HolderIdentity       *string
	LeaseDurationSeconds *int32
	LeaseTransitions     *int32
	AcquireTime          *string
	RenewTime            *string
}

// The reasons for which a recorded request is not replayed.
const (
	otherResource = "not about a lease of the namespace default"
	queried       = "has a query"
	noRight       = "asked by somebody who has no right, or is nobody"
	otherMethod   = "patch, list, or a method where it does not belong"
	noBody        = "its body is not recorded: no JSON, or too large"
	noLease       = "its body does not decode as a Lease"
	badName       = "the name or namespace is missing, malformed, or not that of the path"
	preconditions = "a delete with preconditions"
	incomplete    = "its spec is incomplete"
	moreFields    = "has labels, annotations or fields of the spec that no lock writes"
	builtOnOthers = "names a version that a request which is not replayed has written"
)

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// microTime is metav1.RFC3339Micro, the only form that a server takes.
const microTime = "2006-01-02T15:04:05.000000Z07:00"

var validName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

func readRecording(t *testing.T) []recorded {
	text, err := os.ReadFile("../testdata/apiserver/ground-truth.json")
	require.NoError(t, err)
	var file struct{ Operations []recorded }
	require.NoError(t, json.Unmarshal(text, &file))
	return file.Operations
}

// request is a recorded request, decoded.
type request struct {
	method, name string
	body         leaseBody
	record       machine.Record
}

// decode returns a request that the store models, or the reason why it does not: the first that applies.
func (r *recorded) decode() (q request, why string) {
	rest, about := strings.CutPrefix(r.Path, leases)
	path, _, query := strings.Cut(rest, "?")
	q.method, q.name = r.Method, strings.TrimPrefix(path, "/")
	switch {
	case !about || strings.Contains(q.name, "/"):
		return q, otherResource
	case query:
		return q, queried
	case r.User != "cand" && r.User != "admin":
		return q, noRight
	}
	switch r.Method {
	case "GET", "DELETE":
		if q.name == "" {
			return q, otherMethod
		}
		if r.Request != nil {
			return q, preconditions
		}
		return q, ""
	case "POST", "PUT":
		if (r.Method == "POST") != (q.name == "") {
			return q, otherMethod
		}
		return q, q.decodeBody(r.Request)
	}
	return q, otherMethod
}

func (q *request) decodeBody(text json.RawMessage) (why string) {
	b := &q.body
	switch {
	case text == nil:
		return noBody
	case json.Unmarshal(text, b) != nil || b.Kind != "" && b.Kind != "Lease":
		return noLease
	}
	if _, err := strconv.ParseUint("0"+b.Metadata.ResourceVersion, 10, 64); err != nil {
		return noLease
	}
	if q.name == "" {
		q.name = b.Metadata.Name
	}
	ownNamespace := b.Metadata.Namespace == "" || b.Metadata.Namespace == "default"
	if !ownNamespace || q.name != b.Metadata.Name || !validName.MatchString(q.name) {
		return badName
	}
	if b.Metadata.Labels != nil || b.Metadata.Annotations != nil {
		return moreFields
	}
	q.record, why = decodeSpec(b.Spec)
	return why
}

// decodeSpec wants every field; a time may be null, which a record can tell from any time.
func decodeSpec(text json.RawMessage) (r machine.Record, why string) {
	var names map[string]json.RawMessage
	_ = json.Unmarshal(text, &names) // what is no object has no names
	for _, n := range []string{
		"holderIdentity", "leaseDurationSeconds", "leaseTransitions", "acquireTime", "renewTime",
	} {
		if _, ok := names[n]; !ok {
			return r, incomplete
		}
		delete(names, n)
	}
	if len(names) > 0 {
		return r, moreFields
	}
	var s leaseSpec
	if json.Unmarshal(text, &s) != nil {
		return r, noLease
	}
	if s.HolderIdentity == nil || s.LeaseDurationSeconds == nil || s.LeaseTransitions == nil {
		return r, incomplete
	}
	return s.record()
}

func (s *leaseSpec) record() (r machine.Record, why string) {
	acquire, ok := wallOf(s.AcquireTime)
	renew, ok2 := wallOf(s.RenewTime)
	if !ok || !ok2 {
		return r, noLease
	}
	return machine.Record{
		Holder: *s.HolderIdentity, DurationSeconds: int64(*s.LeaseDurationSeconds),
		Acquire: acquire, Renew: renew, Transitions: int64(*s.LeaseTransitions),
	}, ""
}

func wallOf(text *string) (machine.Wall, bool) {
	if text == nil {
		return machine.NoTime, true
	}
	t, err := time.Parse(microTime, *text)
	return machine.WallOf(t), err == nil
}
