package electiontest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// All candidates of a run are on one host. So code that names itself by os.Hostname would take the lease of another for its
// own, which its pods, each with a hostname, do not. On its way to the server the hostname becomes the candidate's identity,
// and on its way back to that candidate the hostname again.

// hostname is the host's, "" where it has none.
var hostname = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	return name
})

// differs is the end of a name that differs in each process anyway, as a manager's does.
var differs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// disguised is the name that the server gets instead of holder: where holder has the host's name, the process's
// identity takes its place. A name that differs in each process anyway stays as it is.
func (p *process) disguised(holder string) string {
	host := hostname()
	if host == "" || holder == p.identity || !strings.Contains(holder, host) || differs.MatchString(holder) {
		return holder
	}
	return strings.Replace(holder, host, p.identity, 1)
}

// disguise changes a write to the lock on its way to the server, so that its holder has the candidate's identity in
// place of the host's name. The caller holds world.mu.
func (m *message) disguise() {
	holder := m.process.disguised(m.holder)
	if holder == m.holder {
		return
	}
	if body := renamed(m.object, m.body, holder); body != nil {
		m.process.node.hosts[holder] = m.holder
		m.body, m.holder, m.inJSON = body, holder, true
	}
}

// recognize changes an answer about the lock on its way back, so that the candidate finds in it the name that it has
// written itself. The caller holds world.mu.
func (m *message) recognize(r *http.Response) {
	if !m.lock || len(m.process.node.hosts) == 0 || r.StatusCode >= http.StatusBadRequest {
		return
	}
	text, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(text))
	record := recordOf(m.object, text)
	if err != nil || record == nil {
		return
	}
	said, known := m.process.node.hosts[record.HolderIdentity]
	if !known || m.process.disguised(said) != record.HolderIdentity {
		return
	}
	if body := renamed(m.object, text, said); body != nil {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
}

// renamed is a lock's object, in JSON, with another holder; nil where the text is no such object.
func renamed(o trace.Object, text []byte, holder string) []byte {
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

// decoded is a JSON object with its numbers as they were, nil for anything else.
func decoded(text []byte) (object map[string]any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&object) != nil {
		return nil
	}
	return object
}
