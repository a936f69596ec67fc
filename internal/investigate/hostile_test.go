package investigate_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
)

// told reads files and tells the story of each lock.
func told(t testing.TB, files ...string) (*evidence.Evidence, []*investigate.Story) {
	r := read.New(read.Options{})
	for i, text := range files {
		_ = r.Read(read.File{Name: fmt.Sprintf("file-%d.log", i), Reader: strings.NewReader(text)}) // what was read before an error counts
	}
	e := r.Evidence()
	var all []*investigate.Story
	for _, p := range investigate.Parts(e) {
		s, err := investigate.Tell(p.Evidence, p.Lock, nil)
		require.NoError(t, err)
		all = append(all, s)
	}
	return e, all
}

// leaders are the tutorial's logs.
func leaders(t testing.TB) (files []string) {
	for _, name := range []string{"audit.log", "manager-a.log", "manager-b.log"} {
		text, err := os.ReadFile("../../docs/tutorials/leaders/" + name)
		require.NoError(t, err)
		files = append(files, string(text))
	}
	return files
}

// FuzzTell: whatever files have, they are read and told without a panic, and the same way twice. All that is told points to a line of a file.
func FuzzTell(f *testing.F) {
	for _, x := range realLogs {
		for _, text := range x.files {
			f.Add(text, "")
		}
	}
	logs := leaders(f)
	f.Add(logs[0][:4000], logs[1])
	const line = `I0715 09:16:20.412219 1 leaderelection.go:285] failed to renew lease shop/manager: timed out`
	f.Add("Jul 15 09:16:21 host-1 k3s[7]: "+line+"\n6月 25 22:29:55 h k: "+line+"\nf.log:3:"+line, `{"jsonPayload":{"message":"leader election lost"},"timestamp":"2024-07-15T09:16:20Z","resource":{"labels":{"pod_name":"a"}}}`)
	f.Add(`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"a"},"values":[["1721034724100000000","`+line+`"]]}]}}`, `{"hits":{"hits":[{"_source":{"message":"`+line+`"}}]}}`)
	f.Add("\xff\xfeI\x000\x00", `"2024-07-15T09:12:00Z","`+line+`"`+"\n"+`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{"auditID":"1","requestReceivedTimestamp":"x"}]}`)
	f.Add("apiVersion: v1\nkind: List\nitems:\n- {kind: Lease, metadata: {name: a, namespace: b}, spec: {holderIdentity: x}}\n", "{\"status\":\"success\"}\n")
	google := inGoogle(f, logs[0])
	lines := strings.SplitAfter(google, "\n")
	f.Add(lines[0]+lines[1], "---\ninsertId: a\nprotoPayload:\n  '@type': type.googleapis.com/google.cloud.audit.AuditLog\n  serviceName: k8s.io\n  methodName: io.k8s.coordination.v1.leases.update\n  resourceName: a/v1/namespaces/n/leases/l\ntimestamp: '2026-03-01T12:00:00Z'\n")
	f.Add(`{"logName":"x","jsonPayload":{"msg":"Failed to renew lease","lock":"shop/manager"},"timestamp":"2024-07-15T09:16:20Z","resource":{"labels":{"pod_name":"a","container_name":"b"}}}`, "Name:  l\nNamespace:  n\nAPI Version:  coordination.k8s.io/v1\nKind:  Lease\nMetadata:\n  Resource Version:  1\nSpec:\n  Holder Identity:  a-1\n  Renew Time:  2021-11-03T10:39:26.731022Z\nEvents:\n  Type\n  ----\n  Normal\nNAME   HOLDER   AGE\nl   a-1   3m\n")
	event := strings.TrimSpace(strings.SplitAfter(logs[0], "\n")[0])
	f.Add("@timestamp,@message\n\"x\",\""+strings.ReplaceAll(event, `"`, `""`)+"\"\n", `{"results":[[{"field":"@message","value":"{\"auditID\":\"1\"}"}]],"status":"Complete"}`+"\n"+`{"tables":[{"columns":[{"name":"log_s"}],"rows":[["x"]]}]}`)
	f.Add(`{"AuditId":"1","Stage":"ResponseComplete","Verb":"update","RequestReceivedTime":"2026-01-24T04:20:01Z","StageReceivedTime":"2026-01-24T04:20:01Z","ObjectRef":"{\"resource\":\"leases\",\"namespace\":\"n\",\"name\":\"l\"}","RequestObject":{"kind":"Lease","spec":{"holderIdentity":"h"}},"ResponseStatus":{"code":200}}`,
		"2026-01-24 04:20:01,123 INFO:root:a-1 successfully acquired lease\n[2026-01-24T04:20:01Z INFO  kube_leader_election::lease] successfully acquired lease l\n2026-01-24 04:20:01,123 DEBUG [io.fab.kub.cli.ext.lea.LeaderElector] (p) Renew deadline reached after 10 seconds while renewing lock LeaseLock: n - l (a-1)\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		e, stories := told(t, a, b)
		again, storiesAgain := told(t, a, b)
		assert.Equal(t, e, again)
		assert.Equal(t, stories, storiesAgain)
		for _, s := range stories {
			for i := range s.Writes {
				require.Less(t, s.Writes[i].Source, len(e.Sources))
			}
			for i := range s.Terms {
				require.LessOrEqual(t, s.Terms[i].First, s.Terms[i].Last)
				require.Less(t, s.Terms[i].Last, len(s.Writes))
			}
			for i := range s.Losses {
				for _, l := range s.Losses[i].Chain {
					for _, p := range l.Places {
						require.Less(t, p.Source, len(e.Sources))
					}
				}
			}
		}
	})
}

