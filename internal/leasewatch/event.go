package leasewatch

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// coreV1 is the group and version of events.
var coreV1 = schema.GroupVersion{Version: "v1"}

// event is an Event of core/v1, with only the fields that are read here. The package of the real type has all types of the API,
// and takes a tenth of the time in which simulate compiles.
type event struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	InvolvedObject    struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"involvedObject"`
	Message       string           `json:"message"`
	LastTimestamp metav1.Time      `json:"lastTimestamp"`
	Count         int32            `json:"count"`
	EventTime     metav1.MicroTime `json:"eventTime"`
	Series        *struct {
		LastObservedTime metav1.MicroTime `json:"lastObservedTime"`
	} `json:"series"`
}

// eventList is an EventList of core/v1.
type eventList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []event `json:"items"`
}

// DeepCopyObject implements runtime.Object. The copy shares memory with e: nobody changes an event that was read.
func (e *event) DeepCopyObject() runtime.Object { c := *e; return &c }

// DeepCopyObject implements runtime.Object. The copy shares memory with l: nobody changes events that were read.
func (l *eventList) DeepCopyObject() runtime.Object { c := *l; return &c }

// addEvents registers the types of events in s.
func addEvents(s *runtime.Scheme) {
	s.AddKnownTypeWithName(coreV1.WithKind("Event"), &event{})
	s.AddKnownTypeWithName(coreV1.WithKind("EventList"), &eventList{})
}
