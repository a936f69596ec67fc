package calibrate

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/evidence/read"
	"interregnum/internal/gate"
)

// line is an event as a server writes it, with some fields changed.
func line(took time.Duration, changes ...string) string {
	received := time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)
	text := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"7e","stage":"ResponseComplete",`+
		`"requestURI":"/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/s?timeout=5s","verb":"update",`+
		`"user":{"username":"system:kube-scheduler","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],`+
		`"objectRef":{"resource":"leases","namespace":"kube-system","name":"s","apiGroup":"coordination.k8s.io","apiVersion":"v1"},`+
		`"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":%q,"stageTimestamp":%q,"annotations":{}}`,
		received.Format("2006-01-02T15:04:05.000000Z"), received.Add(took).Format("2006-01-02T15:04:05.000000Z"))
	return strings.NewReplacer(changes...).Replace(text) + "\n"
}

func readLog(t *testing.T, f Filter, log string) *Audit {
	if f.Resource == "" {
		f.Resource = "leases"
	}
	a := &Audit{Filter: f}
	require.NoError(t, a.Read("audit.log", strings.NewReader(log)))
	return a
}

// TestRepeated: an event that is read twice counts once.
func TestRepeated(t *testing.T) {
	log := line(2*time.Millisecond) + line(3*time.Millisecond)
	a := readLog(t, Filter{}, log)
	require.NoError(t, a.Read("copy.log", strings.NewReader(log)))
	assert.Equal(t, []int64{4, 2, 2}, []int64{a.Lines, a.Repeated, a.All().Count})
}

// TestProviders: audit events as CloudWatch, Azure Monitor and container runtimes have them, and exports in one piece.
func TestProviders(t *testing.T) {
	event := strings.TrimSpace(line(2 * time.Millisecond))
	escaped := strconv.Quote(event)
	for name, log := range map[string]string{
		"CloudWatch": `{"timestamp":1,"message":` + escaped + "}\n", "Azure": `{"category":"kube-audit","properties":{"log":` + escaped + "}}\n",
		"CRI": "2026-01-24T04:20:01.000000000Z stdout F " + event + "\n", "export": `{"events":[{"timestamp":1,"message":` + escaped + "}]}",
		"records": "{\n\"records\": [{\"properties\":{\"log\":" + escaped + "}}]\n}", "mark": "\ufeff" + event,
	} {
		a := readLog(t, Filter{}, log)
		assert.Equal(t, []int64{1, 0, 1}, []int64{a.Lines, a.Broken, a.All().Count}, name)
	}
	var a Audit
	assert.ErrorContains(t, a.Read("cut.json", strings.NewReader(`{"events":[{"timestamp":1,"message":`+escaped)), "cut.json: is an export that is not whole: after entry 0")
}

// TestAuditAccount: each line is in exactly one place.
func TestAuditAccount(t *testing.T) {
	log := line(2*time.Millisecond) +
		line(time.Second, `"update"`, `"get"`) +
		line(3*time.Millisecond, `"code":200`, `"code":409`) +
		line(time.Minute, `"code":200`, `"code":504`) +
		line(7*time.Second, "ResponseComplete", "Panic") +
		line(0, "ResponseComplete", "RequestReceived") +
		line(time.Hour, `"update"`, `"watch"`) + line(0, `"update"`, `"list"`) + line(0, `"update"`, `"delete"`) +
		line(time.Hour, `"leases",`, `"configmaps",`) +
		line(time.Hour, `"apiGroup":"coordination.k8s.io"`, `"apiGroup":"example.com"`) +
		line(time.Hour, `"name":"s"`, `"name":"s","subresource":"status"`) +
		"\n \r\n" + "{" + "\n" + line(0)[:100]
	a := readLog(t, Filter{}, log)
	assert.Equal(t, int64(14), a.Lines)
	assert.Equal(t, []int64{1, 6, 0, 2}, []int64{a.OtherStages, a.OtherRequests, a.Filtered, a.Broken})
	assert.Equal(t, int64(3), a.All().Count)
	assert.Equal(t, time.Second, a.All().Max)
	assert.Equal(t, time.Second, named(a.Answered(), "get").Max)
	assert.Equal(t, 3*time.Millisecond, named(a.Answered(), "update").Max)
	assert.Equal(t, int64(1), named(a.Refused(), "409 Conflict").Count)
	assert.Equal(t, time.Minute, named(a.Failed(), "504 Gateway Timeout").Max)
	assert.Equal(t, 7*time.Second, named(a.Failed(), "panic").Max)
	require.Len(t, a.Problems, 2)
	assert.Equal(t, "audit.log:15: want an audit event in JSON on one line: unexpected end of JSON input", a.Problems[0].Error())
	assert.Equal(t, 16, a.Problems[1].Line)
}

