package kubelock

import (
	"encoding/json"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/phrase"
)

// text is a record as v0.20 writes it. The fields that v0.20 does not know are left out if they are empty. Times are RFC 3339 in
// whole seconds.
type text struct {
	HolderIdentity       string                                  `json:"holderIdentity"`
	LeaseDurationSeconds int                                     `json:"leaseDurationSeconds"`
	AcquireTime          metav1.Time                             `json:"acquireTime"`
	RenewTime            metav1.Time                             `json:"renewTime"`
	LeaderTransitions    int                                     `json:"leaderTransitions"`
	Strategy             coordinationv1.CoordinatedLeaseStrategy `json:"strategy,omitempty"`
	PreferredHolder      string                                  `json:"preferredHolder,omitempty"`
}

// encode returns the record as JSON, in the form of the annotation.
func encode(record *resourcelock.LeaderElectionRecord) ([]byte, error) {
	return json.Marshal(text(*record))
}

// shown is how many bytes of a text that is no record an error shows.
const shown = 200

// annotationUnit is the precision of times in the JSON text of a metav1.Time.
const annotationUnit = time.Second

// readAnnotation returns the record in an object's annotation, and the annotation's text. If there is no annotation it returns
// an empty record, by which the lock is free, and no text. An annotation that is no record is an error.
func readAnnotation(meta *metav1.ObjectMeta) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record := &resourcelock.LeaderElectionRecord{}
	value, found := meta.Annotations[resourcelock.LeaderElectionRecordAnnotationKey]
	if !found {
		return record, []byte{}, nil
	}
	if err := json.Unmarshal([]byte(value), record); err != nil {
		return nil, nil, fmt.Errorf("annotation %s: want a leader election record in JSON, got %q: %s",
			resourcelock.LeaderElectionRecordAnnotationKey, value[:min(len(value), shown)], phrase.JSON(err))
	}
	return record, []byte(value), nil
}

// writeAnnotation puts the record into the object's annotation for leader election.
func writeAnnotation(meta *metav1.ObjectMeta, record *resourcelock.LeaderElectionRecord) error {
	raw, err := encode(record)
	if err != nil {
		return err
	}
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[resourcelock.LeaderElectionRecordAnnotationKey] = string(raw)
	return nil
}
