// Package lockobject reads the objects of locks as clients and the server send them, and writes other holders into them.
package lockobject

import (
	"bytes"
	"encoding/json"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// Record is the metadata of a lock's object, and the election record that the object contains.
type Record struct {
	metav1.ObjectMeta
	resourcelock.LeaderElectionRecord
}

// Read reads a lock's object of that kind, in JSON or protobuf. It returns nil for a text that is no such object. If the object
// has no record that can be read, its record is empty, as of a free lock.
func Read(o trace.Object, text []byte) *Record {
	text = inJSON(text)
	if len(text) == 0 {
		return nil
	}
	if o == trace.Lease {
		var l coordinationv1.Lease
		if json.Unmarshal(text, &l) != nil || l.Kind != "" && l.Kind != "Lease" {
			return nil
		}
		return &Record{l.ObjectMeta, *resourcelock.LeaseSpecToLeaderElectionRecord(&l.Spec)}
	}
	var object metav1.PartialObjectMetadata
	if json.Unmarshal(text, &object) != nil || object.Kind != "" && !strings.EqualFold(object.Kind, o.String()) {
		return nil
	}
	r := &Record{ObjectMeta: object.ObjectMeta}
	said := r.Annotations[resourcelock.LeaderElectionRecordAnnotationKey]
	if json.Unmarshal([]byte(said), &r.LeaderElectionRecord) != nil {
		r.LeaderElectionRecord = resourcelock.LeaderElectionRecord{}
	}
	return r
}

// protobuf is what an object in that encoding begins with (k8s.io/apimachinery/pkg/runtime/serializer/protobuf).
var protobuf = []byte("k8s\x00")

// inJSON returns an object in JSON. Text in protobuf it converts, or returns nil if that fails. Any other text it returns as it
// is.
func inJSON(text []byte) []byte {
	if !bytes.HasPrefix(text, protobuf) {
		return text
	}
	object, kind, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return nil
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	text, _ = json.Marshal(object) // what has been decoded always can be
	return text
}

// Version returns the object's resourceVersion as a number, 0 if it has none. The resourceVersion must consist of digits.
func (r *Record) Version() (version uint64) {
	for _, c := range []byte(r.ResourceVersion) {
		version = version*10 + uint64(c-'0')
	}
	return version
}

// SaysTheSame tells whether two records are equal: the same holder, times, duration and number of transitions. The objects'
// metadata do not count.
func (r *Record) SaysTheSame(other *Record) bool {
	a, b := r.LeaderElectionRecord, other.LeaderElectionRecord
	same := a.AcquireTime.Equal(&b.AcquireTime) && a.RenewTime.Equal(&b.RenewTime)
	a.AcquireTime, a.RenewTime, b.AcquireTime, b.RenewTime = metav1.Time{}, metav1.Time{}, metav1.Time{}, metav1.Time{}
	return same && a == b
}
