package witness

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
	"interregnum/internal/few"
	"interregnum/internal/investigate"
)

// written is when the files were.
var written = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// told reads the logs of a simulated run as text, in the order in which its evidence has them: the witness' judge knows sources by it.
func told(t *testing.T, l *Logs) *evidence.Evidence {
	r := read.New(read.Options{})
	for _, f := range filesOf(l) {
		err := r.Read(read.File{Name: f.Name, Reader: strings.NewReader(f.Text), Modified: written})
		if strings.Contains(f.Text, "\n") && strings.TrimSpace(f.Text) != "" || err == nil {
			require.NoError(t, err, "%d %s", l.Run.Seed, f.Name)
			continue
		}
		require.ErrorContains(t, err, f.Name+": want an audit log", "an empty file, or half a line")
	}
	return r.Evidence()
}

// filesOf returns the files of a simulated run, in the order in which its evidence has them.
func filesOf(l *Logs) []File {
	sources := l.Evidence().Sources
	order := func(f File) int {
		i := slices.IndexFunc(sources, func(s evidence.Source) bool { return s.File == f.Name })
		if i < 0 {
			i = len(sources)
		}
		return i
	}
	files := l.Files()
	slices.SortStableFunc(files, func(a, b File) int { return order(a) - order(b) })
	return files
}

// requests are those of the evidence, without their places.
func requests(e *evidence.Evidence) (all []evidence.Request) {
	for _, q := range e.Requests {
		q.Place = evidence.Place{}
		all = append(all, q)
	}
	return all
}

// line is what a line says, and whose it is.
type line struct {
	file string
	at   time.Time
	step evidence.Step
	who  string
	lock evidence.Lock
}

// lines are those of the evidence, by file.
func lines(e *evidence.Evidence) (all []line) {
	for _, s := range e.Sayings {
		all = append(all, line{e.Sources[s.Source].File, s.At, s.Step, s.Identity, s.Lock})
	}
	slices.SortStableFunc(all, func(a, b line) int { return strings.Compare(a.file, b.file) })
	return all
}

// TestReadersFindAll: of logs that another hand writes as text from simulated runs the readers find what was written.
func TestReadersFindAll(t *testing.T) {
	found, named := 0, 0
	for seed := range uint64(300) {
		run, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(run, DrawHabits(run))
		want, got := l.Evidence(), told(t, l)
		wanted := requests(want)
		if seed%4 == 0 && len(wanted) > 0 {
			wanted = wanted[:len(wanted)-1] // the last line is half a line
		}
		if l.Lock().Resource == "leases" {
			require.Equal(t, wanted, requests(got), "seed %d", seed)
		}
		found += len(got.Requests)
		for i, w := range lines(want) {
			g := lines(got)[i]
			if g.lock == (evidence.Lock{}) {
				g.lock = w.lock // no line of this log names it
			} else {
				named++
			}
			require.Equal(t, w, g, "seed %d line %d", seed, i)
		}
		assert.Len(t, got.Snapshots, len(want.Snapshots))
		assert.Len(t, got.Notices, len(want.Notices))
	}
	assert.Greater(t, found, 3000)
	assert.Greater(t, named, 1000)
}

// TestStoriesOfText: what is concluded from the text is not wrong either, and as much is certain.
func TestStoriesOfText(t *testing.T) {
	var direct, text Counts
	for seed := range few.Else[uint64](100, 400) {
		run, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(run, DrawHabits(run))
		for counts, e := range map[*Counts]*evidence.Evidence{&direct: l.Evidence(), &text: told(t, l)} {
			s, err := investigate.Tell(e, l.Lock(), nil)
			if err != nil {
				continue
			}
			wrong, c := Judge(l, s)
			counts.Add(&c)
			assert.Empty(t, wrong, "seed %d", seed)
		}
	}
	assert.Positive(t, text.Whole.Certain)
	assert.InDelta(t, direct.Whole.Certain, text.Whole.Certain, 3)
}

// TestTurned: of logs with the newest line first what is concluded is not wrong either, and much is still certain.
func TestTurned(t *testing.T) {
	var turned Counts
	for seed := range uint64(400) {
		run, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(run, DrawHabits(run))
		r := read.New(read.Options{})
		for _, f := range filesOf(l) {
			lines := strings.Split(strings.TrimSpace(f.Text), "\n")
			if strings.HasPrefix(f.Name, "manager") {
				slices.Reverse(lines)
			}
			_ = r.Read(read.File{Name: f.Name, Reader: strings.NewReader(strings.Join(lines, "\n") + "\n"), Modified: written}) // some are empty
		}
		s, err := investigate.Tell(r.Evidence(), l.Lock(), nil)
		if err != nil {
			continue
		}
		wrong, c := Judge(l, s)
		turned.Add(&c)
		assert.Empty(t, wrong, "seed %d", seed)
	}
	assert.GreaterOrEqual(t, turned.Whole.Certain, 5)
}