// TestOrder: the same lines in another order of files, and audit events out of order, tell the same terms.
func TestOrder(t *testing.T) {
	logs := leaders(t)
	_, want := told(t, logs...)
	lines := strings.SplitAfter(strings.TrimSuffix(logs[0], "\n"), "\n")
	lines[len(lines)-1] += "\n"
	for i := range lines[:len(lines)/2] { // turned around
		k := len(lines) - 1 - i
		lines[i], lines[k] = lines[k], lines[i]
	}
	_, got := told(t, strings.Join(lines, ""), logs[1], logs[2])
	require.Len(t, got, 1)
	require.Len(t, got[0].Terms, len(want[0].Terms))
	for i := range got[0].Terms {
		assert.Equal(t, want[0].Terms[i].Worked.Start, got[0].Terms[i].Worked.Start)
		assert.Equal(t, want[0].Terms[i].Worked.End, got[0].Terms[i].Worked.End)
	}
	assert.Equal(t, want[0].Verdict(), got[0].Verdict())
}

// TestHalf: with half of the audit log lost, or cut in the middle of a line, what is still called certain was certain before.
func TestHalf(t *testing.T) {
	logs := leaders(t)
	for cut := 1000; cut < len(logs[0]); cut += 3777 {
		e, got := told(t, logs[0][:cut], logs[1], logs[2])
		require.Len(t, got, 1)
		assert.NotEqual(t, investigate.Impossible, got[0].Verdict())
		broken := int64(0)
		for _, s := range e.Sources[0].Skipped {
			broken += s.Count
		}
		assert.LessOrEqual(t, broken, int64(1), "at most one line is half")
	}
}

// TestTwoClusters: two clusters have locks of one name. Their records do not follow each other, and nothing is certain between them.
func TestTwoClusters(t *testing.T) {
	logs := leaders(t)
	other := strings.NewReplacer("manager-a_", "other-a_", "manager-b_", "other-b_", `"auditID":"`, `"auditID":"x`, `"resourceVersion":"`, `"resourceVersion":"9`).Replace(logs[0])
	_, got := told(t, logs[0], other, logs[1], logs[2])
	require.Len(t, got, 1)
	assert.NotEqual(t, investigate.Certain, got[0].Verdict())
	assert.Contains(t, strings.Join(got[0].Notes, " "), "Nothing is certain")
}

