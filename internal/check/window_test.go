package check

import (
	"testing"
	"time"

	"interregnum/internal/trace"
)

// comparesSeconds has b compare whole seconds; c stays exact.
func comparesSeconds(h *trace.Header) { h.Candidates[1].ComparesSeconds = true }

func drifts(a, b int64) func(*trace.Header) {
	return func(h *trace.Header) { h.Candidates[0].DriftPPM, h.Candidates[1].DriftPPM = a, b }
}

// The window of every candidate is 15 s - 10 s.
func TestSafetyWindow(t *testing.T) { runScripts(t, SafetyWindow, windows) }

var windows = []script{
	{name: "exactly the window", text: `
		0s a works
		10s a cancelled
		10s a ended
		15s b works`},
	{name: "a nanosecond less", text: `
		0s a works
		10s a cancelled
		10s a ended
		14.999999999s b works`,
		want: []string{"14.999999999s..15s a b"}},
	{name: "at the instant of the cancel", text: `
		0s a works
		10s a cancelled
		10s a ended
		10s b works`,
		want: []string{"10s..15s a b"}},
	{name: "the cancel counts, not the end of the work", text: `
		0s a works
		10s a cancelled
		14s a ended
		15s b works`},
	{name: "two others start in it, and one after it", text: `
		0s a works
		10s a cancelled
		11s b works
		12s c works
		20s c works`,
		want: []string{"11s..15s a b", "12s..15s a c"}},
	{name: "its own next term", text: `
		0s a works
		10s a cancelled
		10s a ended
		11s a works
		12s a cancelled
		12s a ended
		17s b works`},
	{name: "of several pieces of work the last one counts", text: `
		0s a works
		1s a cancelled
		1s a ended
		2s a works
		3s a cancelled
		3s a ended
		4s b works`,
		want: []string{"4s..8s a b"}},
	{name: "its own next term has a window of its own", text: `
		0s a works
		10s a cancelled
		10s a ended
		11s a works
		12s a cancelled
		12s a ended
		16s b works`,
		want: []string{"16s..17s a b"}},
	{name: "another's work is running", text: `
		0s a works
		5s b works
		10s a cancelled
		10s a ended`,
		want: []string{"10s..15s a b"}},
	{name: "the works of two others are running", text: `
		0s a works
		5s b works
		5s c works
		10s a cancelled`,
		want: []string{"10s..15s a b", "10s..15s a c"}},
	{name: "another's work drains", text: `
		0s a works
		5s b works
		6s b cancelled
		10s a cancelled
		10s a ended
		11s b ended`,
		want: []string{"6s..11s b a", "10s..15s a b"}},
	{name: "another's work ended at that instant", text: `
		0s a works
		5s b works
		9s b crashes
		9s b cancelled
		9s b ended
		9s a cancelled`,
		want: []string{"9s..14s a b"}},
	{name: "another's work began meanwhile, and has ended", text: `
		0s a works
		5s b works
		7s b crashes
		7s b cancelled
		7s b ended
		10s a cancelled
		10s a ended`,
		want: []string{"10s..15s a b"}},
	{name: "another's two works began meanwhile, and a third one's", text: `
		0s a works
		5s b works
		6s c works
		7s b crashes
		7s b cancelled
		7s b ended
		8s b#2 works
		9s b#2 crashes
		9s b#2 cancelled
		9s b#2 ended
		10s a cancelled
		10s a ended
		99s c crashes
		99s c cancelled`,
		want: []string{"10s..15s a b", "10s..15s a c"}},
	{name: "another's work began before, and has ended", text: `
		0s b works
		5s a works
		7s b crashes
		7s b cancelled
		7s b ended
		10s a cancelled
		10s a ended`},
	{name: "open at the horizon", text: `
		0s a works
		99s a cancelled
		99.9s b works`,
		want: []string{"1m39.9s..1m44s a b"}},
}

func TestSafetyWindowOfCrashes(t *testing.T) {
	runScripts(t, SafetyWindow, []script{
		{name: "a crash cancels", text: `
			0s a works
			10s a crashes
			10s a cancelled
			10s a ended
			10s b works`},
		{name: "cancelled, then crashed at the same instant", text: `
			0s a works
			10s a cancelled
			10s a crashes
			10s a ended
			10s b works`,
			want: []string{"10s..15s a b"}},
		{name: "cancelled, then crashed while it drains", text: `
			0s a works
			10s a cancelled
			11s a crashes
			11s a ended
			12s b works`,
			want: []string{"12s..15s a b"}},
		{name: "an earlier incarnation crashed", text: `
			0s a works
			10s a crashes
			10s a cancelled
			10s a ended
			10s a#2 works
			10s a#2 cancelled
			11s b works`,
			want: []string{"11s..15s a b"}},
		{name: "another crashed", text: `
			0s a works
			10s b crashes
			10s a cancelled
			11s c works`,
			want: []string{"11s..15s a c"}},
		{name: "what runs beside a crash is not asked about", text: `
			0s a works
			5s b works
			10s a crashes
			10s a cancelled
			10s a ended`},
	})
}

func TestSafetyWindowOfFollowers(t *testing.T) {
	const text = `
		0s a works
		10s a cancelled
		10s a ended
		`
	runScripts(t, SafetyWindow, []script{
		{name: "whole seconds: exactly a second less", edit: comparesSeconds, text: text + `
			14s b works`},
		{name: "whole seconds: a nanosecond less than that", edit: comparesSeconds, text: text + `
			13.999999999s b works`,
			want: []string{"13.999999999s..14s a b"}},
		{name: "an exact follower has no such second", edit: comparesSeconds, text: text + `
			14s c works`,
			want: []string{"14s..15s a c"}},
		{name: "one of each", edit: comparesSeconds, text: text + `
			14.5s b works
			14.6s c works`,
			want: []string{"14.6s..15s a c"}},
		{name: "it is the follower's comparison that counts", text: text + `
			14s b works`,
			edit: func(h *trace.Header) { h.Candidates[0].ComparesSeconds = true },
			want: []string{"14s..15s a b"}},
		{name: "a window below a second", edit: func(h *trace.Header) {
			comparesSeconds(h)
			h.Candidates[0].RenewDeadline = 14500 * time.Millisecond
		}, text: text + `
			10s b works`},
		{name: "its own timings, not another's", edit: func(h *trace.Header) {
			h.Candidates[0].LeaseDuration, h.Candidates[0].RenewDeadline = 60*time.Second, 20*time.Second
		}, text: text + `
			49s b works`,
			want: []string{"49s..50s a b"}},
		{name: "no window at all", edit: func(h *trace.Header) {
			h.Candidates[0].RenewDeadline = 20 * time.Second
		}, text: text + `
			10s b works`},
		{name: "no window at all, and another's work is running", edit: func(h *trace.Header) {
			h.Candidates[0].RenewDeadline = 20 * time.Second
		}, text: `
			0s a works
			5s b works
			10s a cancelled`,
			want: []string{"10s..10s a b"}},
	})
}
