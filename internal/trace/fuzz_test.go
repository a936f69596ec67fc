package trace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzReader: whatever a file says, the reader neither panics nor lets an event of an unknown candidate through. An
// error names a line and stays on one line. What was read can be written, and reads back the same.
func FuzzReader(f *testing.F) {
	golden, err := os.ReadFile("testdata/every-kind.jsonl")
	require.NoError(f, err)
	f.Add(golden)
	f.Add([]byte(`{"schema":1,"horizonNs":60000000000,"service":{"driftPPM":-5},"elections":["x","y"],` +
		`"candidates":[{"id":"a","election":"x","objects":["key","lease"]},{"id":"a","election":"y"}]}` + "\n" +
		`{"atNs":5,"seq":1,"kind":"written","candidate":"a","election":"x","verb":"update","object":"key","holder":"\u001b"}` + "\n" +
		`{"atNs":5,"seq":2,"kind":"deleted","election":"y","fault":-1}` + "\n" +
		`{"atNs":6,"seq":3,"kind":"crashed","candidate":"a","election":"x","cause":"exited"}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, events, err := readTrace(data)
		if err != nil {
			require.Regexp(t, `^(line [1-9][0-9]*: .+|the file is empty; want a trace)$`, err.Error())
			require.NotRegexp(t, `Go struct|unmarshal|file(Header|Event)|int64`, err.Error())
		}
		if h == nil {
			return
		}
		for i := range events {
			e := &events[i]
			require.True(t, e.Candidate == Nobody || int(e.Candidate) < len(h.Candidates), "%+v", e)
			require.True(t, e.At <= int64(h.Horizon) && e.Kind < kinds, "%+v", e)
		}
		written := writeTrace(t, h, events)
		h, events, err = readTrace(written)
		require.NoError(t, err, "%s", written)
		require.Equal(t, string(written), string(writeTrace(t, h, events)))
	})
}

// readTrace returns what could be read, with a nil header if not even that could.
func readTrace(data []byte) (*Header, []Event, error) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	var events []Event
	for {
		var e Event
		if err := r.Next(&e); errors.Is(err, io.EOF) {
			return r.Header(), events, nil
		} else if err != nil {
			return r.Header(), events, err
		}
		events = append(events, e)
	}
}

func writeTrace(t *testing.T, h *Header, events []Event) []byte {
	var b bytes.Buffer
	w := NewWriter(&b, h)
	for i := range events {
		w.Observe(&events[i])
	}
	require.NoError(t, w.Flush())
	return b.Bytes()
}
