package ttl

import (
	"context"
	"errors"
	"time"
)

// Entry is the content of a key: who holds it, and with which fencing token.
type Entry struct {
	// Holder is the identity of the candidate that the entry belongs to.
	Holder string
	// Token is the fencing token, above 0. It grows with each new entry, also after a release, an expiry or a delete.
	// It stays the same when an entry is refreshed.
	Token uint64
}

// These are the errors with which a Lock answers. After any other error nobody knows what became of the call.
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

// Lock is a key, and one candidate's access to it. An entry of the key expires by itself, TTL after it was made or last
// refreshed, by the clock that Describe names.
//
// A Lock's own entry is one that this Lock itself has made. An entry with its identity may be another's: that of a
// second process with the same name, or of the same process before a restart. The own entry is the one last returned by
// Create, Replace or Refresh. If there is none, it is one made by a Create or Replace whose answer did not come. After
// a call of Release, whatever its result, no entry made before is the Lock's own: the release may still be under way,
// and its entry must not be refreshed.
//
// A call may still take effect after it has failed because its context ended. A late Release ends no entry made after
// it was called.
//
// Get, Create, Replace, Refresh and Release are called one at a time, Watch beside them. Errors are matched with
// errors.Is.
type Lock interface {
	// Get returns the unexpired entry, or ErrAbsent.
	Get(ctx context.Context) (Entry, error)
	// Create makes an entry where there is none, or returns ErrTaken. In a store that keeps expired entries, as a table
	// does, an expired entry counts too: the answer is ErrTaken.
	Create(ctx context.Context) (Entry, error)
	// Replace makes an entry in the place of an expired one, or returns ErrTaken. In a store that removes expired
	// entries it does what Create does.
	Replace(ctx context.Context) (Entry, error)
	// Refresh prolongs the own, unexpired entry to TTL from now, or returns ErrLost. It never makes the entry expire
	// earlier, even if it takes effect late.
	Refresh(ctx context.Context) (Entry, error)
	// Release ends the own entry, or returns ErrLost. It never ends another one.
	Release(ctx context.Context) error
	// Watch returns a channel that is closed, or gets a value, when the key may have changed since the last answer that
	// this Lock gave to another call before Watch was called: an entry was made, ended or has expired. A refresh is no
	// change. The channel is closed too when the watch breaks, and may stay open for ever once ctx has ended. A lock
	// that cannot tell returns ErrNoWatch.
	Watch(ctx context.Context) (<-chan struct{}, error)
	// Identity is the Holder of the entries that this Lock makes. It is not empty.
	Identity() string
	// TTL is how long an entry lasts after it was made or refreshed.
	TTL() time.Duration
	// Describe says, for logs, which key of which service this is and whose clock decides expiry. It has no secrets.
	Describe() string
}
