package main

import "os"

// announcement stands for the one on Linux. It announces nothing: on this system folders cannot be locked byte by byte.
type announcement struct{ file string }

// newAnnouncement returns an announcement that nobody can see.
func newAnnouncement(_, _, file string) (*announcement, error) { return &announcement{file}, nil }

// claim always returns nil: there is nothing to lock.
func (a *announcement) claim() error { return nil }

// unclaimed always returns nil, since it cannot see the others.
func (a *announcement) unclaimed() error { return nil }

// alone always returns nil, since it cannot see the others.
func (a *announcement) alone() error { return nil }

// handOn always returns nil: there is nothing to inherit.
func (a *announcement) handOn() []*os.File { return nil }

// withdraw does nothing.
func (a *announcement) withdraw() {}

// unclaim does nothing.
func unclaim(int) {}
