package elector

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
)

// FuzzRecord: whatever another program leaves in the record, a candidate neither panics nor waits for less than no time, and
// what it writes can be written.
func FuzzRecord(f *testing.F) {
	for _, seed := range []string{
		`{"holderIdentity":"b","leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00Z","renewTime":"2026-01-01T00:00:00Z"}`,
		`{"holderIdentity":"b","leaseDurationSeconds":9223372036854775807,"renewTime":"9999-12-31T23:59:59Z","leaderTransitions":-1}`,
		`{"holderIdentity":"a","leaseDurationSeconds":-9223372036854775808,"renewTime":"0001-01-02T00:00:00Z","leaderTransitions":9223372036854775807}`,
		`{"strategy":"OldestEmulationVersion","preferredHolder":"a","leaseDurationSeconds":1}`, `{}`,
	} {
		f.Add([]byte(seed), uint32(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, seconds uint32) {
		var found resourcelock.LeaderElectionRecord
		if json.Unmarshal(text, &found) != nil {
			return
		}
		for _, profile := range machine.Profiles() {
			faces(t, &found, profile, time.Duration(seconds)*time.Second)
		}
	})
}

// faces has a candidate of a profile find the record again and again.
func faces(t *testing.T, found *resourcelock.LeaderElectionRecord, profile machine.Profile, step time.Duration) {
	m := machine.New(machine.Config{
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		},
		Identity: "a", ReleaseOnCancel: true, Profile: profile,
	})
	record := fromLock(found)
	raw, err := json.Marshal(found)
	if err != nil {
		return // a year that has no form
	}
	now := machine.Now{Wall: machine.WallOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}
	inputs := []machine.Input{{Kind: machine.Started}}
	for n := 0; n < 200 && len(inputs) > 0; n++ {
		in := inputs[0]
		inputs = inputs[1:]
		now.Mono, now.Wall = now.Mono+machine.Mono(step), now.Wall+machine.Wall(step)
		for _, o := range m.Step(now, &in, nil) {
			switch o.Kind {
			case machine.Send:
				response := machine.Response{ID: o.Request.ID, Outcome: machine.Done}
				if o.Request.Verb == machine.Get {
					response.Record, response.Raw = &record, slices.Clone(raw)
				} else {
					_, err := json.Marshal(toLock(&o.Request.Record))
					require.NoError(t, err, "%+v", o.Request.Record)
				}
				inputs = append(inputs, machine.Input{Kind: machine.Responded, Response: response})
			case machine.SetTimer:
				require.GreaterOrEqual(t, o.Due(0.5), o.At, "%+v", o)
				if o.Timer != machine.Deadline {
					inputs = append(inputs, machine.Input{Kind: machine.Fired, Timer: o.Timer})
				}
			}
		}
	}
}
