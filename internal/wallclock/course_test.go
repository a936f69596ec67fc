package wallclock

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	_ "interregnum/internal/few/garbage"
)

// record is one as the real client has it. Its times are in microseconds.
type record struct {
	Holder  string `json:"holder"`
	Seconds int64  `json:"seconds"`
	Acquire int64  `json:"acquire"`
	Renew   int64  `json:"renew"`
}

// call is what a client asks for: one request, a sleep in milliseconds, or a callback.
type call struct {
	Verb     string  `json:"verb,omitempty"`
	Record   *record `json:"record,omitempty"`
	Sleep    int64   `json:"sleep,omitempty"`
	Work     bool    `json:"work,omitempty"`
	Stopped  bool    `json:"stopped,omitempty"`
	Returned bool    `json:"returned,omitempty"`
}

type answer struct {
	Now    int64   `json:"now"`
	Code   int     `json:"code,omitempty"`
	Record *record `json:"record,omitempty"`
	Lease  int64   `json:"lease,omitempty"`
	Renew  int64   `json:"renew,omitempty"`
	Retry  int64   `json:"retry,omitempty"`
}

// modelled is the machine, whose outputs are calls too.
type modelled struct {
	m     Machine
	calls []call
}

func (d *modelled) step(at time.Duration, in machine.Input) {
	for _, o := range d.m.Step(machine.Now{Wall: machine.Wall(at), Mono: machine.Mono(at)}, &in, nil) {
		switch o.Kind {
		case machine.Send:
			c := call{Verb: o.Request.Verb.String()}
			if r := o.Request.Record; o.Request.Verb != machine.Get {
				c.Record = &record{r.Holder, r.DurationSeconds, int64(r.Acquire) / 1000, int64(r.Renew) / 1000}
			}
			d.calls = append(d.calls, c)
		case machine.SetTimer:
			d.calls = append(d.calls, call{Sleep: o.Wait.Milliseconds()})
		case machine.StartWork:
			d.calls = append(d.calls, call{Work: true})
		case machine.Stopped:
			d.calls = append(d.calls, call{Stopped: true})
		case machine.Return:
			d.calls = append(d.calls, call{Returned: true})
		}
	}
}

// begin starts the machine, with the timings in a.
func begin(a *answer) *modelled {
	d := &modelled{m: New(machine.Config{
		Timings: machine.Timings{
			LeaseDuration: time.Duration(a.Lease) * time.Second, RenewDeadline: time.Duration(a.Renew) * time.Second,
			RetryPeriod: time.Duration(a.Retry) * time.Second,
		},
		Identity: "a", Profile: machine.Python,
	})}
	d.step(time.Duration(a.Now), machine.Input{Kind: machine.Started})
	return d
}

// answer gives the machine the answer to the call c.
func (d *modelled) answer(c call, a *answer) {
	at := time.Duration(a.Now)
	switch {
	case c.Sleep > 0:
		d.step(at, machine.Input{Kind: machine.Fired, Timer: machine.Retry})
	case c.Verb != "":
		in := machine.Input{Kind: machine.Responded, Response: machine.Response{ID: d.m.request.ID}}
		in.Response.Outcome = map[int]machine.Outcome{200: machine.Done, 404: machine.NotFound, 500: machine.Failed}[a.Code]
		if r := a.Record; r != nil {
			in.Response.Record = &machine.Record{
				Holder: r.Holder, DurationSeconds: r.Seconds, Acquire: machine.Wall(r.Acquire * 1000), Renew: machine.Wall(r.Renew * 1000),
			}
		}
		d.step(at, in)
	}
}

// line is one of testdata/courses.jsonl: an answer, and the real client's next call.
type line struct {
	Answer answer `json:"answer"`
	Call   call   `json:"call"`
}

// TestCourses: the machine makes the calls that the real client made, in courses that make python has recorded.
func TestCourses(t *testing.T) {
	file, err := os.Open("testdata/courses.jsonl")
	require.NoError(t, err)
	defer file.Close()
	var d *modelled
	var last call
	courses := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var l line
		require.NoError(t, json.Unmarshal(lines.Bytes(), &l))
		if l.Answer.Lease > 0 {
			courses++
			d = begin(&l.Answer)
		} else {
			d.answer(last, &l.Answer)
		}
		require.NotEmpty(t, d.calls)
		require.Equal(t, l.Call, d.calls[0], "course %d", courses)
		d.calls, last = d.calls[1:], l.Call
	}
	assert.Equal(t, 12, courses)
}

// TestCancelled: the end of the process ends the work, and nothing more is asked or told.
func TestCancelled(t *testing.T) {
	cancel := machine.Input{Kind: machine.Cancelled}
	d := begin(&answer{Lease: 15, Renew: 10, Retry: 2})
	d.answer(call{Verb: "get"}, &answer{Code: 404})
	d.answer(call{Verb: "create"}, &answer{Code: 200})
	assert.True(t, d.m.IsLeader())
	d.calls = nil
	d.step(0, cancel)
	assert.False(t, d.m.IsLeader())
	assert.Equal(t, []call{{Returned: true}}, d.calls)
	d.answer(call{Verb: "get"}, &answer{Code: 404})
	assert.Len(t, d.calls, 1)

	d.m.Again()
	d.step(0, cancel)
	d.step(0, machine.Input{Kind: machine.Started})
	assert.Equal(t, []call{{Returned: true}, {Returned: true}}, d.calls, "cancelled before its start")
}
