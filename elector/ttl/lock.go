package ttl

import (
	"context"
	"errors"
	"time"
)

// Entry is what a key holds.
type Entry struct {
	// Holder is the identity of whom the entry belongs to.
	Holder string
	// Token is the fencing token, above 0. It grows with each new entry, over releases, expiry and deletes too, and stays
	// the same when an entry is refreshed.
	Token uint64
}

// What a Lock answers beside entries. All other errors mean that it is not known what became of the call.
var (
	// ErrAbsent means that there is no unexpired entry.
	ErrAbsent = errors.New("there is no unexpired entry")
	// ErrTaken means that there is an entry already, and nothing was written.
	ErrTaken = errors.New("there is an entry already")
	// ErrLost means that the entry is no longer the caller's, and nothing was written.
	ErrLost = errors.New("the entry is no longer this candidate's")
	// ErrNoWatch means that this lock cannot be watched, ever.
	ErrNoWatch = errors.New("this lock cannot be watched")
)

// Lock is a key, and one candidate's access to it. An entry of the key expires by itself, TTL after it was made or
// last refreshed, by the clock that Describe names.
//
// Own is the entry that this Lock itself has made, not any that has its identity: a second process of the same name,
// and the Lock before a restart, are others. It is the entry last returned by Create, Replace or Refresh or, where
// there is none, one that a Create or Replace has made whose answer did not come. Each call of Release, whatever came of it,
// disowns what was made before: a release may still be under way, and its entry must not be refreshed.
//
// A call may still take effect after it has failed, its context ended. A late Release ends no entry made after it was called.
//
// Get, Create, Replace, Refresh and Release are called one at a time, Watch beside them. Errors are matched with errors.Is.
type Lock interface {
	// Get returns the unexpired entry, or ErrAbsent.
	Get(ctx context.Context) (Entry, error)
	// Create makes an entry where there is none, or returns ErrTaken. Where a store keeps expired entries, as a table
	// does, one of those is there too, and ErrTaken is the answer.
	Create(ctx context.Context) (Entry, error)
	// Replace makes an entry in the place of an expired one, or returns ErrTaken. Where expired entries are gone it is Create.
	Replace(ctx context.Context) (Entry, error)
	// Refresh prolongs the own, unexpired entry to TTL from now, or returns ErrLost. It never makes it expire earlier, also
	// where it comes late.
	Refresh(ctx context.Context) (Entry, error)
	// Release ends the own entry, or returns ErrLost. It never ends another one.
	Release(ctx context.Context) error
	// Watch returns a channel that is closed, or gets a value, when the key may have changed since the last answer that this
	// Lock gave to another call before Watch was called: an entry was made, ended or has expired. Refreshing is no change. It
	// is closed too when the watch breaks, and may stay open for ever once ctx has ended. A lock that cannot tell returns
	// ErrNoWatch.
	Watch(ctx context.Context) (<-chan struct{}, error)
	// Identity is the Holder of the entries that this Lock makes. It is not empty.
	Identity() string
	// TTL is how long an entry lasts after it was made or refreshed.
	TTL() time.Duration
	// Describe says, for logs, which key of which service this is and whose clock decides expiry. It has no secrets.
	Describe() string
}
