package service

import (
	"interregnum/internal/sim/clock"
	"interregnum/simlock"
)

// key is a key of the service and the watches on it.
type key struct {
	simlock.KeyStore
	// watchers are the messages of the watches that wait at the service for a change.
	watchers []int32
	// woken are those that the last Wake returned.
	woken []int32
	// looked is when the service next looks whether the entry has run out, or Never.
	looked clock.Instant
}

// Expire removes the entry of an election's key if its lease has run out by now, and tells whether it did so.
func (s *Service) Expire(now clock.Instant, election int32) bool {
	return s.keys[election].Expire(s.clock.Mono(now))
}

// Wait keeps the Watch in the message of that number at the service, until the election's key changes.
func (s *Service) Wait(election, watch int32) {
	k := &s.keys[election]
	k.watchers = append(k.watchers, watch)
}

// Wake returns the numbers of the messages whose Watch waits for a change of an election's key, and ends their wait. The
// result is good until the next call.
func (s *Service) Wake(election int32) []int32 {
	k := &s.keys[election]
	k.watchers, k.woken = k.woken[:0], k.watchers
	return k.woken
}

// LookAt returns when, in true time, the service is to check whether the entry of an election's key has run out. That check,
// which the caller schedules, replaces any other. wanted is false if there is no entry, or if another check is due no later.
func (s *Service) LookAt(election int32) (at clock.Instant, wanted bool) {
	k := &s.keys[election]
	expires, there := k.Expires()
	if !there {
		return 0, false
	}
	if at = s.clock.When(expires); at >= k.looked {
		return 0, false
	}
	k.looked = at
	return at, true
}

// Looks returns true if the check of an election's key that is due now still counts; it then counts no more. It is false
// if another check has replaced it.
func (s *Service) Looks(now clock.Instant, election int32) bool {
	k := &s.keys[election]
	if now != k.looked {
		return false
	}
	k.looked = clock.Never
	return true
}