func TestAuditFilter(t *testing.T) {
	log := line(1*time.Second) + line(2*time.Second, `"name":"s"`, `"name":"t"`) +
		line(3*time.Second, `"namespace":"kube-system"`, `"namespace":"default"`) + line(4*time.Second, "kube-scheduler", "kube-scheduler-2")
	for _, c := range []struct {
		filter Filter
		want   time.Duration
		left   int64
	}{
		{Filter{}, 4 * time.Second, 0},
		{Filter{Name: "t"}, 2 * time.Second, 3},
		{Filter{Namespace: "default"}, 3 * time.Second, 3},
		{Filter{Name: "s", User: "system:kube-scheduler", Namespace: "kube-system"}, time.Second, 3},
	} {
		a := readLog(t, c.filter, log)
		assert.Equal(t, c.want, a.All().Max, c.filter)
		assert.Equal(t, c.left, a.Filtered, c.filter)
	}
	maps := readLog(t, Filter{Resource: "configmaps"}, log+line(time.Minute, `"leases",`, `"configmaps",`, `"apiGroup":"coordination.k8s.io",`, ""))
	assert.Equal(t, int64(1), maps.All().Count)
	assert.Equal(t, int64(4), maps.OtherRequests)
}

// TestAuditBroken: a broken line is reported with its number, and never measured.
func TestAuditBroken(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"[]\n", "want an audit event in JSON on one line: want an object, got array"},
		{line(0, "audit.k8s.io/v1", "audit.k8s.io/v1beta1"), `want kind Event of audit.k8s.io/v1, got kind "Event" of "audit.k8s.io/v1beta1"`},
		{line(0, "ResponseComplete", "Done"), `stage: want RequestReceived, ResponseStarted, ResponseComplete or Panic, got "Done"`},
		{line(-time.Second), "stageTimestamp: want a time after requestReceivedTimestamp, got one 1s before it"},
		{line(9000 * time.Hour), "stageTimestamp: want a time within a year of requestReceivedTimestamp, got 9000h0m0s"},
		{line(0, "requestReceivedTimestamp", "x"), "requestReceivedTimestamp: want a time, got none"},
		{line(0, "stageTimestamp", "x"), "stageTimestamp: want a time, got none"},
		{line(0, `"code":200`, `"code":0`), "responseStatus.code: want an HTTP status, got 0"},
		{line(0, "2026-03", "2026-13"), "want an audit event in JSON on one line: want a time such as 2006-01-02T15:04:05Z, got"},
		{line(0) + line(0, `"annotations":{}`, `"annotations":"`+strings.Repeat("x", read.MaxLine)+`"`), "the line is longer than 16 MiB"},
	} {
		a := readLog(t, Filter{}, c.line+line(time.Second))
		assert.Equal(t, int64(1), a.Broken, c.want)
		assert.Equal(t, time.Second, a.All().Max, "the next line is read: %s", c.want)
		require.Len(t, a.Problems, 1)
		assert.Contains(t, a.Problems[0].Error(), c.want)
	}
	many := readLog(t, Filter{}, strings.Repeat("x\n", 3*maxProblems))
	assert.Equal(t, int64(3*maxProblems), many.Broken)
	assert.Len(t, many.Problems, maxProblems)
}

