package elector_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sort"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
)

const me = "me"

// journal is what a candidate did, as seen from outside. What goroutines of their own do has no
// order among what happens at the same instant, and is sorted.
type journal struct {
	mu          sync.Mutex
	start       time.Time
	sync, aside []string
	who         candidate
}

func (j *journal) stamp(format string, args ...any) string {
	return fmt.Sprintf("%15d ", time.Since(j.start)) + fmt.Sprintf(format, args...)
}

func (j *journal) log(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sync = append(j.sync, j.stamp(format, args...))
}

func (j *journal) logAside(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.aside = append(j.aside, j.stamp(format, args...))
}

func (j *journal) lines() []string {
	sort.Strings(j.aside)
	return append(append([]string{}, j.sync...), j.aside...)
}

func contextState(ctx context.Context) string {
	deadline := "none"
	if d, ok := ctx.Deadline(); ok {
		deadline = fmt.Sprint(time.Until(d).Nanoseconds())
	}
	return fmt.Sprintf("ctx(err %v, cause %v, deadline %s)", ctx.Err(), context.Cause(ctx), deadline)
}

func show(r *rl.LeaderElectionRecord) string {
	if r == nil {
		return "none"
	}
	return fmt.Sprintf("{%q %ds acquire %d renew %d transitions %d %s %s}", r.HolderIdentity,
		r.LeaseDurationSeconds, r.AcquireTime.UnixNano(), r.RenewTime.UnixNano(), r.LeaderTransitions,
		r.Strategy, r.PreferredHolder)
}

// scriptedLock is a lock with compare-and-swap that does what its script says.
type scriptedLock struct {
	s *script
	j *journal

	calls, others int
	stored        *rl.LeaderElectionRecord
	version, have int
	inFlight      int
}

var _ rl.Interface = (*scriptedLock)(nil)

var leases = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}

func (l *scriptedLock) Identity() string { return me }
func (l *scriptedLock) Describe() string { return "scripted" }

func (l *scriptedLock) RecordEvent(text string) {
	l.exclusive(func() {
		l.j.log("event %q leader %q", text, l.j.who.GetLeader())
		if text == "stopped leading" {
			time.Sleep(l.s.StoppedEvent)
		}
		if text == l.s.EventPanics {
			panic("scripted event")
		}
	})
}

func (l *scriptedLock) Get(ctx context.Context) (got *rl.LeaderElectionRecord, raw []byte, err error) {
	err = l.call(ctx, "get", nil, func() error {
		if l.stored == nil {
			return apierrors.NewNotFound(leases, "scripted")
		}
		record := *l.stored
		got, l.have = &record, l.version
		switch l.s.Raw {
		case rawJSON:
			raw, _ = json.Marshal(record)
		case rawVersion:
			raw = fmt.Append(nil, l.version)
		}
		return nil
	})
	return got, raw, err
}

func (l *scriptedLock) Create(ctx context.Context, r rl.LeaderElectionRecord) error {
	return l.call(ctx, "create", &r, func() error {
		if l.stored != nil {
			return apierrors.NewAlreadyExists(leases, "scripted")
		}
		l.write(&r)
		l.have = l.version
		return nil
	})
}

func (l *scriptedLock) Update(ctx context.Context, r rl.LeaderElectionRecord) error {
	return l.call(ctx, "update", &r, func() error {
		if l.have == 0 {
			return errors.New("nothing to update")
		}
		if l.stored == nil || l.have != l.version {
			return apierrors.NewConflict(leases, "scripted", errors.New("changed"))
		}
		l.write(&r)
		l.have = l.version
		return nil
	})
}

func (l *scriptedLock) write(r *rl.LeaderElectionRecord) {
	record := *r
	l.stored = &record
	l.version++
}

// exclusive fails where a lock is used by two goroutines at a time.
func (l *scriptedLock) exclusive(f func()) {
	l.inFlight++
	defer func() { l.inFlight-- }()
	if l.inFlight != 1 {
		panic("the lock is in use already")
	}
	f()
}

func (l *scriptedLock) call(
	ctx context.Context, verb string, r *rl.LeaderElectionRecord, apply func() error,
) (err error) {
	l.exclusive(func() { err = l.scripted(ctx, verb, r, apply) })
	return err
}

func (l *scriptedLock) scripted(
	ctx context.Context, verb string, r *rl.LeaderElectionRecord, apply func() error,
) (err error) {
	plan := l.s.Calls[l.calls%len(l.s.Calls)]
	l.calls++
	n, j := l.calls, l.j
	j.log("call %d %s %s %s leader %q %v", n, verb, show(r), contextState(ctx),
		j.who.GetLeader(), j.who.IsLeader())
	defer func() { j.log("call %d ends: %v %s", n, err, contextState(ctx)) }()
	if err := l.sleep(ctx, plan.Out, plan.Heeds); err != nil {
		return err
	}
	l.catchUp()
	result := l.result(&plan, apply)
	if err := l.sleep(ctx, plan.Back, plan.Heeds); err != nil {
		return err
	}
	return result
}

func (l *scriptedLock) result(plan *callPlan, apply func() error) error {
	if plan.End == endAnswer {
		return apply()
	}
	if plan.Applied {
		_ = apply()
	}
	switch plan.End {
	case endPanic:
		panic("scripted panic")
	case endGoexit:
		runtime.Goexit()
	case endNotFound:
		return apierrors.NewNotFound(leases, "scripted")
	case endConflict:
		return apierrors.NewConflict(leases, "scripted", errors.New("scripted"))
	}
	return errors.New("scripted error")
}

func (l *scriptedLock) sleep(ctx context.Context, d time.Duration, heeds bool) error {
	if !heeds {
		time.Sleep(d)
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if d == 0 {
		return nil
	}
	// By way of a derived context, as an HTTP client does.
	child, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-child.Done():
		return child.Err()
	}
}

// catchUp does what others have written up to now.
func (l *scriptedLock) catchUp() {
	now := time.Since(l.j.start)
	for l.others < len(l.s.Others) && l.s.Others[l.others].At <= now {
		o := &l.s.Others[l.others]
		if o.Delete {
			l.stored = nil
			l.others++
			continue
		}
		at := metav1.NewTime(l.j.start.Add(o.At))
		l.write(&rl.LeaderElectionRecord{
			HolderIdentity: o.Holder, LeaseDurationSeconds: o.Seconds, AcquireTime: at, RenewTime: at,
			LeaderTransitions: l.version, Strategy: "OldestEmulationVersion", PreferredHolder: o.Preferred,
		})
		if o.Renewals == 0 {
			l.others++
			continue
		}
		o.Renewals--
		o.At += o.Every
	}
}
