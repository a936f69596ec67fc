package read_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
	_ "interregnum/internal/few/garbage"
)

// written is when the files were.
var written = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// readAll reads files in the order of their names and texts.
func readAll(t *testing.T, o read.Options, files ...string) *evidence.Evidence {
	r := read.New(o)
	for i := 0; i < len(files); i += 2 {
		require.NoError(t, r.Read(read.File{Name: files[i], Reader: strings.NewReader(files[i+1]), Modified: written}))
	}
	return r.Evidence()
}

// TestWords: each way in which a line can say something of an election, and stand in a log.
func TestWords(t *testing.T) {
	at := time.Date(2026, 1, 24, 4, 20, 1, 123456000, time.UTC)
	lock := evidence.Lock{Namespace: "kube-system", Name: "my-lock"}
	micro, milli := time.Microsecond, time.Millisecond
	for text, want := range map[string]evidence.Saying{
		"I0124 04:20:01.123456       1 leaderelection.go:250] attempting to acquire leader lease kube-system/my-lock...\n": {At: at, Unit: micro, Lock: lock, Step: evidence.Tries},
		"I0124 04:20:01.123456 1 leaderelection.go:242] attempting to acquire leader lease  kube-system/my-lock...":        {At: at, Unit: micro, Lock: lock, Step: evidence.Tries},
		`I0124 04:20:01.123456       1 leaderelection.go:272] "Successfully acquired lease" lock="kube-system/my-lock"`:    {At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		"I0124 04:20:01.123456       1 leaderelection.go:297] failed to renew lease kube-system/my-lock: timed out waiting for the condition": {
			At: at, Unit: micro, Lock: lock, Step: evidence.Lost},
		"E0124 04:20:01.123456       1 leaderelection.go:429] Failed to update lock optimistically: Put \"https://10.0.0.1\": EOF, falling back to slow path": {
			At: at, Unit: micro, Step: evidence.Failed},
		`I0124 04:20:01.123456 1 leaderelection.go:493] "Lease is held by and has not yet expired" lock="kube-system/my-lock" holder="a_1"`: {
			At: at, Unit: micro, Lock: lock, Step: evidence.Held, Identity: "a_1"},
		`{"@timestamp":"2026-01-24T04:20:09.000Z","message":"I0124 04:20:01.123456       1 leaderelection.go:272] \"Successfully acquired lease\" lock=\"kube-system/my-lock\"","stream":"stderr"}`: {
			At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		`{"time":"2026-01-24T04:20:09Z","log":"I0124 04:20:01.123456       1 leaderelection.go:250] attempting to acquire leader lease kube-system/my-lock...\n"}`: {
			At: at, Unit: micro, Lock: lock, Step: evidence.Tries},
		`{"timestamp":"2026-01-24T04:20:09Z","textPayload":"I0124 04:20:01.123456       1 leaderelection.go:250] attempting to acquire leader lease kube-system/my-lock...\n"}`: {
			At: at, Unit: micro, Lock: lock, Step: evidence.Tries},
		`2026-01-24T04:20:01.123456Z        info    setup   Successfully acquired lease     {"version": "v5", "lock": "kube-system/my-lock"}`: {
			At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		"I0124 04:20:01.123456 1 leaderelection.go:456] lock is held by a_1 and has not yet expired": {At: at, Unit: micro, Step: evidence.Held, Identity: "a_1"},
		"I0124 04:20:01.123456 1 request.go:700] Waited for 1.19s due to client-side throttling, not priority and fairness, request: PUT:https://10.0.0.1:443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/my-lock?timeout=5s": {
			At: at, Unit: micro, Lock: lock, Resource: "leases", Step: evidence.Waited},
		`I0124 04:20:01.123456 1 request.go:752] "Waited before sending request" delay="1.1s" reason="client-side throttling, not priority and fairness" verb="GET" URL="https://10.0.0.1:443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/my-lock"`: {
			At: at, Unit: micro, Lock: lock, Resource: "leases", Step: evidence.Waited},
		"F0124 04:20:01.123456 1 controllermanager.go:285] leaderelection lost": {At: at, Unit: micro, Step: evidence.Ends},
		`{"level":"info","ts":"2026-01-24T04:20:01.123Z","msg":"successfully acquired lease kube-system/my-lock"}`: {
			At: at.Truncate(milli), Unit: milli, Lock: lock, Step: evidence.Acquired},
		`{"time":"2026-01-24T05:20:01.123456+01:00","level":"INFO","msg":"Leading","lock":"kube-system/my-lock","fencingToken":7}`: {
			At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		`{"level":"info","ts":1769228401.123456,"msg":"Failed to renew lease","lock":"kube-system/my-lock","err":"context deadline exceeded"}`: {
			At: at.Add(-micro), Unit: 3 * micro, Lock: lock, Step: evidence.Lost},
		"2026-01-24T04:20:01.123Z\tINFO\tsuccessfully acquired lease kube-system/my-lock": {At: at.Truncate(milli), Unit: milli, Lock: lock, Step: evidence.Acquired},
		"2026-01-24T04:20:01Z\tERROR\tsetup\tproblem running manager\t{\"error\": \"leader election lost\"}": {
			At: at.Truncate(time.Second), Unit: time.Second, Step: evidence.Ends},
		`time=2026-01-24T04:20:01.123Z level=INFO msg="Gave up renewing the lease" lock=kube-system/my-lock`: {
			At: at.Truncate(milli), Unit: milli, Lock: lock, Step: evidence.Lost},
		"[pod/a-1/manager] 2026-01-24T04:20:01.200Z I0124 04:20:01.123456 1 leaderelection.go:257] attempting to acquire leader lease kube-system/my-lock...": {
			At: at, Unit: micro, Lock: lock, Step: evidence.Tries},
		"2026-01-24T04:20:01.123456000Z stderr F I0124 04:20:01.123456 1 leaderelection.go:271] successfully acquired lease kube-system/my-lock": {
			At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		"2026-01-24T04:20:01.123456000Z stderr P I0124 04:20:01.123456 1 leaderelection.go:271] successfully acq\n2026-01-24T04:20:01.123456000Z stderr F uired lease kube-system/my-lock": {
			At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		"a-1 manager I0124 04:20:01.123456 1 leaderelection.go:271] successfully acquired lease kube-system/my-lock": {
			At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		"2026-01-24T04:20:01.123456000Z successfully acquired lease kube-system/my-lock": {
			At: at, Unit: time.Nanosecond, Relayed: true, Lock: lock, Step: evidence.Acquired},
		"I0124 04:20:01.123456 1 leaderelection.go:188] sucessfully acquired lease kube-system/my-lock":                               {At: at, Unit: micro, Lock: lock, Step: evidence.Acquired},
		"I0124 04:20:01.123456 1 leaderelection.go:247] failed to acquire lease kube-system/my-lock":                                  {At: at, Unit: micro, Lock: lock, Step: evidence.Waits},
		"I0124 04:20:01.123456 1 leaderelection.go:179] attempting to acquire leader lease...":                                        {At: at, Unit: micro, Step: evidence.Tries},
		"I0124 04:20:01.123456 1 leader_election.go:172] new leader detected, current leader: a_1":                                    {At: at, Unit: micro, Step: evidence.Observed, Identity: "a_1"},
		"F0124 04:20:01.123456 1 leader_election.go:209] stopped leading":                                                             {At: at, Unit: micro, Step: evidence.Ends},
		`E0124 04:20:01.123456 1 start.go:136] cert-manager/ca-injector "msg"="error running manager" "error"="leader election lost"`: {At: at, Unit: micro, Step: evidence.Ends},
		"2026-01-24T04:20:01.123Z\tERROR\tcmd\tManager exited non-zero\t{\"error\": \"leader election lost\"}":                        {At: at.Truncate(milli), Unit: milli, Step: evidence.Ends},
		`time="2026-01-24T04:20:01Z" level=info msg="New leader elected: a_1"`:                                                        {At: at.Truncate(time.Second), Unit: time.Second, Step: evidence.Observed, Identity: "a_1"},
		`2026/01/24 04:20:01 INFO new leader elected "new leader"=a_1`:                                                                {At: at.Truncate(time.Second), Unit: time.Second, Step: evidence.Observed, Identity: "a_1"},
		`2026/01/24 04:20:01 INFO New leader leader=a_1`:                                                                              {At: at.Truncate(time.Second), Unit: time.Second, Step: evidence.Observed, Identity: "a_1"},
		"2026-01-24T04:20:01.123456000Z level=info msg=\"failed to renew lease kube-system/my-lock: timed out\" subsys=klog": {
			At: at, Unit: time.Nanosecond, Relayed: true, Lock: lock, Step: evidence.Lost},
		"2026-01-24 04:20:01.123456 I leaderelection.go:233] failed to renew lease kube-system/my-lock": {
			At: at, Unit: micro, Relayed: true, Lock: lock, Step: evidence.Lost},
		"2022-07-04 11:29:59\t" + `{"level":"info","ts":"2026-01-24T04:20:01.123Z","msg":"successfully acquired lease kube-system/my-lock"}`: {
			At: at.Truncate(milli), Unit: milli, Lock: lock, Step: evidence.Acquired},
	} {
		e := readAll(t, read.Options{}, "a-1.log", text)
		if assert.Len(t, e.Sayings, 1, text) {
			got := e.Sayings[0]
			assert.Equal(t, "a-1", e.Sources[got.Source].Process, text)
			got.Place, got.Text = evidence.Place{}, ""
			assert.Equal(t, want, got, text)
		}
	}
}

// TestOthers: what is near the words of an election, and is none of them.
func TestOthers(t *testing.T) {
	for _, text := range []string{
		"I0124 04:20:01.123456 1 server.go:1] leading zeros are dropped",
		"I0124 04:20:01.123456 1 request.go:700] Waited for 1.19s due to client-side throttling, not priority and fairness, request: GET:https://10.0.0.1:443/api/v1/namespaces/kube-system/configmaps/leader",
		"I0124 04:20:01.123456 1 request.go:700] Waited for 1.19s due to client-side throttling, not priority and fairness, request: GET:https://10.0.0.1:443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a",
		`{"level":"info","ts":"2026-01-24T04:20:01.123Z","msg":"Leading"}`,
		"I0124 04:20:01.123456 1 deploy.go:1] please release the lock",
		"2026-01-24T04:20:01.123Z\tINFO\telection of a new chairman",
		"I0124 04:20:01.123456 1 raft.go:1] stopped leading",
		"I0124 04:20:01.123456 1 backup.go:1] attempting to acquire leader lease...",
		"I0124 04:20:01.123456 1 x.go:1] err: Operation cannot be fulfilled on widgets \"lease\"",
		// Other programs' words about leases of their own.
		`{"level":"error","ts":"2026-01-24T04:20:01.123Z","msg":"failed to update lease","error":"leases.coordination.k8s.io \"kyverno-health\" is forbidden"}`,
		`{"level":"error","ts":"2026-01-24T04:20:01.123Z","msg":"Failed to renew lease","lease":"vault","error":"context deadline exceeded"}`,
		`{"level":"info","ts":"2026-01-24T04:20:01.123Z","msg":"Successfully acquired lease","blob":"backup-1"}`,
		`{"level":"error","ts":"2026-01-24T04:20:01.123Z","logger":"redsync","msg":"Lock failed","key":"orders","error":"redis: connection pool timeout"}`,
		`E0124 04:20:01.123456 1 controller.go:195] "Failed to update lease" err="Put \"https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a?timeout=10s\": EOF"`,
		`E0124 04:20:01.123456 1 leaderelection.go:367] Failed to update lock: Put "https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a": EOF`,
	} {
		assert.Empty(t, readAll(t, read.Options{}, "a.log", text).Sayings, text)
	}
}

// TestWhose: a line that names no lock is about the only one of its process, unless its error is about another Lease.
func TestWhose(t *testing.T) {
	const head = "I0124 04:20:01.000000 1 leaderelection.go:258] successfully acquired lease a/b\nE0124 04:20:05.000000 1 leaderelection.go:367] "
	for line, want := range map[string][]evidence.Lock{
		"Failed to update lock: EOF": {{Namespace: "a", Name: "b"}, {Namespace: "a", Name: "b"}},
		`Failed to update lock: Operation cannot be fulfilled on leases.coordination.k8s.io "b": it was modified`: {{Namespace: "a", Name: "b"}, {Namespace: "a", Name: "b"}},
		`Failed to update lock: Operation cannot be fulfilled on leases.coordination.k8s.io "c": it was modified`: {{Namespace: "a", Name: "b"}},
		`Failed to update lock: Put "https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/x/leases/y": EOF`:    {{Namespace: "a", Name: "b"}, {Namespace: "x", Name: "y"}},
	} {
		var got []evidence.Lock
		for _, s := range readAll(t, read.Options{Year: 2026}, "a.log", head+line+"\n").Sayings {
			got = append(got, s.Lock)
		}
		assert.Equal(t, want, got, line)
	}
}

// TestWrapped: what journalctl and stern put before lines.
func TestWrapped(t *testing.T) {
	const line = "I0124 04:20:01.123456       1 leaderelection.go:253] successfully acquired lease a/b"
	for text, pod := range map[string]string{
		"Jan 24 04:20:02 host-1 kube-scheduler[30766]: " + line: "host-1", "2026-01-24T04:20:02+0000 host-1 k3s[1]: " + line: "host-1",
		"pod-1 main " + line: "pod-1", "pod-1 main 2026-01-24T04:20:02.000000000Z " + line: "pod-1", "shop pod-1 main " + line: "pod-1",
		"\x1b[38;5;125mpod-1\x1b[0m \x1b[38;5;130mmain\x1b[0m " + line: "pod-1",
	} {
		e := readAll(t, read.Options{Year: 2026}, "f.log", text+"\n")
		if assert.Len(t, e.Sayings, 1, text) {
			assert.Equal(t, time.Date(2026, 1, 24, 4, 20, 1, 123456000, time.UTC), e.Sayings[0].At, text)
			assert.Equal(t, pod, e.Sources[e.Sayings[0].Source].Process, text)
		}
	}
}

// TestWrappedAudit: audit events as those get them who have them from a provider, or from a container's output.
func TestWrappedAudit(t *testing.T) {
	const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","verb":"update","user":{"username":"u"},"objectRef":{"resource":"leases","namespace":"a","name":"b","apiGroup":"coordination.k8s.io"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.010000Z"}`
	escaped, err := json.Marshal(event)
	require.NoError(t, err)
	for name, line := range map[string]string{
		"plain": event, "CRI": "2026-01-24T04:20:01.000000000Z stdout F " + event, "kubectl": "[pod/a/b] 2026-01-24T04:20:01.0Z " + event,
		"CloudWatch": `{"timestamp":1,"message":` + string(escaped) + "}", "insights": `{"@timestamp":"x","@message":` + string(escaped) + "}",
		"Azure": `{"category":"kube-audit","properties":{"log":` + string(escaped) + "}}", "Docker": `{"log":` + string(escaped) + `,"stream":"stdout","time":"2026-01-24T04:20:01.0Z"}`,
	} {
		e := readAll(t, read.Options{}, "a.log", line+"\n")
		if assert.Len(t, e.Requests, 1, name) {
			assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: "a", Name: "b"}, e.Requests[0].Lock, name)
			assert.Equal(t, 200, e.Requests[0].Status, name)
		}
	}
}

// TestExports: the answers of providers in one piece, whole and cut off.
func TestExports(t *testing.T) {
	const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","verb":"update","user":{"username":"u"},"objectRef":{"resource":"leases","namespace":"a","name":"b","apiGroup":"coordination.k8s.io"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.010000Z"}`
	entry := func(n int, form string) string {
		escaped, err := json.Marshal(fmt.Sprintf(event, n))
		require.NoError(t, err)
		return fmt.Sprintf(form, escaped)
	}
	cloudWatch := entry(1, `{"timestamp":1,"message":%s}`) + ",\n" + entry(2, `{"timestamp":1,"message":%s}`)
	azure := entry(1, `{"category":"kube-audit","properties":{"log":%s}}`) + "," + entry(2, `{"category":"kube-audit","properties":{"log":%s}}`)
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"CloudWatch": {`{"events":[` + cloudWatch + `],"searchedLogStreams":[]}`, 2}, "long": {"{\n  \"nextToken\": null,\n  \"events\": [\n" + cloudWatch + "]\n}\n", 2},
		"Azure": {`{"records":[` + azure + `]}`, 2}, "two": {`{"records":[` + azure + `]}` + "\n" + `{"records":[` + entry(3, `{"properties":{"log":%s}}`) + `]}`, 3},
		"list": {"\ufeff[" + azure + "]", 2}, "cut off": {`{"events":[` + cloudWatch[:len(cloudWatch)-50], 1}, "events": {"[" + fmt.Sprintf(event, 1) + "]", 1},
	} {
		e := readAll(t, read.Options{}, "a.log", c.text)
		assert.Len(t, e.Requests, c.want, name)
	}
}

// TestBrokenExports: an export that is broken where a list, a table or its rows begin is told so in one line.
func TestBrokenExports(t *testing.T) {
	for text, want := range map[string]string{
		`{"events":7}`:                       "after entry 0: want JSON: want a list of entries",
		`{"events":[],"results">`:            "after entry 0: want JSON: want a list of entries: invalid character '>' after object key",
		`{"events":[],"results":`:            "after entry 0: want JSON: unexpected EOF",
		`{"tables":[7]}`:                     "after entry 0: want JSON: want a table",
		`{"tables":[{"rows":{}}]}`:           "after entry 0: want JSON: want a list of rows",
		`{"tables":[{"columns":[],"rows":]}`: "after entry 0: want JSON: want a list of rows: invalid character ']' looking for beginning of value",
	} {
		err := read.Export(bufio.NewReader(strings.NewReader(text)), func([]byte) {})
		assert.EqualError(t, err, want, text)
	}
}

// TestNoSecrets: what is not recognised is not quoted.
func TestNoSecrets(t *testing.T) {
	for line, want := range map[string]string{
		`"data":{"password":"aHVudGVyMg=="}},"requestReceivedTimestamp":"x"}`: "part of some JSON",
		`{"requestObject":{"data":{"password":"hunter2"}},"objectRef"`:        "part of some JSON",
		`{"password":"hunter2"}`: "JSON of another kind", "password=hunter2": "text of another kind",
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","requestObject":{"password":"hunter2"`: "part of some JSON",
	} {
		err := read.New(read.Options{}).Read(read.File{Name: "x.log", Reader: strings.NewReader(line + "\n")})
		assert.EqualError(t, err, "x.log: want an audit log, a log of a process, Leases, events or an answer of Prometheus; got "+want)
	}
}

// TestObjectInALine: a line of a log about an object is a line of that log.
func TestObjectInALine(t *testing.T) {
	e := readAll(t, read.Options{}, "a.log", `{"level":"info","ts":"2026-01-24T04:20:01.123Z","msg":"leader election lost","object":{"kind":"Pod","apiVersion":"v1"}}`+"\n")
	require.Len(t, e.Sayings, 1)
	assert.Equal(t, evidence.Ends, e.Sayings[0].Step)
}

// TestMicroseconds: a number that is neither of seconds nor of milliseconds.
func TestMicroseconds(t *testing.T) {
	e := readAll(t, read.Options{}, "a.log", `{"level":"info","ts":1710072000000000,"msg":"leader election lost"}`+"\n")
	require.Len(t, e.Sayings, 1)
	assert.WithinDuration(t, time.Date(2024, 3, 10, 12, 0, 0, 0, time.UTC), e.Sayings[0].At, time.Microsecond)
}

// TestYears: klog's stamps have no year.
func TestYears(t *testing.T) {
	const log = "I1231 23:59:59.000000 1 x.go:1] successfully acquired lease a/b\nI0101 00:00:01.000000 1 x.go:1] failed to renew lease a/b: timed out\n"
	years := func(e *evidence.Evidence) string {
		return fmt.Sprint(e.Sayings[0].At.Year(), e.Sayings[1].At.Year(), e.Sources[0].First.Year(), e.Sources[0].Last.Year())
	}
	assert.Equal(t, "2025 2026 2025 2026", years(readAll(t, read.Options{}, "a.log", log)))
	assert.Equal(t, "2019 2020 2019 2020", years(readAll(t, read.Options{Year: 2019}, "a.log", log)))
	other := `{"ts":"2023-01-01T00:00:01.000Z","msg":"leader election lost"}`
	assert.Equal(t, "2022 2023 2022 2023", years(readAll(t, read.Options{}, "a.log", log, "b.log", other)))
	later := readAll(t, read.Options{}, "a.log", "I0602 12:00:00.000000 1 x.go:1] successfully acquired lease a/b\n")
	assert.Equal(t, 2025, later.Sayings[0].At.Year(), "none is written after its file")
	soon := readAll(t, read.Options{}, "a.log", "I0601 12:00:00.000000 1 x.go:1] successfully acquired lease a/b\n")
	assert.Equal(t, 2026, soon.Sayings[0].At.Year(), "but for zones")
	leap := readAll(t, read.Options{Year: 2024}, "a.log", "I0229 23:59:59.000000 1 x.go:1] successfully acquired lease a/b\n")
	assert.Equal(t, time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), leap.Sayings[0].At)
	assert.Contains(t, leap.Sources[0].Notes[1], "2024")
}

// TestZone: stamps without a zone are in the one that is asked for.
func TestZone(t *testing.T) {
	e := readAll(t, read.Options{Year: 2026, Zone: time.FixedZone("CET", 3600)}, "a.log", "I0110 01:00:00.000000 1 x.go:1] leaderelection lost\n")
	assert.Equal(t, time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC), e.Sayings[0].At)
	assert.Contains(t, e.Sources[0].Notes[0], "CET")
}

// TestBad: what is no log is refused with what it begins with; what is broken within a log is counted.
func TestBad(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "got an empty file",
		"a,b,c\n1,2,3\n":            "got text of another kind",
		"\x00\x01\x02\n":            "want an audit log",
		"\x1b[31mred\n":             "want an audit log",
		"{\"kind\": \"Event\"\n":    "want an audit log",
		"\x1f\x8bno gzip":           "cannot be read",
		"{\n \"a\": 1\n":            "want JSON",
		"apiVersion: v1\nkind: [\n": "want YAML",
		"kind: Pod\n":               "want an audit log",
	} {
		err := read.New(read.Options{}).Read(read.File{Name: "f", Reader: strings.NewReader(text)})
		assert.ErrorContains(t, err, want, "%q", text)
		assert.ErrorContains(t, err, "f: ", "%q", text)
		if err != nil {
			assert.NotContains(t, err.Error(), "\x1b")
		}
	}
	e := readAll(t, read.Options{}, "a.log", "I0124 04:20:01.123456 1 x.go:1] leaderelection lost\ngoroutine 1 [running]:\n\tmain.main()\n")
	assert.Equal(t, []evidence.Skipped{{Why: "lines without a stamp", Count: 2}}, e.Sources[0].Skipped)
	assert.Equal(t, int64(3), e.Sources[0].Lines)
}

const lease = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: my-lock, namespace: kube-system, resourceVersion: "41"}
spec:
  acquireTime: "2026-01-24T04:20:01.123456Z"
  holderIdentity: a-1_x
  leaseDurationSeconds: 15
  leaseTransitions: 3
  renewTime: "2026-01-24T04:21:01.123456Z"
`

// TestObjects: Leases and events as kubectl prints them, in YAML and in JSON, and answers of Prometheus, compressed or not.
func TestObjects(t *testing.T) {
	event := `{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Event", "reason": "LeaderElection", "message": "a-1_x became leader", "lastTimestamp": "2026-01-24T04:20:01Z",
   "involvedObject": {"kind": "Lease", "namespace": "kube-system", "name": "my-lock"}},
  {"apiVersion": "v1", "kind": "Event", "reason": "Killing", "message": "x"}]}`
	prometheus := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"leader_election_master_status","name":"my-lock","pod":"a-1"},"values":[[1769228401.5,"1"],[1769228416.5,"0"]]}]}}`
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err := io.WriteString(z, prometheus)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	e := readAll(t, read.Options{}, "lease.yaml", lease+"---\n"+lease, "events.json", event, "master.json.gz", zipped.String())
	lock := evidence.Lock{Resource: "leases", Namespace: "kube-system", Name: "my-lock"}
	require.Len(t, e.Snapshots, 2)
	at := time.Date(2026, 1, 24, 4, 20, 1, 123456000, time.UTC)
	assert.Equal(t, evidence.Snapshot{Place: evidence.Place{Source: 0, Line: 2}, Lock: lock, Version: "41", Record: evidence.Record{
		Holder: "a-1_x", Duration: 15 * time.Second, Acquire: at, Renew: at.Add(time.Minute), Transitions: 3}}, e.Snapshots[1])
	require.Len(t, e.Notices, 1)
	assert.Equal(t, "a-1_x", e.Notices[0].Identity)
	assert.True(t, e.Notices[0].Leads)
	require.Len(t, e.Samples, 2)
	assert.True(t, e.Samples[0].Leads)
	assert.False(t, e.Samples[1].Leads)
}

// TestPatch: what a request sends may be of any form; the record in the answer is kept.
func TestPatch(t *testing.T) {
	line := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"1","stage":"ResponseComplete","verb":"patch","objectRef":{"resource":"leases","namespace":"n","name":"c"},` +
		`"requestObject":[{"op":"replace","path":"/spec/holderIdentity","value":"a"}],"responseObject":{"kind":"Lease","metadata":{"resourceVersion":"7"},"spec":{"holderIdentity":"a"}},` +
		`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.100000Z"}`
	e := readAll(t, read.Options{}, "audit.log", line)
	require.Len(t, e.Requests, 1)
	assert.Nil(t, e.Requests[0].Wrote)
	assert.Equal(t, &evidence.Record{Holder: "a"}, e.Requests[0].Saw)
	assert.Equal(t, "7", e.Requests[0].Got)
}

// TestUnauthenticated: kube-apiserver logs a request whose credentials it refuses at the stage ResponseStarted alone, without a user.
// Other events of that stage are of requests in progress.
func TestUnauthenticated(t *testing.T) {
	line := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"1","stage":"ResponseStarted","verb":"update","user":{},"sourceIPs":["10.244.1.7"],` +
		`"userAgent":"manager","objectRef":{"resource":"leases","namespace":"n","name":"c"},"responseStatus":{"metadata":{},"status":"Failure","code":401},` +
		`"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.100000Z","annotations":{}}`
	e := readAll(t, read.Options{}, "audit.log", line)
	require.Len(t, e.Requests, 1)
	assert.Equal(t, []any{401, "", "10.244.1.7", "manager"}, []any{e.Requests[0].Status, e.Requests[0].User, e.Requests[0].From, e.Requests[0].Agent})
	for _, other := range []string{strings.Replace(line, "401", "200", 1), strings.Replace(line, `"user":{}`, `"user":{"username":"u"}`, 1)} {
		assert.Empty(t, readAll(t, read.Options{}, "audit.log", other).Requests)
	}
}

// TestSecrets: nothing of an object but its record is kept.
func TestSecrets(t *testing.T) {
	line := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"%d","stage":"ResponseComplete","verb":"update","objectRef":{"resource":"configmaps","namespace":"n","name":"c"},` +
		`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-24T04:20:01.123456Z","stageTimestamp":"2026-01-24T04:20:01.125Z",` +
		`"requestObject":{"kind":"ConfigMap","metadata":{"name":"c"%s},"data":{"password":"hunter2"}}}` + "\n"
	record := `,"annotations":{"control-plane.alpha.kubernetes.io/leader":"{\"holderIdentity\":\"a\",\"leaseDurationSeconds\":15}","other":"hunter2"}`
	text := fmt.Sprintf(line, 1, "") + fmt.Sprintf(line, 2, record) + fmt.Sprintf(line, 3, "") + fmt.Sprintf(line, 3, "")
	e := readAll(t, read.Options{}, "audit.log", text)
	assert.Len(t, e.Requests, 2, "a ConfigMap is a lock once it has a record, and an event counts once")
	assert.NotContains(t, fmt.Sprintf("%+v", *e), "hunter2")
}

// TestProcesses: whose log a file is.
func TestProcesses(t *testing.T) {
	const said = "I0124 04:20:01.123456 1 x.go:1] successfully acquired lease kube-system/my-lock\n"
	for name, want := range map[string]string{
		"logs/a-1.log": "a-1", "a-1_manager.log": "a-1", "previous.a-1.log.gz": "a-1", "a-10.log": "a-10", "a-1-2.log": "a-1-2", "x.log": "x",
		"/var/log/pods/kube-system_a-7_0c5f/manager/0.log": "a-7", "/var/log/containers/a-7_kube-system_manager-0c5f.log": "a-7",
	} {
		e := readAll(t, read.Options{}, "lease.yaml", lease, name, said)
		assert.Equal(t, want, e.Sources[1].Process, name)
		assert.Equal(t, !strings.HasPrefix(name, "/var"), e.Sources[1].Assumed, name)
	}
}

// TestEventTimes: an event has its first and its last time, however it is written; of combined ones only the last is of this message.
func TestEventTimes(t *testing.T) {
	const about = `"reason":"LeaderElection","involvedObject":{"kind":"Lease","namespace":"shop","name":"manager"}`
	at := func(minute int) time.Time { return time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		text        string
		first, last time.Time
		count       int
		unit        time.Duration
	}{
		"counted":   {`"message":"a became leader","firstTimestamp":"2026-03-01T12:00:00Z","lastTimestamp":"2026-03-01T12:05:00Z","count":3`, at(0), at(5), 3, time.Second},
		"combined":  {`"message":"(combined from similar events): a became leader","firstTimestamp":"2026-03-01T12:00:00Z","lastTimestamp":"2026-03-01T12:05:00Z","count":12`, at(5), at(5), 1, time.Second},
		"once":      {`"message":"a became leader","eventTime":null,"lastTimestamp":"2026-03-01T12:05:00Z"`, at(5), at(5), 1, time.Second},
		"series":    {`"note":"a became leader","eventTime":"2026-03-01T12:00:00.000000Z","series":{"count":4,"lastObservedTime":"2026-03-01T12:05:00.000000Z"}`, at(0), at(5), 4, time.Microsecond},
		"old names": {`"note":"a became leader","deprecatedFirstTimestamp":"2026-03-01T12:00:00Z","deprecatedLastTimestamp":"2026-03-01T12:05:00Z","deprecatedCount":2`, at(0), at(5), 2, time.Second},
		"backwards": {`"message":"a became leader","firstTimestamp":"2026-03-01T12:07:00Z","lastTimestamp":"2026-03-01T12:05:00Z","count":3`, at(5), at(5), 1, time.Second},
	} {
		r := read.New(read.Options{})
		require.NoError(t, r.Read(read.File{Name: "events.json", Reader: strings.NewReader(`{"kind":"Event","apiVersion":"v1",` + about + "," + c.text + "}")}), name)
		got := r.Evidence().Notices
		require.Len(t, got, 1, name)
		assert.Equal(t, "a", got[0].Identity, name)
		assert.True(t, c.first.Equal(got[0].First) && c.last.Equal(got[0].At), "%s: %v %v", name, got[0].First, got[0].At)
		assert.Equal(t, c.count, got[0].Count, name)
		assert.Equal(t, c.unit, got[0].Unit, name)
	}
}

// TestSampleAge: values that may be those of a range query may be as old as a query looks back, also where some of its steps have none.
func TestSampleAge(t *testing.T) {
	for times, age := range map[string]time.Duration{
		`[1772366400,"1"],[1772366430,"1"],[1772366505,"0"]`: 5 * time.Minute,
		`[1772366400,"1"]`: 5 * time.Minute,
		`[1772366400.004,"1"],[1772366415.017,"1"],[1772366430,"0"]`: 0,
	} {
		r := read.New(read.Options{})
		text := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"leader_election_master_status","name":"manager","pod":"a"},"values":[` + times + `]}]}}`
		require.NoError(t, r.Read(read.File{Name: "metrics.json", Reader: strings.NewReader(text)}))
		for _, s := range r.Evidence().Samples {
			assert.Equal(t, age, s.Age, times)
		}
	}
}

// TestNoSamples: a value that is neither 0 nor 1 says nothing.
func TestNoSamples(t *testing.T) {
	r := read.New(read.Options{})
	text := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"leader_election_master_status","name":"manager","pod":"a"},"values":[["x","1"],[1e300,"1"],[1772366400,"NaN"],[1772366430,"0.5"]]}]}}`
	require.NoError(t, r.Read(read.File{Name: "metrics.json", Reader: strings.NewReader(text)}))
	assert.Empty(t, r.Evidence().Samples)
}
