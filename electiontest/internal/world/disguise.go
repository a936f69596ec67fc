package world

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"interregnum/electiontest/internal/lockobject"
)

// All candidates of a run are on one host, while pods have a hostname each. So code that names itself by os.Hostname would take
// another candidate's lease for its own. Therefore the hostname becomes the candidate's identity on its way to the server, and the
// hostname again on its way back to that candidate.

// hostname is the host's, "" where it has none.
var hostname = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	return name
})

// differs matches the end of a name that is another one in each process anyway: a UUID, as in the name of a manager.
var differs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// disguised returns the name that the server gets in place of holder: the host's name in it is replaced by the process's
// identity. It returns holder itself if that does not contain the host's name, or ends with a UUID, which differs in each
// process anyway.
func (p *process) disguised(holder string) string {
	host := hostname()
	if host == "" || holder == p.identity || !strings.Contains(holder, host) || differs.MatchString(holder) {
		return holder
	}
	return strings.Replace(holder, host, p.identity, 1)
}

// disguise changes a write to the lock on its way to the server: in the holder, the candidate's identity replaces the host's
// name. It changes m.body, m.holder and m.inJSON, and notes the name before in the node's hosts. It does nothing if no name
// needs to be replaced. The caller holds w.mu.
func (m *message) disguise() {
	holder := m.process.disguised(m.holder)
	if holder == m.holder {
		return
	}
	if body := lockobject.Rename(m.object, m.body, holder); body != nil {
		m.process.node.hosts[holder] = m.holder
		m.body, m.holder, m.inJSON = body, holder, true
	}
}

// recognize changes the body of an answer about the lock, on its way back: where disguise has replaced the candidate's name, the
// holder gets that name back. Other answers stay as they are. The caller holds w.mu.
func (m *message) recognize(r *http.Response) {
	if !m.lock || len(m.process.node.hosts) == 0 || r.StatusCode >= http.StatusBadRequest {
		return
	}
	text, err := peek(r)
	record := lockobject.Read(m.object, text)
	if err != nil || record == nil {
		return
	}
	said, known := m.process.node.hosts[record.HolderIdentity]
	if !known || m.process.disguised(said) != record.HolderIdentity {
		return
	}
	if body := lockobject.Rename(m.object, text, said); body != nil {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
}
