package simlock

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// service answers a request. Status 0 is no answer.
type service func(verb machine.Verb, o Object, uid, version uint64, r machine.Record) Result

// plainLock is a lock on one object as a program has it: calls that block, and an object kept between them.
type plainLock struct {
	object Object
	// kept is the object that the last answer brought. It is empty if that answer was an error, and nil at first.
	kept *Result
}

func (l *plainLock) get(ask service) (r Result, status int) {
	r = ask(machine.Get, l.object, 0, 0, machine.Record{})
	if r.Status != 200 {
		l.kept = &Result{}
		return Result{}, r.Status
	}
	l.kept = &r
	return r, 200
}

func (l *plainLock) create(ask service, record machine.Record) int {
	r := ask(machine.Create, l.object, 0, 0, record)
	l.kept = &r
	if r.Status != 201 {
		l.kept = &Result{}
	}
	return r.Status
}

func (l *plainLock) update(ask service, record machine.Record) int {
	if l.kept == nil || l.kept.UID == 0 {
		return -1
	}
	r := ask(machine.Update, l.object, l.kept.UID, l.kept.Version, record)
	if r.Status == 200 || r.Status == 201 {
		l.kept = &r
	}
	return r.Status
}

// plainPair is a lock on two of them, written down from MultiLock of v0.20.15 as calls that block.
type plainPair struct {
	identity           string
	primary, secondary plainLock
}

func (p *plainPair) call(ask service, verb machine.Verb, record machine.Record) (status int, found string) {
	switch verb {
	case machine.Get:
		first, status := p.primary.get(ask)
		if status != 200 {
			return status, ""
		}
		second, status := p.secondary.get(ask)
		switch {
		case status == 404 && first.Record.Holder != p.identity:
			return 200, fmt.Sprintf("%s %d alone", first.Record.Holder, first.Record.Transitions)
		case status != 200:
			return status, ""
		case first.Record.Holder != second.Record.Holder:
			first.Record.Holder = "leaderelection.k8s.io/unknown"
		}
		return 200, fmt.Sprintf("%s %d", first.Record.Holder, first.Record.Transitions)
	case machine.Create:
		if status := p.primary.create(ask, record); status != 201 && status != 409 {
			return status, ""
		}
		return p.secondary.create(ask, record), ""
	}
	if status := p.primary.update(ask, record); status != 200 && status != 201 {
		return status, ""
	}
	if _, status := p.secondary.get(ask); status == 404 {
		return p.secondary.create(ask, record), ""
	}
	return p.secondary.update(ask, record), ""
}

func outcomeOf(status int) machine.Outcome {
	switch status {
	case 200, 201:
		return machine.Done
	case 404:
		return machine.NotFound
	case 409:
		return machine.Conflict
	}
	return machine.Failed
}

// TestPairIsThePlainOne: whatever two candidates call, and whatever becomes of single requests, a lock that is asked for
// one request after the other sends what a plain one sends, and says what that says.
func TestPairIsThePlainOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var stores [2]Store
		names := []string{"a", "b"}
		pairs := []*Pair{newPair("a"), newPair("b")}
		plain := []*plainPair{}
		for _, name := range names {
			plain = append(plain, &plainPair{
				identity: name, primary: plainLock{object: Endpoints}, secondary: plainLock{object: Lease},
			})
		}
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			who := rapid.IntRange(0, 1).Draw(t, "who")
			if rapid.IntRange(0, 9).Draw(t, "deletes") == 0 {
				key := rapid.SampledFrom([]string{"endpoints", "lease"}).Draw(t, "object")
				stores[0].Delete(key)
				stores[1].Delete(key)
			}
			verb := rapid.SampledFrom([]machine.Verb{machine.Get, machine.Get, machine.Create, machine.Update, machine.Update}).Draw(t, "verb")
			r := heldBy(rapid.SampledFrom([]string{names[who], names[who], ""}).Draw(t, "holder"))
			r.Transitions = int64(rapid.IntRange(0, 3).Draw(t, "transitions"))
			// fates says what becomes of each request: it is fine, an answer comes in place of it, or it is applied and
			// not answered.
			fates := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 0, 404, 409, 500, -1}), 3, 3).Draw(t, "fates")
			requests := func(s *Store, log *string) func(op *Op) Result {
				n := 0
				return func(op *Op) Result {
					*log += fmt.Sprintf("%v %v %d %d %+v; ", op.Verb, op.Object, op.UID, op.Version, op.Record)
					fate := fates[n]
					n++
					if fate > 0 {
						return Result{Status: fate}
					}
					result := s.Apply(op)
					if fate < 0 {
						return Result{}
					}
					return result
				}
			}
			var want, got string
			ask := requests(&stores[0], &want)
			status, found := plain[who].call(func(verb machine.Verb, o Object, uid, version uint64, r machine.Record) Result {
				return ask(&Op{Verb: verb, Object: o, Key: o.String(), UID: uid, Version: version, Record: r})
			}, verb, r)
			outcome := drive(pairs[who], verb, r, requests(&stores[1], &got))
			require.Equal(t, want, got)
			require.Equal(t, outcomeOf(status), outcome, got)
			if verb == machine.Get && outcome == machine.Done {
				record, _ := pairs[who].Found(nil)
				alone := ""
				if stores[1].objects["lease"] == nil || fates[1] == 404 {
					alone = " alone"
				}
				require.Equal(t, found, fmt.Sprintf("%s %d%s", record.Holder, record.Transitions, alone))
			}
		}
	})
}

// drive makes a call as a host does.
func drive(p *Pair, verb machine.Verb, r machine.Record, ask func(*Op) Result) machine.Outcome {
	var op Op
	if !p.Prepare(verb, &r, &op) {
		p.Failed(verb)
		return machine.Failed
	}
	for {
		result := ask(&op)
		if result.Status == 0 {
			p.Failed(op.Verb)
			return machine.Failed
		}
		if o := p.Answered(op.Verb, &result); o != 0 {
			return o
		}
		p.Next(&op)
	}
}
