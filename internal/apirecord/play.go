package apirecord

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Player plays requests to one server, in order. Uids and versions are that server's own: where the recorded
// requests name those of recorded answers, the played ones name those of the played answers.
type Player struct {
	// Send sends a request. A code of 0 is not compared, nor are headers then; nor is a body that is nil.
	Send func(o *Request) (code int, header http.Header, body []byte)
	// Skip are requests, by name, whose answers are not compared, with the reason.
	Skip map[string]string
	// Before is called before a request is sent, which it may change, and says whether it is sent at all.
	Before func(o *Request) bool

	theirs, ours Names
}

// Play compares status, headers and whole bodies, but for times of creation, managed fields, and nulls, which a client cannot
// tell from nothing. It returns how many answers it compared.
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

// Versions are those that were seen in answers, in the order in which they first appeared: recorded, and played.
func (p *Player) Versions() (recorded, played []string) {
	return p.theirs.versions.values, p.ours.versions.values
}
