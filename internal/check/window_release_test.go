package check

import (
	"testing"

	"interregnum/internal/trace"
)

func TestSafetyWindowOfReleases(t *testing.T) { runScripts(t, SafetyWindow, windowsOfReleases) }

// TestSafetyWindowBeforeARelease: c, whose clock is fast, takes the lock after the window of a, and releases it. By b's clock the window of a is longer, but b
// has the lock from c.
func TestSafetyWindowBeforeARelease(t *testing.T) {
	fast := func(h *trace.Header) { h.Candidates[2].DriftPPM = 250_000 }
	const before = `
		0s a creates holder=a v=1
		0s a works
		10s a cancelled
		10s a ended`
	const taken = before + `
		12s c updates holder=c v=2 base=1
		12s c works
		13s c cancelled
		13s c ended`
	runScripts(t, SafetyWindow, []script{
		{name: "released", edit: fast, text: taken + `
			13s c updates v=3 base=2
			14s b updates holder=b v=4 base=3
			14s b works`},
		{name: "not released", edit: fast, text: taken + `
			14s b updates holder=b v=3 base=2
			14s b works`,
			want: []string{"14s..15s a b", "14s..18s c b"}},
		{name: "released by one that came too soon", edit: fast, text: before + `
			11s c updates holder=c v=2 base=1
			11s c works
			13s c cancelled
			13s c ended
			13s c updates v=3 base=2
			14s b updates holder=b v=4 base=3
			14s b works`,
			want: []string{"11s..12s a c", "14s..15s a b"}},
	})
}

// TestSafetyWindowCoordinated: c is the coordinator, which marks a lease to be given up, and names holders.
func TestSafetyWindowCoordinated(t *testing.T) {
	coordinated := func(h *trace.Header) { h.Candidates[2].Coordinator = true }
	const renewed = `
		0s c creates holder=a v=1
		0s a updates holder=a v=2 base=1
		0s a works
		8s c updates holder=a v=3 base=2
		8.5s c updates holder=a v=4 base=3`
	runScripts(t, SafetyWindow, []script{
		{name: "marked, then released", edit: coordinated, text: renewed + `
			9s a updates v=5 base=4
			9s a cancelled
			9.1s c updates holder=b v=6 base=5
			9.5s b works`},
		{name: "the coordinator has named another, whose record is wiped", edit: coordinated, text: renewed + `
			9s c updates holder=b v=5 base=4
			9.1s a updates v=6 base=5
			9.2s a cancelled
			9.5s b works`,
			want: []string{"9.5s..14.2s a b"}},
		{name: "marked, and not released", edit: coordinated, text: renewed + `
			9s a cancelled
			9.1s c updates holder=b v=5 base=4
			9.5s b works`,
			want: []string{"9.5s..14s a b"}},
	})
}

var windowsOfReleases = []script{
	{name: "released, then cancelled", text: `
		0s a creates holder=a v=1
		0s a works
		9s a updates v=2 base=1
		9.5s b updates holder=b v=3 base=2
		9.5s b works
		10s a cancelled
		10s a ended`},
	{name: "cancelled, then released", text: `
		0s a creates holder=a v=1
		0s a works
		9s a cancelled
		9s a ended
		10s a updates v=2 base=1
		11s b updates holder=b v=3 base=2
		11s b works`},
	{name: "another started before the release", text: `
		0s a creates holder=a v=1
		0s a works
		9s a cancelled
		9.5s b works
		10s a updates v=2 base=1
		11s c works`,
		want: []string{"9.5s..14s a b"}},
	{name: "a release counts for one term", text: `
		0s a creates holder=a v=1
		0s a works
		9s a updates v=2 base=1
		9s a cancelled
		9s a ended
		10s a updates holder=a v=3 base=2
		10s a works
		11s a cancelled
		12s b works`,
		want: []string{"12s..16s a b"}},
	{name: "a release that wiped a successor's record is none of its own", text: `
		0s a creates holder=a v=1
		0s a works
		9s b updates holder=b v=2 base=1
		9.2s b works
		9.5s a updates v=3 base=2
		10s a cancelled
		10s a ended
		11s c updates holder=c v=4 base=3
		11s c works
		12s b cancelled
		12s b ended`,
		want: []string{"10s..15s a b", "11s..15s a c", "12s..17s b c"}},
	{name: "a release of what was deleted meanwhile", text: `
		0s a creates holder=a v=1
		0s a works
		9s - deletes
		9.1s b creates holder=b v=3
		9.2s b works
		9.3s a updates v=4 base=3
		10s a cancelled`,
		want: []string{"10s..15s a b"}},
	{name: "another's release", text: `
		0s b creates holder=b v=1
		0s a works
		9s b updates v=2 base=1
		10s a cancelled
		11s c works`,
		want: []string{"11s..15s a c"}},
	{name: "a renewal is no release", text: `
		0s a creates holder=a v=1
		0s a works
		9s a updates holder=a v=2 base=1
		10s a cancelled
		11s b works`,
		want: []string{"11s..15s a b"}},
	{name: "deleted: another takes over at once", text: `
		0s a creates holder=a v=1
		0s a works
		5s - deletes
		6s b creates holder=b v=3
		6s b works
		10s a cancelled
		10s a ended
		11s b cancelled`,
		want: []string{"10s..15s a b"}},
	{name: "deleted by others is not released", text: `
		0s a creates holder=a v=1
		0s a works
		5s a cancelled
		6s - deletes
		7s b creates holder=b v=3
		7s b works`,
		want: []string{"7s..10s a b"}},
}
