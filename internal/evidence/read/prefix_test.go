package read_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// TestPrefixes: what others put before a line of klog, and whose line it then is.
func TestPrefixes(t *testing.T) {
	const line = `E0715 09:16:20.412300       1 main.go:100] "problem running manager" err="leader election lost"`
	for before, want := range map[string]string{
		"Nov 16 15:01:02 k8s-1 kube-scheduler: ": "k8s-1", "6月 25 22:29:55 two-master kube-controller-manager[1823]: ": "two-master", "okt 29 06:08:00 machine-1 kubelite[1]: ": "machine-1",
		"2024-07-15T09:16:20.412345+00:00 host-2 k3s[77]: ": "host-2", "2024-07-15T09:16:20+0000 host-2 k3s[77]: ": "host-2",
		"manager-1  | ": "manager-1", "\x1b[36mmanager-1  |\x1b[0m ": "manager-1", "logs/manager-a.log:4:": "manager-a", "manager-a.log:": "manager-a", "4:": "f", "kubelite[53319]: ": "f", "> ": "f", "  - ": "f", "[manager] ": "manager",
		"2024-07-15T09:16:20.710Z\t": "f", "2024-07-15 09:16:20\t": "f", "2024-07-15T09:16:20.412+00:00 manager-7c9-abc ": "manager-7c9-abc",
		"2024-07-15T09:16:20.412+00:00 manager-7c9-abc_shop_manager-0c5f ": "manager-7c9-abc", `2024-07-15T09:16:20.412Z {pod="manager-7c9-abc"} `: "manager-7c9-abc",
	} {
		e := readAll(t, read.Options{Year: 2024}, "f.log", before+line+"\n")
		if assert.Len(t, e.Sayings, 1, before) {
			s := e.Sayings[0]
			assert.Equal(t, time.Date(2024, 7, 15, 9, 16, 20, 412300000, time.UTC), s.At, before)
			assert.False(t, s.Relayed || s.Strange, before)
			assert.Equal(t, want, e.Sources[s.Source].Process, before)
		}
	}
}

// TestStrangePrefix: behind text of no known form a line is read, and may be another's.
func TestStrangePrefix(t *testing.T) {
	e := readAll(t, read.Options{Year: 2024}, "f.log", "output of kubectl logs other: I0715 09:16:20.412300 1 leaderelection.go:250] successfully acquired lease a/b\n")
	require.Len(t, e.Sayings, 1)
	assert.True(t, e.Sayings[0].Strange)
	assert.Contains(t, strings.Join(e.Sources[e.Sayings[0].Source].Notes, " "), "another's")
}

// TestPrefixedQuotes: a line within quotes ends with them, in CSV and in JSON.
func TestPrefixedQuotes(t *testing.T) {
	for _, line := range []string{
		`"2024-07-15T09:12:00.100Z","n","manager","E0715 09:16:20.412300       1 main.go:100] ""problem running manager"" err=""leader election lost"""`,
		`  "textPayload": "E0715 09:16:20.412300       1 main.go:100] \"problem running manager\" err=\"leader election lost\"\n",`,
	} {
		e := readAll(t, read.Options{Year: 2024}, "f.log", line+"\n")
		if assert.Len(t, e.Sayings, 1, line) {
			assert.Equal(t, "problem running manager: leader election lost", e.Sayings[0].Text)
		}
	}
}

// TestJournalStamp: a line without a stamp behind a journal has the journal's, in whole seconds; where a journal is of several
// programs, a line is of its own program.
func TestJournalStamp(t *testing.T) {
	e := readAll(t, read.Options{Year: 2026}, "f.log", "Jan 24 04:20:01 host-1 cilium-operator[7]: level=info msg=\"failed to renew lease a/b: timed out\" subsys=klog\n"+
		"Jan 24 04:20:02 host-1 other[8]: level=info msg=\"leader election lost\"\nJan 24 04:20:03 host-1 cron[9]: nothing\n")
	require.Len(t, e.Sayings, 2)
	assert.Equal(t, evidence.Lost, e.Sayings[0].Step)
	assert.True(t, e.Sayings[0].Relayed)
	assert.Equal(t, time.Date(2026, 1, 24, 4, 20, 1, 0, time.UTC), e.Sayings[0].At)
	assert.NotEqual(t, e.Sayings[0].Source, e.Sayings[1].Source)
	assert.Empty(t, e.Sayings[1].Lock)
}

