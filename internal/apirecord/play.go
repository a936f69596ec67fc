package apirecord

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Player plays recorded requests to one server, in order. That server has uids and versions of its own: if a recorded request
// names one from a recorded answer, the played request names the one from the played answer.
type Player struct {
	// Send sends a request. If the code is 0, neither status nor headers are compared. A nil body is not compared.
	Send func(o *Request) (code int, header http.Header, body []byte)
	// Skip are requests, by name, whose answers are not compared, with the reason.
	Skip map[string]string
	// Before, if there is one, is called before a request is sent. It may change the request, and returns false if the
	// request is not to be sent.
	Before func(o *Request) bool

	theirs, ours Names
}

// Play sends the requests, and fails the test, but goes on, if status, headers or whole bodies differ from the recorded ones.
// It passes over times of creation, managed fields, and nulls, which a client cannot tell from missing fields. It changes the
// requests in place to the server's own uids and versions. It does not send a request for which Before returns false, nor
// compare the answer of one in Skip. It returns how many answers it compared.
func (p *Player) Play(t testing.TB, requests []Request) (compared int) {
	t.Helper()
	for i := range requests {
		o := &requests[i]
		if p.Before != nil && !p.Before(o) {
			continue
		}
		o.Request = json.RawMessage(p.theirs.Translate(string(o.Request), &p.ours))
		o.Path = p.theirs.Translate(o.Path, &p.ours)
		code, header, body := p.Send(o)
		if p.Skip[o.Name] != "" {
			continue
		}
		if code != 0 {
			assert.Equal(t, o.Status, code, "%s: %s", o.Name, body)
			for name, value := range o.Headers {
				assert.Equal(t, value, header.Get(name), o.Name)
			}
		}
		if o.Response != nil && body != nil {
			assert.Equal(t, p.theirs.Plain(t, o.Response), p.ours.Plain(t, body), o.Name)
		}
		compared++
	}
	return compared
}

// Versions returns the resourceVersions in the recorded and in the played answers, each in the order in which they first
// appeared.
func (p *Player) Versions() (recorded, played []string) {
	return p.theirs.versions.values, p.ours.versions.values
}
