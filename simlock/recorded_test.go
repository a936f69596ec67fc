package simlock

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// TestRecordedAnswers replays, in order, what a real kube-apiserver was asked, and compares what it answered.
func TestRecordedAnswers(t *testing.T) {
	p := newReplay()
	replayed, skipped := 0, map[string]int{}
	operations := readRecording(t)
	for i := range operations {
		o := &operations[i]
		q, why := o.decode()
		if why == "" && p.foreign[q.body.Metadata.ResourceVersion] {
			why = builtOnOthers
		}
		if why != "" {
			skipped[why]++
			p.skip(o)
			continue
		}
		replayed++
		t.Run(o.Name, func(t *testing.T) { p.compare(t, o, &q) })
	}
	assert.Equal(t, 110, len(operations))
	assert.Equal(t, 51, replayed)
	assert.Equal(t, map[string]int{
		otherResource: 7, queried: 8, noRight: 6, otherMethod: 6, noBody: 6, noLease: 10, badName: 5,
		preconditions: 2, incomplete: 3, moreFields: 5, builtOnOthers: 1,
	}, skipped, "what is not replayed, by the first reason that applies")
	assert.Positive(t, p.gaps, "the cost of a write and of a delete in versions was compared")
}

// replay knows what stands for what: recorded uids and versions, and ours.
type replay struct {
	store         Store
	uids, vers    *pairs
	foreign       map[string]bool
	known         map[string]string // the recorded version of each object
	version, ours uint64            // after the last write that was replayed
	clean         bool              // nothing that is not replayed was written since
	gaps          int
}

func newReplay() *replay {
	return &replay{uids: newPairs(), vers: newPairs(), foreign: map[string]bool{}, known: map[string]string{}}
}

// skip takes note of a version that the store cannot know of.
func (p *replay) skip(o *recorded) {
	if o.Method == http.MethodGet || o.Status >= 300 {
		return
	}
	p.clean = false
	var b leaseBody
	if json.Unmarshal(o.Response, &b) == nil && b.Metadata.ResourceVersion != "" {
		p.foreign[b.Metadata.ResourceVersion] = true
	}
}

func (p *replay) compare(t *testing.T, o *recorded, q *request) {
	if o.Method == http.MethodDelete {
		assert.Equal(t, o.Status == http.StatusOK, p.store.Delete(q.name))
		delete(p.known, q.name)
		return
	}
	verb := map[string]machine.Verb{"GET": machine.Get, "POST": machine.Create, "PUT": machine.Update}[o.Method]
	got := p.store.Apply(&Op{
		Verb: verb, Key: q.name, Record: q.record,
		UID: p.uids.ours(q.body.Metadata.UID), Version: p.vers.ours(q.body.Metadata.ResourceVersion),
	})
	require.Equal(t, o.Status, got.Status)
	if o.Status >= 300 {
		assert.Equal(t, Result{Status: o.Status}, got, "an error brings no object and is no write")
		return
	}
	var want leaseBody
	require.NoError(t, json.Unmarshal(o.Response, &want))
	p.uids.match(t, "uid", want.Metadata.UID, got.UID)
	p.vers.match(t, "resourceVersion", want.Metadata.ResourceVersion, got.Version)
	changed := want.Metadata.ResourceVersion != p.known[q.name]
	p.known[q.name] = want.Metadata.ResourceVersion
	assert.Equal(t, changed && verb != machine.Get, got.Changed, "whether the resourceVersion changed")
	assert.Equal(t, answeredRecord(t, &want), got.Record)
	if got.Changed {
		p.grown(t, number(t, want.Metadata.ResourceVersion), got.Version)
	}
}

// grown compares by how much a write moved the one counter, deletes before it included.
func (p *replay) grown(t *testing.T, version, ours uint64) {
	assert.Greater(t, version, p.version)
	assert.Greater(t, ours, p.ours)
	if p.clean {
		p.gaps++
		assert.Equal(t, version-p.version, ours-p.ours, "versions used up since the write before")
	}
	p.version, p.ours, p.clean = version, ours, true
}

// answeredRecord is the record of an answer, in which a time may be absent.
func answeredRecord(t *testing.T, b *leaseBody) machine.Record {
	var s leaseSpec
	require.NoError(t, json.Unmarshal(b.Spec, &s))
	r, why := s.record()
	require.Empty(t, why)
	return r
}

func number(t *testing.T, text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err)
	return n
}

// pairs maps recorded names to our numbers, one to one, by first occurrence.
type pairs struct {
	forth map[string]uint64
	back  map[uint64]string
}

func newPairs() *pairs { return &pairs{forth: map[string]uint64{}, back: map[uint64]string{}} }

// ours returns the number for a recorded name, 0 for none. A name that the server has not given gets a number that
// nothing has.
func (p *pairs) ours(name string) uint64 {
	switch n, ok := p.forth[name]; {
	case ok:
		return n
	case name == "" || name == "0":
		return 0
	}
	return math.MaxUint64
}

func (p *pairs) match(t *testing.T, what, name string, n uint64) {
	if _, ok := p.forth[name]; !ok && p.back[n] == "" {
		p.forth[name], p.back[n] = n, name
	}
	assert.Equal(t, p.forth[name], n, "%s %s stands for one of ours", what, name)
	assert.Equal(t, p.back[n], name, "our %s %d stands for one of theirs", what, n)
}
