package check

import "testing"

func TestSingleRecord(t *testing.T) { runScripts(t, SingleRecord, records) }

var records = []script{
	{name: "created, renewed, taken over, released", text: `
		1s a creates holder=a v=1
		2s a updates holder=a v=2 base=1
		3s b updates holder=b v=5 base=2
		4s b updates v=6 base=5
		5s c updates holder=c v=7 base=6`},
	{name: "deleted, and created again", text: `
		1s a creates holder=a v=1
		2s - deletes
		3s b creates holder=b v=3
		4s b updates holder=b v=4 base=3`},
	{name: "refused and read is not written", text: `
		1s a creates holder=a v=1
		2s b refused holder=b v=9 base=7
		3s a updates holder=a v=2 base=1`},
	{name: "a stale update wins", text: `
		1s a creates holder=a v=1
		2s b updates holder=b v=2 base=1
		3s c updates holder=c v=3 base=1`,
		want: []string{"3s..3s c"}},
	{name: "no condition", text: `
		1s a creates holder=a v=1
		2s b updates holder=b v=2`,
		want: []string{"2s..2s b"}},
	{name: "a condition on what is yet to come", text: `
		1s a creates holder=a v=1
		2s b updates holder=b v=2 base=2
		3s b updates holder=b v=3 base=2`,
		want: []string{"2s..2s b"}},
	{name: "created over one that exists", text: `
		1s a creates holder=a v=1
		2s b creates holder=b v=2
		3s a updates holder=a v=3 base=1
		4s b updates holder=b v=4 base=3`,
		want: []string{"2s..2s b", "3s..3s a"}},
	{name: "updated after a delete", text: `
		1s a creates holder=a v=1
		2s - deletes
		3s a updates holder=a v=3 base=1`,
		want: []string{"3s..3s a"}},
	{name: "two deletes", text: `
		1s - deletes
		2s a creates holder=a v=3
		3s - deletes
		4s - deletes
		5s b creates holder=b v=6`},
	{name: "the version stands still", text: `
		1s a creates holder=a v=5
		2s b updates holder=b v=5 base=5`,
		want: []string{"2s..2s b"}},
	{name: "the version falls", text: `
		1s a creates holder=a v=5
		2s - deletes
		3s b creates holder=b v=4`,
		want: []string{"3s..3s b"}},
	{name: "a release wipes what it has not read", text: `
		1s a creates holder=a v=1
		2s b updates holder=b v=2 base=1
		3s a updates v=3 base=1`,
		want: []string{"3s..3s a"}},
}