func TestAuditGzip(t *testing.T) {
	var b bytes.Buffer
	for i := range 2 { // logs are often put together of several
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(line(time.Second + time.Duration(i)*time.Millisecond)))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	assert.Equal(t, int64(2), readLog(t, Filter{}, b.String()).All().Count)
	for _, cut := range []int{3, b.Len() / 4, b.Len() - 3} {
		a := &Audit{Filter: Filter{Resource: "leases"}}
		require.ErrorContains(t, a.Read("a.gz", bytes.NewReader(b.Bytes()[:cut])), "cannot be read: unexpected EOF")
	}
}

// TestEnvironment: the gate reads what is written, and it is never less than was asked for.
func TestEnvironment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := File{
			Slowest:  time.Duration(rapid.Int64Range(0, int64(2*time.Hour)).Draw(t, "slowest")),
			Margin:   float64(rapid.IntRange(100, 1000).Draw(t, "percent")) / 100,
			Add:      time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "add")),
			Comments: []string{rapid.String().Draw(t, "comment")},
		}
		var b bytes.Buffer
		require.NoError(t, e.Write(&b))
		got, err := gate.ReadEnvironment("e.yaml", &b)
		require.NoError(t, err)
		want := float64(e.Slowest)*e.Margin + float64(e.Add)
		require.GreaterOrEqual(t, float64(got.MaxRoundTrip), want)
		require.Less(t, float64(got.MaxRoundTrip), want+float64(roundUpTo)+2)
		require.Zero(t, got.MaxRoundTrip%roundUpTo)
	})
	_, err := (&File{Slowest: 8000 * time.Hour, Margin: 2}).MaxRoundTrip()
	require.ErrorContains(t, err, "want at most a year")
}

func TestSeries(t *testing.T) {
	var m Measurement
	for i := range 1000 {
		m.answer("get", 200, time.Duration(i+1)*time.Millisecond)
	}
	m.answer("get", 200, 3*time.Hour)
	s := m.All()
	for _, q := range []struct{ got, want time.Duration }{
		{s.P50, 500 * time.Millisecond}, {s.P90, 900 * time.Millisecond}, {s.P99, 990 * time.Millisecond}, {s.P999, time.Second},
	} {
		assert.InEpsilon(t, q.want, q.got, 0.003)
	}
	assert.Equal(t, 3*time.Hour, s.Max)
	assert.Equal(t, 0.3, MorePercent(1000))
	assert.Equal(t, Series{Name: "all"}, (&Measurement{}).All())
}

// FuzzAudit: no log makes the reader panic, every line is in exactly one place, and what is measured can be written.
func FuzzAudit(f *testing.F) {
	f.Add([]byte(line(time.Second) + line(0, "ResponseComplete", "RequestReceived") + "x\n"))
	f.Add([]byte(line(time.Second, `"code":200`, `"code":503`) + line(-1)))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Add([]byte(`{"kind":"Event","objectRef":null,"responseStatus":{"code":1e9},"requestReceivedTimestamp":"0001-01-01T00:00:00Z"}`))
	f.Add([]byte(`{"results":[[{"field":"@message","value":"{\"auditID\":\"1\"}"}],[1]],"status":"Complete"}`))
	f.Add([]byte(`{"tables":[{"columns":[{"name":"AuditId"},{"name":"RequestReceivedTime"}],"rows":[["1","2026-01-24T04:20:01Z"],[1]]}]}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		a := &Audit{Filter: Filter{Resource: "leases", Namespace: "kube-system"}}
		if err := a.Read("x", bytes.NewReader(log)); err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
		for _, p := range a.Problems {
			require.NotContains(t, p.Error(), "\n")
		}
		failed := int64(0)
		for _, s := range a.Failed() {
			failed += s.Count
		}
		require.Equal(t, a.Lines, a.OtherStages+a.OtherRequests+a.Filtered+a.Broken+failed+a.All().Count)
		e := File{Slowest: a.All().Max, Margin: 1}
		if longest, err := e.MaxRoundTrip(); err == nil {
			require.GreaterOrEqual(t, longest, e.Slowest)
		}
	})
}
