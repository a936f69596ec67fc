package read_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// descriptions are what kubectl describe prints of two Leases and of a Pod. The form of the first is that of a published one
// (https://github.com/guevara/read-it-later/issues/10920); events and owners stand as kubectl's describer prints them for each object.
const descriptions = `Name:         k8sensus
Namespace:    default
Labels:       <none>
Annotations:  token: hunter2
API Version:  coordination.k8s.io/v1
Kind:         Lease
Metadata:
  Creation Timestamp:  2021-11-03T10:33:30Z
  Managed Fields:
    API Version:  coordination.k8s.io/v1
    Fields Type:  FieldsV1
    fieldsV1:
      f:spec:
        f:acquireTime:
    Manager:    k8sensus
    Operation:  Update
    Time:       2021-11-03T10:33:30Z
  Owner References:
    API Version:     v1
    Kind:            Pod
    Name:            owner
  Resource Version:  15947
  UID:               7b1aac4c-baa8-4c3d-a6c8-18deff2f0c2f
Spec:
  Acquire Time:            2021-11-03T10:35:07.497077Z
  Holder Identity:         k8sensus-67798d9cf6-qwxj6
  Lease Duration Seconds:  15
  Lease Transitions:       1
  Renew Time:              2021-11-03T10:39:26.731022Z
Events:
  Type    Reason          Age   From      Message
  ----    ------          ----  ----      -------
  Normal  LeaderElection  35s   k8sensus  k8sensus-67798d9cf6-qwxj6 became leader


Name:         node-1
Namespace:    kube-node-lease
API Version:  coordination.k8s.io/v1
Kind:         Lease
Spec:
  Holder Identity:         node-1
  Renew Time:              2021-11-03T10:39:26.731022Z
Events:                    <none>


Name:             web
Namespace:        default
Priority:         0
Containers:
  web:
    Image:      x
Events:  <none>
I0124 04:20:01.123456       1 leaderelection.go:258] successfully acquired lease kube-system/my-lock
`

// TestDescribed: a description of a Lease is an object. Its events have ages and no times, and are left out.
func TestDescribed(t *testing.T) {
	e := readAll(t, read.Options{}, "f", descriptions)
	require.Len(t, e.Snapshots, 1)
	got := e.Snapshots[0]
	assert.Equal(t, 1, got.Line)
	got.Place = evidence.Place{}
	assert.Equal(t, evidence.Snapshot{
		Lock: evidence.Lock{Resource: "leases", Namespace: "default", Name: "k8sensus"}, Version: "15947",
		Record: evidence.Record{Holder: "k8sensus-67798d9cf6-qwxj6", Duration: 15 * time.Second, Transitions: 1,
			Acquire: time.Date(2021, 11, 3, 10, 35, 7, 497077000, time.UTC), Renew: time.Date(2021, 11, 3, 10, 39, 26, 731022000, time.UTC)},
	}, got)
	assert.Len(t, e.Sayings, 1, "what follows a description is read")
	assert.Empty(t, e.Notices)
	assert.NotContains(t, fmt.Sprintf("%+v", e), "hunter2")
	var skipped []evidence.Skipped
	for i := range e.Sources {
		skipped = append(skipped, e.Sources[i].Skipped...)
	}
	assert.ElementsMatch(t, []evidence.Skipped{{Why: "events with ages in place of times: want kubectl get events -o yaml", Count: 1}, {Why: "objects that are no locks", Count: 1}, {Why: "descriptions of other objects", Count: 1}}, skipped)
}

// TestNotDescribed: what is not whole, or has other values, is no object.
func TestNotDescribed(t *testing.T) {
	const head = "Name:  a\nNamespace:  b\nAPI Version:  coordination.k8s.io/v1\nKind:  Lease\nSpec:\n"
	for text, want := range map[string]int{
		head + "  Holder Identity:  h\n  Renew Time:  2021-11-03T10:39:26Z\n":         1,
		head + "  Holder Identity:  h\n  Renew Time:  yesterday\n":                    0,
		head + "  Holder Identity:  h\n  Lease Duration Seconds:  -1\n":               0,
		head + "  Holder Identity:  h\n  Lease Transitions:  99999999999999999999\n":  0,
		strings.Replace(head, "coordination", "other", 1) + "  Holder Identity:  h\n": 0,
		strings.Replace(head, "Lease", "Thing", 1) + "  Holder Identity:  h\n":        0,
		"Name:  a\n": 0, "Name:\n": 0, "Name:  a\nName:  b\n  :\n:\nEvents:\n  x\n": 0,
	} {
		r := read.New(read.Options{})
		_ = r.Read(read.File{Name: "f", Reader: strings.NewReader(text)})
		assert.Len(t, r.Evidence().Snapshots, want, text)
	}
}

// TestTables: tables of kubectl have ages, and the report and the error say that these are no times. Their columns are those of kubernetes/website#38196 and
// of kubectl's printers (pkg/printers/internalversion).
func TestTables(t *testing.T) {
	for _, table := range []string{
		"NAME             HOLDER                     AGE\nkube-scheduler   cp1_84f2a85d-37c1-4b14     4m23s\n",
		"NAMESPACE     NAME             HOLDER   AGE\nkube-system   kube-scheduler   cp1_1    11h\n",
		"LAST SEEN   TYPE     REASON           OBJECT          MESSAGE\n35s         Normal   LeaderElection   lease/manager   a_1 became leader\n",
		"NAMESPACE   LAST SEEN   TYPE     REASON           OBJECT          MESSAGE\nshop        35s         Normal   LeaderElection   lease/manager   a_1 became leader\n",
	} {
		r := read.New(read.Options{})
		err := r.Read(read.File{Name: "f", Reader: strings.NewReader(table)})
		require.ErrorContains(t, err, "got a table of kubectl, which has ages and no times: -o yaml has times", table)
		e := r.Evidence()
		assert.Empty(t, e.Sayings, table)
		require.NotEmpty(t, e.Sources)
		assert.Equal(t, []evidence.Skipped{{Why: "rows of a table of kubectl, which has ages and no times: want -o yaml", Count: 1}}, e.Sources[0].Skipped, table)

		e = readAll(t, read.Options{}, "f", table+"I0124 04:20:01.123456       1 leaderelection.go:258] successfully acquired lease kube-system/my-lock\n")
		assert.Len(t, e.Sayings, 1, table)
	}
}
