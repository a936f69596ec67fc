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

// Expire ends the entry of an election's key if its time is over, and tells whether it did so.
func (s *Service) Expire(now clock.Instant, election int32) bool {
	return s.keys[election].Expire(s.clock.Mono(now))
}

// Wait keeps the message of a watch of an election's key at the service, until the key changes.
func (s *Service) Wait(election, watch int32) {
	k := &s.keys[election]
	k.watchers = append(k.watchers, watch)
}

// Wake returns the messages of the watches that wait for a change of an election's key. From then on none waits. What it
// returns is good until the next call.
func (s *Service) Wake(election int32) []int32 {
	k := &s.keys[election]
	k.watchers, k.woken = k.woken[:0], k.watchers
	return k.woken
}

// LookAt returns when the service is to look whether the entry of an election's key has run out. It is false if there
// is no entry, or if another look is due no later.
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

// Looks tells whether a look at an election's key is due now. It is false if an earlier look has taken the place of
// this one.
func (s *Service) Looks(now clock.Instant, election int32) bool {
	k := &s.keys[election]
	if now != k.looked {
		return false
	}
	k.looked = clock.Never
	return true
}
