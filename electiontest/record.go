package electiontest

import (
	"encoding/json"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// record is an object of a lock, and what it says.
type record struct {
	metav1.ObjectMeta
	resourcelock.LeaderElectionRecord
}

// recordOf is nil for what is not such an object in JSON. One that says nothing is free.
func recordOf(o trace.Object, text []byte) *record {
	if len(text) == 0 {
		return nil
	}
	if o == trace.Lease {
		var l coordinationv1.Lease
		if json.Unmarshal(text, &l) != nil || l.Kind != "" && l.Kind != "Lease" {
			return nil
		}
		return &record{l.ObjectMeta, *resourcelock.LeaseSpecToLeaderElectionRecord(&l.Spec)}
	}
	var object metav1.PartialObjectMetadata
	if json.Unmarshal(text, &object) != nil || object.Kind != "" && !strings.EqualFold(object.Kind, o.String()) {
		return nil
	}
	r := &record{ObjectMeta: object.ObjectMeta}
	said := r.Annotations[resourcelock.LeaderElectionRecordAnnotationKey]
	if json.Unmarshal([]byte(said), &r.LeaderElectionRecord) != nil {
		r.LeaderElectionRecord = resourcelock.LeaderElectionRecord{}
	}
	return r
}

func (r *record) version() (version uint64) {
	for _, c := range []byte(r.ResourceVersion) {
		version = version*10 + uint64(c-'0')
	}
	return version
}
