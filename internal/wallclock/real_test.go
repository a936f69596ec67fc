//go:build python

package wallclock

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	realClient = flag.String("python.client", "/usr/lib/python3/dist-packages", "folder with Debian's python3-kubernetes")
	realRuns   = flag.Int("python.runs", 300, "random courses to compare")
	realSeed   = flag.Uint64("python.seed", 1, "seed of the first course")
	recordTo   = flag.String("python.record", "", "file to write the courses to")
)

// tick divides the seconds: times that are multiples of it are exact in Python's floating point, in seconds and in
// milliseconds, as they are here, and are whole microseconds.
const tick = time.Second / 64

// real is the real client in a process of its own.
type real struct {
	in  io.Writer
	out *bufio.Scanner
	// said is the file with what it has logged.
	said string
	// record is where all is written down; nil for nowhere.
	record *json.Encoder
}

func startReal(t *testing.T) *real {
	script := exec.Command("python3", "testdata/real.py", *realClient)
	r := &real{said: filepath.Join(t.TempDir(), "said.txt")}
	said, err := os.Create(r.said)
	require.NoError(t, err)
	script.Stderr = said // each step is logged there
	in, err := script.StdinPipe()
	require.NoError(t, err)
	out, err := script.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, script.Start())
	t.Cleanup(func() {
		in.Close()
		_ = script.Wait()
		said.Close()
	})
	r.in, r.out = in, bufio.NewScanner(out)
	if *recordTo != "" {
		file, err := os.Create(*recordTo)
		require.NoError(t, err)
		t.Cleanup(func() { file.Close() })
		r.record = json.NewEncoder(file)
	}
	return r
}

// next answers the real client's last call, and returns its next one.
func (r *real) next(t *testing.T, a *answer) (c call) {
	text, err := json.Marshal(a)
	require.NoError(t, err)
	_, err = r.in.Write(append(text, '\n'))
	require.NoError(t, err)
	if !r.out.Scan() {
		said, _ := os.ReadFile(r.said)
		t.Fatalf("the real client has ended; it said last: %s", said[max(0, len(said)-2000):])
	}
	require.NoError(t, json.Unmarshal(r.out.Bytes(), &c))
	if r.record != nil {
		require.NoError(t, r.record.Encode(line{*a, c}))
	}
	return c
}

// TestReal: whatever the lock answers, and however the wall clock jumps, the machine makes the calls of the real client.
func TestReal(t *testing.T) {
	_, err := os.Stat(*realClient + "/kubernetes/leaderelection/leaderelection.py")
	require.NoError(t, err, "install Debian's python3-kubernetes, or say where it is with -python.client")
	seen := map[string]int{}
	client := startReal(t)
	for i := range *realRuns {
		compare(t, client, *realSeed+uint64(i), seen)
	}
	t.Log(seen)
	for _, what := range []string{"get", "create", "update", "work", "stopped", "another's", "own", "nobody's", "refused", "jump"} {
		assert.Positive(t, seen[what], what)
	}
}

// compare plays one random course to both.
func compare(t *testing.T, client *real, seed uint64, seen map[string]int) {
	d := rand.New(rand.NewPCG(seed, 0))
	retry := 1 + d.Int64N(3)
	renew := 2*retry + d.Int64N(8)
	lease := renew + 1 + d.Int64N(8)
	now := time.Duration(1_700_000_000+d.Int64N(1000))*time.Second + time.Duration(d.Int64N(64))*tick
	reply := &answer{Now: int64(now), Lease: lease, Renew: renew, Retry: retry}
	model := begin(reply)
	stored := &record{Holder: "b", Seconds: lease, Acquire: int64(now) / 1000, Renew: int64(now) / 1000}
	for n := range 150 {
		c := client.next(t, reply)
		require.NotEmpty(t, model.calls, "seed %d, call %d: the real client makes one more: %+v", seed, n, c)
		require.Equal(t, c, model.calls[0], "seed %d, call %d", seed, n)
		model.calls = model.calls[1:]
		if c.Returned {
			return
		}
		reply = &answer{Now: int64(now)}
		switch {
		case c.Work, c.Stopped:
			seen[map[bool]string{true: "work", false: "stopped"}[c.Work]]++
		case c.Sleep > 0:
			now += time.Duration(c.Sleep)*time.Millisecond + time.Duration(d.Int64N(3))*tick
			if d.IntN(20) == 0 {
				now += time.Duration(d.Int64N(40)-20) * time.Second
				seen["jump"]++
			}
		default:
			seen[c.Verb]++
			now += time.Duration(d.Int64N(90)) * tick
			stored = respond(d, now, c, stored, reply, seen)
		}
		reply.Now = int64(now)
		model.answer(c, reply)
	}
}

// respond draws the answer to a request into reply, and returns the record that is stored afterwards.
func respond(d *rand.Rand, now time.Duration, c call, stored *record, reply *answer, seen map[string]int) *record {
	reply.Code = 200
	switch {
	case d.IntN(6) == 0:
		reply.Code = 500
		seen["refused"]++
		if c.Verb != "get" && d.IntN(2) == 0 {
			return c.Record // applied all the same
		}
		return stored
	case c.Verb != "get":
		return c.Record
	case d.IntN(12) == 0:
		reply.Code = 404
		return stored
	}
	switch d.IntN(12) {
	case 0:
		stored = &record{Holder: "b", Seconds: stored.Seconds, Acquire: int64(now) / 1000, Renew: int64(now) / 1000}
	case 1:
		stored = &record{Seconds: 1, Acquire: stored.Acquire, Renew: stored.Renew}
	case 2:
		stored = &record{Holder: "b", Seconds: stored.Seconds + 1, Acquire: stored.Acquire, Renew: stored.Renew}
	}
	seen[map[string]string{"a": "own", "": "nobody's", "b": "another's"}[stored.Holder]]++
	reply.Record = stored
	return stored
}