// TestZoneBeside: a stamp with a zone beside a line, or in another line, shows which zone klog's stamps are in, also those before it.
func TestZoneBeside(t *testing.T) {
	const said = "09:31:56.100000 1 x.go:1] successfully acquired lease a/b\n"
	want := time.Date(2024, 12, 1, 8, 31, 56, 100000000, time.UTC)
	for name, text := range map[string]string{
		"runtime": "I1201 " + said + "2024-12-01T08:31:57.200Z I1201 09:31:57.000000 1 x.go:1] leaderelection lost\n",
		"journal": "2024-12-01T09:29:00+0100 h k3s[1]: I1201 " + said + "2024-12-01T09:31:57+0100 h k3s[1]: I1201 09:31:57.000000 1 x.go:1] leaderelection lost\n",
		"logrus":  "I1201 " + said + "time=\"2024-12-01T09:31:55.707+01:00\" level=info msg=\"leader election lost\"\n",
		"zap":     "2024-12-01T09:31:55.707+0100\tINFO\tx\tleader election lost\nI1201 " + said,
	} {
		e := readAll(t, read.Options{}, "f.log", text)
		var at []time.Time
		notes := ""
		for _, s := range e.Sayings {
			if s.Step == evidence.Acquired {
				at, notes = append(at, s.At), strings.Join(e.Sources[s.Source].Notes, ";")
			}
		}
		assert.Equal(t, []time.Time{want}, at, name)
		assert.Contains(t, notes, "UTC+01:00", name)
		assert.NotContains(t, notes, "for UTC,", name)
	}
	late := readAll(t, read.Options{}, "f.log", "2024-12-01T08:40:00.000Z I1201 "+said)
	assert.Equal(t, want.Add(time.Hour), late.Sayings[0].At, "gathered minutes later, a stamp shows no zone")
	asked := readAll(t, read.Options{Zone: time.UTC}, "f.log", "2024-12-01T08:31:56.200Z I1201 "+said)
	assert.Equal(t, want.Add(time.Hour), asked.Sayings[0].At, "the zone is the one that was asked for")
}

// TestYearBeside: records, and klog's own beginning of a file, have the year.
func TestYearBeside(t *testing.T) {
	const line = `I0715 09:12:03.200000 1 leaderelection.go:260] successfully acquired lease shop/manager`
	for name, text := range map[string]string{
		"klog":       "Log file created at: 2019/07/15 09:12:00\nRunning on machine: master1\nBinary: Built with gc go1.12.9 for linux/amd64\n" + line,
		"CloudWatch": `{"logStreamName":"m_s_c","timestamp":1563181980100,"message":"` + line + `"}`, "Fluent Bit": `{"date":1563181980.4,"log":"` + line + `\n","stream":"stderr"}`,
		"GKE": `{"textPayload":"` + line + `","timestamp":"2019-07-15T09:12:03Z"}`, "Loki": `{"labels":{"pod":"m"},"line":"` + line + `","timestamp":"2019-07-15T09:12:03Z"}`,
		"journald": `{"__REALTIME_TIMESTAMP":"1563181980412178","_HOSTNAME":"h","MESSAGE":"` + line + `"}`,
	} {
		e := readAll(t, read.Options{}, "f.log", text+"\n")
		if assert.Len(t, e.Sayings, 1, name) {
			assert.Equal(t, time.Date(2019, 7, 15, 9, 12, 3, 200000000, time.UTC), e.Sayings[0].At, name)
			assert.NotContains(t, strings.Join(e.Sources[e.Sayings[0].Source].Notes, ";"), "no year", name)
		}
	}
}

// TestNamedByRecords: records of several pods are of several processes.
func TestNamedByRecords(t *testing.T) {
	const line = `I0715 09:12:03.200000 1 leaderelection.go:260] successfully acquired lease shop/manager`
	for name, form := range map[string]string{
		"stern":      `{"message":"LINE","nodeName":"n","namespace":"shop","podName":"POD","containerName":"manager"}`,
		"Fluent Bit": `{"log":"LINE\n","stream":"stderr","time":"2024-07-15T09:12:03.2Z","kubernetes":{"pod_name":"POD"}}`,
		"gcloud":     `{"textPayload":"LINE","timestamp":"2024-07-15T09:12:03.2Z","resource":{"type":"k8s_container","labels":{"pod_name":"POD"}}}`,
		"Loki":       `{"labels":{"pod":"POD"},"line":"LINE","timestamp":"2024-07-15T09:12:03.2Z"}`,
		"Grafana":    `{"line":"LINE","timestamp":"1721034723200000000","date":"2024-07-15T09:12:03.2Z","fields":{"pod":"POD"}}`,
		"CloudWatch": `{"logStreamName":"POD_shop_manager","timestamp":1721034720100,"message":"LINE"}`,
		"Elastic":    `{"_index":"x","_source":{"@timestamp":"2024-07-15T09:12:03.2Z","message":"LINE","kubernetes":{"pod":{"name":"POD"}}}}`,
		"journal":    "Jul 15 09:12:03 POD k3s[77]: LINE",
		"journald":   `{"__REALTIME_TIMESTAMP":"1721034980412178","_HOSTNAME":"POD","SYSLOG_IDENTIFIER":"k3s","MESSAGE":"LINE"}`,
		"Loki's API": `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"POD"},"values":[["1721034723200000000","LINE"]]}]}}`,
	} {
		text := ""
		for _, pod := range []string{"manager-a", "manager-b"} {
			text += strings.NewReplacer("LINE", line, "POD", pod).Replace(form) + "\n"
		}
		e := readAll(t, read.Options{}, "two.json", text)
		if assert.Len(t, e.Sayings, 2, name) {
			for i, pod := range []string{"manager-a", "manager-b"} {
				s := &e.Sources[e.Sayings[i].Source]
				assert.Equal(t, pod, s.Process, name)
				assert.False(t, s.Assumed, name)
			}
		}
	}
}

