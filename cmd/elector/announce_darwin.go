package main

import "os"

// announcement does nothing on this system, whose folders cannot be locked byte by byte.
type announcement struct{ file string }

// announce returns an announcement that nobody can see.
func announce(_, file string) (*announcement, error) { return &announcement{file}, nil }

// alone returns nil, since it cannot see the others.
func (a *announcement) alone() error { return nil }

// handOn returns nil.
func (a *announcement) handOn() []*os.File { return nil }

// withdraw does nothing.
func (a *announcement) withdraw() {}
