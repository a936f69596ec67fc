package elector_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"interregnum/elector/ttl"
)

// memory is a key that expires by the bubble's clock.
type memory struct {
	mu      sync.Mutex
	owner   *memoryOwner
	entry   ttl.Entry
	expires time.Time
	tokens  uint64
	// changed is closed with the next change.
	changed chan struct{}
}

// memoryOwner is what a memoryLock has made entries as since it last released.
type memoryOwner struct{ _ int }

// memoryLock is a candidate's access to it.
type memoryLock struct {
	*memory
	identity string
	ttl      time.Duration
	own      *memoryOwner
	token    uint64
	seen     <-chan struct{}
	// before is called before each call is carried out, and after after: an error of either is the call's. All optional.
	before, after func(ctx context.Context, verb string) error
	// unwatchable: Watch says so. deaf: a watch never tells of anything.
	unwatchable, deaf bool
}

var _ ttl.Lock = (*memoryLock)(nil)

func (m *memory) lock(identity string) *memoryLock {
	return &memoryLock{memory: m, identity: identity, ttl: 15 * time.Second, own: new(memoryOwner)}
}

// change notes a change. The caller has the mutex.
func (m *memory) change() {
	if m.changed != nil {
		close(m.changed)
	}
	m.changed = make(chan struct{})
}

// unexpired is whether there is an entry. The caller has the mutex.
func (m *memory) unexpired() bool {
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	if m.owner != nil && !time.Now().Before(m.expires) {
		m.owner = nil
		m.change()
	}
	return m.owner != nil
}

// remove is a hand that deletes the key.
func (m *memory) remove() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.owner = nil
	m.change()
}

func (l *memoryLock) do(
	ctx context.Context, verb string, act func() (ttl.Entry, error),
) (entry ttl.Entry, err error) {
	if l.before != nil {
		if err := l.before(ctx, verb); err != nil {
			return ttl.Entry{}, err
		}
	}
	entry, err = l.apply(act)
	if l.after != nil {
		if failed := l.after(ctx, verb); failed != nil {
			l.token = 0
			return ttl.Entry{}, failed
		}
	}
	return entry, err
}

func (l *memoryLock) apply(act func() (ttl.Entry, error)) (ttl.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.seen = l.changed }()
	return act()
}

func (l *memoryLock) Get(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "get", func() (ttl.Entry, error) {
		if !l.unexpired() {
			return ttl.Entry{}, ttl.ErrAbsent
		}
		return l.entry, nil
	})
}

func (l *memoryLock) Create(ctx context.Context) (ttl.Entry, error) {
	l.token = 0
	return l.do(ctx, "create", l.make)
}

func (l *memoryLock) Replace(ctx context.Context) (ttl.Entry, error) {
	l.token = 0
	return l.do(ctx, "replace", l.make)
}

func (l *memoryLock) make() (ttl.Entry, error) {
	if l.unexpired() {
		return ttl.Entry{}, ttl.ErrTaken
	}
	l.tokens++
	l.owner, l.entry = l.own, ttl.Entry{Holder: l.identity, Token: l.tokens}
	l.change()
	return l.prolong(), nil
}

func (l *memoryLock) prolong() ttl.Entry {
	l.expires, l.token = time.Now().Add(l.ttl), l.entry.Token
	changed := l.changed
	time.AfterFunc(l.ttl, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.changed == changed {
			l.unexpired()
		}
	})
	return l.entry
}

func (l *memoryLock) mine(own *memoryOwner) bool {
	return l.unexpired() && l.owner == own && (l.token == 0 || l.token == l.entry.Token)
}

func (l *memoryLock) Refresh(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "refresh", func() (ttl.Entry, error) {
		if !l.mine(l.own) {
			return ttl.Entry{}, ttl.ErrLost
		}
		return l.prolong(), nil
	})
}

func (l *memoryLock) Release(ctx context.Context) error {
	own := l.own
	l.own = new(memoryOwner)
	_, err := l.do(ctx, "release", func() (ttl.Entry, error) {
		if !l.mine(own) {
			return ttl.Entry{}, ttl.ErrLost
		}
		l.memory.owner = nil
		l.change()
		return ttl.Entry{}, nil
	})
	l.token = 0
	return err
}

func (l *memoryLock) Watch(ctx context.Context) (<-chan struct{}, error) {
	if l.before != nil {
		if err := l.before(ctx, "watch"); err != nil {
			return nil, err
		}
	}
	switch {
	case l.unwatchable:
		return nil, ttl.ErrNoWatch
	case l.deaf:
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen, nil
}

func (l *memoryLock) Identity() string   { return l.identity }
func (l *memoryLock) TTL() time.Duration { return l.ttl }
func (l *memoryLock) Describe() string   { return "memory, by the bubble's clock" }

var errUnavailable = errors.New("unavailable")