// TestWrappedWithoutStamp: GKE takes klog's stamp off a line; a line of a program that writes a message in JSON is none of a
// collector.
func TestWrappedWithoutStamp(t *testing.T) {
	e := readAll(t, read.Options{}, "f.log", `{"jsonPayload":{"message":"failed to renew lease shop/manager: timed out","pid":"1","source":"leaderelection.go:285"},"timestamp":"2024-07-15T09:16:20.412Z","resource":{"labels":{"pod_name":"manager-7c9-abc"}}}`+
		"\n"+`{"level":"info","time":"2024-07-15T09:16:21Z","message":"leader election lost","podName":"other"}`+"\n")
	require.Len(t, e.Sayings, 2)
	own := readAll(t, read.Options{}, "f.log", `{"time":"2024-07-15T09:16:21Z","level":"INFO","msg":"leader election lost","log":"x","line":"7"}`+"\n")
	require.Len(t, own.Sayings, 1)
	assert.False(t, own.Sayings[0].Relayed, "fields of a process's own line")
	assert.Equal(t, evidence.Lost, e.Sayings[0].Step)
	assert.True(t, e.Sayings[0].Relayed)
	assert.Equal(t, "manager-7c9-abc", e.Sources[e.Sayings[0].Source].Process)
	assert.False(t, e.Sayings[1].Relayed)
	assert.Equal(t, "f", e.Sources[e.Sayings[1].Source].Process)
}

// TestOrder: a file with the newest line first is told from one whose clock was set, or that has no order.
func TestOrder(t *testing.T) {
	lines := []string{
		"I0101 00:10:03.000000 1 x.go:1] failed to renew lease a/b: timed out", "I0101 00:10:02.000000 1 x.go:1] other",
		"I0101 00:00:01.000000 1 x.go:1] successfully acquired lease a/b", "I1231 23:59:59.000000 1 x.go:1] attempting to acquire leader lease a/b...",
	}
	e := readAll(t, read.Options{Year: 2025}, "f.log", strings.Join(lines, "\n"))
	require.Equal(t, evidence.NewestFirst, e.Sources[0].Order)
	assert.Equal(t, time.Date(2025, 12, 31, 23, 59, 59, 0, time.UTC), e.Sayings[2].At)
	assert.Equal(t, time.Date(2026, 1, 1, 0, 10, 3, 0, time.UTC), e.Sayings[0].At)
	require.NotEmpty(t, e.Silences)
	for _, s := range e.Silences {
		assert.True(t, s.From.Before(s.Until))
	}
	both := readAll(t, read.Options{}, "f.log", "[pod/a/m] "+lines[0]+"\n[pod/b/m] "+lines[0]+"\n[pod/a/m] "+lines[1]+"\n[pod/b/m] "+lines[1]+"\n[pod/a/m] "+lines[2]+"\n")
	assert.Equal(t, []evidence.Order{evidence.NewestFirst, evidence.NewestFirst}, []evidence.Order{both.Sources[0].Order, both.Sources[1].Order}, "a file of two processes")
	assert.Equal(t, evidence.NoOrder, readAll(t, read.Options{}, "f.log", strings.Join(lines[:3], "\n")).Sources[0].Order)
	assert.Empty(t, readAll(t, read.Options{}, "f.log", lines[3]+"\n"+lines[2]+"\n"+lines[0]).Sources[0].Order)
}

// TestUTF16: what PowerShell writes into a file.
func TestUTF16(t *testing.T) {
	const line = "I0715 09:12:03.200000 1 x.go:1] successfully acquired lease shop/manager\u00e9\U0001f600\r\n"
	for _, big := range []bool{false, true} {
		var text []byte
		for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(line))...) {
			if big {
				text = binary.BigEndian.AppendUint16(text, u)
			} else {
				text = binary.LittleEndian.AppendUint16(text, u)
			}
		}
		e := readAll(t, read.Options{}, "f.log", string(text)+"\x00")
		if assert.Len(t, e.Sayings, 1) {
			assert.Equal(t, "manager\u00e9\U0001f600", e.Sayings[0].Lock.Name)
		}
	}
}
