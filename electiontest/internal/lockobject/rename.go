package lockobject

import (
	"bytes"
	"encoding/json"

	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// Rename takes a lock's object of that kind, in JSON or protobuf, and returns the object in JSON with holder as its holder. It
// returns nil for a text that is no JSON object, and for an object without a record.
func Rename(o trace.Object, text []byte, holder string) []byte {
	object := decoded(inJSON(text))
	if object == nil {
		return nil
	}
	if o == trace.Lease {
		spec, _ := object["spec"].(map[string]any)
		if spec == nil {
			return nil
		}
		spec["holderIdentity"] = holder
	} else {
		const key = resourcelock.LeaderElectionRecordAnnotationKey
		meta, _ := object["metadata"].(map[string]any)
		annotations, _ := meta["annotations"].(map[string]any)
		said, _ := annotations[key].(string)
		record := decoded([]byte(said))
		if record == nil {
			return nil
		}
		record["holderIdentity"] = holder
		text, _ := json.Marshal(record) // what has been decoded always can be
		annotations[key] = string(text)
	}
	text, _ = json.Marshal(object)
	return text
}

// decoded returns a JSON object as a map, with its numbers as they were written; nil for a text that is no object.
func decoded(text []byte) (object map[string]any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&object) != nil {
		return nil
	}
	return object
}
