package read

import (
	"bytes"
	"encoding/json"
	"time"

	"interregnum/internal/evidence"
)

// item has the fields of Leases, ConfigMaps and Endpoints that are read here.
type item struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Namespace       string            `json:"namespace"`
		Name            string            `json:"name"`
		ResourceVersion string            `json:"resourceVersion"`
		UID             string            `json:"uid"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec json.RawMessage `json:"spec"`
}

// object has the fields of items, Events, Lists and answers of Prometheus that are read here.
type object struct {
	item
	Items []json.RawMessage `json:"items"`

	// These are of what kubectl get -w --output-watch-events prints around an object.
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`

	// These are of events.
	Reason         string    `json:"reason"`
	Message        string    `json:"message"`
	Note           string    `json:"note"`
	InvolvedObject reference `json:"involvedObject"`
	Regarding      reference `json:"regarding"`
	Count          int       `json:"count"`
	EventTime      time.Time `json:"eventTime"`
	FirstTimestamp time.Time `json:"firstTimestamp"`
	LastTimestamp  time.Time `json:"lastTimestamp"`
	Series         struct {
		Count int       `json:"count"`
		Last  time.Time `json:"lastObservedTime"`
	} `json:"series"`
	OldCount int       `json:"deprecatedCount"`
	OldFirst time.Time `json:"deprecatedFirstTimestamp"`
	OldLast  time.Time `json:"deprecatedLastTimestamp"`

	// These are of Prometheus.
	Status string `json:"status"`
	Data   struct {
		ResultType string   `json:"resultType"`
		Result     []series `json:"result"`
	} `json:"data"`

	// These are of Elasticsearch.
	Hits struct {
		Hits []json.RawMessage `json:"hits"`
	} `json:"hits"`
}

// reference names the object that an event is about.
type reference struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// spec has the fields of a Lease's spec, and of the record in an annotation.
type spec struct {
	HolderIdentity       string    `json:"holderIdentity"`
	LeaseDurationSeconds float64   `json:"leaseDurationSeconds"`
	LeaseTransitions     int       `json:"leaseTransitions"`
	LeaderTransitions    int       `json:"leaderTransitions"`
	AcquireTime          time.Time `json:"acquireTime"`
	RenewTime            time.Time `json:"renewTime"`
}

// annotation is the annotation of ConfigMaps and Endpoints that contains the record.
const annotation = "control-plane.alpha.kubernetes.io/leader"

// kinds has, for each kind of object in which records are kept, its resource.
var kinds = map[string]string{"Lease": "leases", "ConfigMap": "configmaps", "Endpoints": "endpoints"}

// record returns the election record in an object, nil if it has none that can be read. An object that does not say its kind is
// taken for a Lease unless it has the annotation.
func (o *item) record() *evidence.Record {
	raw := []byte(o.Metadata.Annotations[annotation])
	if o.Kind == "Lease" || o.Kind == "" && len(raw) == 0 {
		raw = o.Spec
	}
	var s spec
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil || s.LeaseDurationSeconds < 0 || s.LeaseDurationSeconds > 1<<31 {
		return nil
	}
	return &evidence.Record{
		Holder: s.HolderIdentity, Duration: time.Duration(s.LeaseDurationSeconds) * time.Second,
		Acquire: s.AcquireTime, Renew: s.RenewTime, Transitions: s.LeaseTransitions + s.LeaderTransitions,
	}
}

// kept returns the record of a Lease, a ConfigMap or an Endpoints object; nil if it has none, or if o is of another kind or does
// not say its kind.
func (o *item) kept() *evidence.Record {
	if kinds[o.Kind] == "" {
		return nil
	}
	return o.record()
}

// isObject tells whether a line in JSON is likely to be an answer of Prometheus or Loki, which has a resultType, or an object of
// Kubernetes, which has kind and apiVersion. Broken JSON that has these words counts too; a line of a log, which has msg, does not.
func isObject(line []byte) bool {
	if bytes.Contains(line, []byte(`"resultType"`)) {
		return true
	}
	if !bytes.Contains(line, []byte(`"kind"`)) || !bytes.Contains(line, []byte(`"apiVersion"`)) {
		return false
	}
	var top struct { // a line of a log may have the object that it is about in a field
		Kind, APIVersion, Msg *string
		Level, Type, Object   json.RawMessage
	}
	if json.Unmarshal(line, &top) != nil {
		return true
	}
	watched := top.Type != nil && top.Level == nil && len(top.Object) > 0 && top.Object[0] == '{'
	return top.Msg == nil && (watched || top.Kind != nil && top.APIVersion != nil)
}

// object keeps what an object says: a lock's record, an event, or an answer of Prometheus or Loki. Of a list it reads each item as
// an object, and of an answer of Elasticsearch each hit as a line. It counts objects of other kinds, and text that is no object, as
// skipped.
func (f *file) object(raw []byte) {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		f.remember(raw)
		f.skip(broken)
		return
	}
	switch {
	case o.Items != nil:
		f.known = true
		for i, item := range o.Items {
			f.line = i + 1
			f.object(item)
		}
	case o.Type != "" && o.Object != nil && (o.Kind == "" || o.Kind == "WatchEvent"):
		f.object(o.Object)
	case o.Hits.Hits != nil:
		for i, hit := range o.Hits.Hits {
			f.line = i + 1
			f.text(hit, len(hit) > MaxLine)
		}
	case o.Data.ResultType == "streams":
		f.loki(&o)
	case o.Data.ResultType != "":
		f.prometheus(&o)
	case kinds[o.Kind] != "":
		f.snapshot(&o)
	case o.Kind == "Event":
		f.notice(&o)
	default:
		f.remember(raw)
		f.skip("objects of other kinds")
	}
}

// snapshot keeps the record in a Lease, a ConfigMap or an Endpoints. An object without a record, and a node's heartbeat, it
// counts as skipped.
func (f *file) snapshot(o *object) {
	s := f.of("", evidence.Objects)
	record := o.record()
	lock := evidence.Lock{Resource: kinds[o.Kind], Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}
	if record == nil || lock.Namespace == nodes {
		s.known = true
		s.skip("objects that are no locks")
		return
	}
	s.count(time.Time{})
	s.locks[lock] = true
	s.e.Snapshots = append(s.e.Snapshots, evidence.Snapshot{Place: s.place(), Lock: lock, Record: *record, Version: o.Metadata.ResourceVersion})
}
