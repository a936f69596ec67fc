package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInvestigateOutage: an outage for several locks is told of, in each form, and so is who asked how often.
func TestInvestigateOutage(t *testing.T) {
	folder(t)
	var log strings.Builder
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 200 {
		at, status := noon.Add(time.Duration(i)*time.Second), 200
		if i >= 100 && i < 130 {
			status = 503
		}
		for _, lock := range []string{"one", "two"} {
			stamp := at.Format("2006-01-02T15:04:05.000000Z")
			fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%[1]s%[2]d","stage":"ResponseComplete","verb":"update",`+
				`"userAgent":"manager/v1 (linux/amd64) kubernetes/abc","sourceIPs":["10.0.0.1"],"user":{"username":"u"},`+
				`"objectRef":{"resource":"leases","namespace":"shop","name":"%[1]s","apiGroup":"coordination.k8s.io","apiVersion":"v1"},"responseStatus":{"code":%[3]d},`+
				`"requestObject":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"%[1]s","namespace":"shop","resourceVersion":"%[4]d"},`+
				`"spec":{"holderIdentity":"manager-a_1","leaseDurationSeconds":15,"renewTime":"%[5]s","leaseTransitions":0}},`+
				`"requestReceivedTimestamp":"%[5]s","stageTimestamp":"%[5]s"}`+"\n", lock, i, status, i+1, stamp)
		}
	}
	require.NoError(t, os.WriteFile("audit.log", []byte(log.String()), 0o600))

	got := simulate("", "investigate", "audit.log")
	assert.Zero(t, got.code, got.stderr)
	assert.Contains(t, got.stdout, "when the API server refused, failed or was slow, by the requests about all locks:")
	assert.Regexp(t, `2026-03-01 12:01:40\.000 +29s +outage +60 +60 +2 +all\n`, got.stdout)

	alone := strings.ReplaceAll(log.String(), `"sourceIPs":["10.0.0.1"],"user":{"username":"u"},"objectRef":{"resource":"leases","namespace":"shop","name":"two"`,
		`"sourceIPs":["10.0.0.2"],"user":{"username":"u"},"objectRef":{"resource":"leases","namespace":"shop","name":"two"`)
	lines := strings.SplitAfter(alone, "\n")
	for i := range lines {
		if strings.Contains(lines[i], "10.0.0.2") {
			lines[i] = strings.Replace(lines[i], `"code":503`, `"code":200`, 1)
		}
	}
	require.NoError(t, os.WriteFile("alone.log", []byte(strings.Join(lines, "")), 0o600))
	got = simulate("", "investigate", "alone.log", "--behaviour", "alone.yaml")
	assert.Regexp(t, `2026-03-01 12:01:40\.000 +29s +outage +30 +30 +1 +10\.0\.0\.1 alone\n`, got.stdout)
	assert.Contains(t, simulate("", "investigate", "alone.log", "-o", "json").stdout, `"failed":30,"locks":1,"of":{"address":"10.0.0.1","userAgent":"manager/v1 (linux/amd64) kubernetes/abc"}`)
	usual, err := os.ReadFile("alone.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(usual), "{kind: outage, on: one, every: 6m38s, lasts: {samples: [29s]}}")

	got = simulate("", "investigate", "audit.log", "--lock", "shop/one")
	assert.Regexp(t, `manager-a_1 +none logged +200 +170 +0 +30 `, got.stdout)
	assert.Contains(t, simulate("", "investigate", "audit.log", "-o", "markdown").stdout, "| 2026-03-01 12:01:40.000 | 29s | outage | 60 | 60 | 2 | all |")

	var answer struct {
		Verdict string
		Outages []struct {
			Kind             string
			Requests, Failed int
		}
		Locks []struct {
			Name      string
			Processes []struct {
				Name     string
				Failed   int
				Requests []struct{ Status int }
			}
		}
		Sources []any
	}
	require.NoError(t, json.Unmarshal([]byte(simulate("", "investigate", "audit.log", "-o", "json").stdout), &answer))
	require.Len(t, answer.Outages, 1)
	assert.Equal(t, "outage", answer.Outages[0].Kind)
	require.Len(t, answer.Locks, 2)
	require.Len(t, answer.Locks[1].Processes, 1)
	assert.Len(t, answer.Locks[1].Processes[0].Requests, 200)
	assert.Len(t, answer.Sources, 1)
}