// TestSecrets: nothing of a ConfigMap but its record is kept, not even where its name is that of a lock.
func TestSecrets(t *testing.T) {
	event := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"1","stage":"ResponseComplete","verb":"update","user":{"username":"u"},"objectRef":{"resource":"configmaps","namespace":"n","name":"l"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-01T12:00:00Z","stageTimestamp":"2026-03-01T12:00:00.1Z",` +
		`"requestObject":{"kind":"ConfigMap","metadata":{"name":"l","namespace":"n","annotations":{"control-plane.alpha.kubernetes.io/leader":"{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":15}","token":"hunter2"}},"data":{"password":"hunter2"}}}` + "\n"
	e, got := told(t, event)
	require.Len(t, got, 1)
	assert.Len(t, got[0].Writes, 1)
	assert.NotContains(t, fmt.Sprintf("%+v", e)+fmt.Sprintf("%+v %+v", *e.Requests[0].Wrote, got[0]), "hunter2")
}

// TestBomb: what a small file unpacks to, in one line or in many, is read in little memory.
func TestBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much")
	}
	for name, unit := range map[string]string{"one line": strings.Repeat("x", 1<<16), "many lines": strings.Repeat("what?\n", 1<<14), "one document": "{\"a\":[" + strings.Repeat("[", 1<<16)} {
		t.Run(name, func(t *testing.T) {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			for range 1 << 26 / len(unit) {
				_, err := io.WriteString(z, unit)
				require.NoError(t, err)
			}
			require.NoError(t, z.Close())
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := read.New(read.Options{})
			require.Error(t, r.Read(read.File{Name: "bomb.gz", Reader: &packed}))
			runtime.GC()
			runtime.ReadMemStats(&after)
			assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(64<<20), "kept")
			assert.Less(t, after.HeapSys, uint64(1<<30), "held at once")
		})
	}
}

// TestZones: stamps without a zone are of the one that is given, and their times are those.
func TestZones(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	r := read.New(read.Options{Zone: zone, Year: 2024})
	require.NoError(t, r.Read(read.File{Name: "a.log", Reader: strings.NewReader("I0610 19:09:25.669278       1 x.go:285] successfully acquired lease n/l\n")}))
	e := r.Evidence()
	assert.Equal(t, "2024-06-10T17:09:25.669278Z", e.Sayings[0].At.UTC().Format(time.RFC3339Nano))
}

// TestTwoObjects: the logs of two clusters, whose objects have other UIDs, are told to be that, one after the other they are not.
func TestTwoObjects(t *testing.T) {
	logs := leaders(t)
	for _, field := range []string{"objectRef", "metadata"} {
		uid := func(log, id string) string {
			return strings.ReplaceAll(log, `"`+field+`":{"`, `"`+field+`":{"uid":"`+id+`","`)
		}
		lines := strings.SplitAfter(logs[0], "\n")
		var turns, once strings.Builder
		for i, line := range lines {
			turns.WriteString(uid(line, []string{"a", "b"}[i%2]))
			once.WriteString(uid(line, []string{"a", "b"}[2*i/len(lines)]))
		}
		_, got := told(t, turns.String(), logs[1], logs[2])
		assert.Equal(t, investigate.Possible, got[0].Verdict(), field)
		assert.Contains(t, strings.Join(got[0].Notes, " "), "as by several clusters", field)
		assert.Empty(t, got[0].Pairs, field)
		assert.Empty(t, got[0].Losses, field)
		_, got = told(t, once.String(), logs[1], logs[2])
		assert.NotContains(t, strings.Join(got[0].Notes, " "), "as by several clusters", field)
	}
}
