package lockscript

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"time"
)

// Record is an election record, with the fields that all versions of the locks have.
type Record struct {
	Holder         string
	Seconds        int
	Acquire, Renew time.Time
	Transitions    int
}

// String returns all fields of the record in one line, times in UTC with nanoseconds.
func (r *Record) String() string {
	at := func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
	return fmt.Sprintf("{%q %ds acquire %s renew %s transitions %d}",
		r.Holder, r.Seconds, at(r.Acquire), at(r.Renew), r.Transitions)
}

// Lock is a lock under test.
type Lock interface {
	Get(ctx context.Context) (Record, []byte, error)
	Create(ctx context.Context, record Record) error
	Update(ctx context.Context, record Record) error
	RecordEvent(what string)
	Identity() string
	Describe() string
}

// Library is an implementation of the locks.
type Library interface {
	// Lock returns a lock of a kind, by its name in client-go, that sends its requests to the transport and its
	// events, as one line each, to the function.
	Lock(kind, namespace, name, identity string, transport http.RoundTripper, event func(string)) (Lock, error)
	// Reason returns the reason that an API server gave for an error, "" if the error did not come from a server.
	Reason(err error) string
}

// Transcript runs the script of a seed on the library's locks, and returns the transcript: each call, request and result, one a
// line. It is the same for equal libraries. It returns an error if the library refuses to make a lock.
func Transcript(seed uint64, library Library) (string, error) {
	r := &run{library: library}
	r.server.note = r.note
	s := draw(seed)
	r.note("seed %d", seed)
	for i, kind := range s.kinds {
		p := &player{id: string(rune('a' + i))}
		lock, err := library.Lock(kind, namespace, name, p.id, &r.server, func(e string) { r.note("  event %s", e) })
		if err != nil {
			return "", fmt.Errorf("seed %d: lock of kind %s: %w", seed, kind, err)
		}
		p.lock = lock
		r.players = append(r.players, p)
		r.note("%s: %s %s %s", p.id, kind, lock.Identity(), lock.Describe())
	}
	for i := range s.steps {
		r.step(&s.steps[i])
	}
	return r.out.String(), nil
}

// player is one client in the script, with its lock.
type player struct {
	id   string
	lock Lock
	// wrote: a Create or Update has succeeded. Before that no event is recorded, since v0.20 might panic.
	wrote bool
}

// run is the state of running a script.
type run struct {
	library Library
	server  server
	players []*player
	out     strings.Builder
}

// note adds a line to the transcript.
func (r *run) note(format string, args ...any) { fmt.Fprintf(&r.out, format+"\n", args...) }

// step plays one step of the script: a call of a player's lock, or an edit by somebody else. Its call, requests and result go
// into the transcript. A callEvent does nothing before the player has written.
func (r *run) step(s *step) {
	if s.call == callEdit {
		r.server.edit(s.edit)
		return
	}
	p := r.players[s.player]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if s.cancelled {
		cancel()
	}
	r.server.verdicts = s.verdicts
	switch s.call {
	case callGet:
		r.get(ctx, p)
	case callCreate:
		r.write(ctx, p, "create", p.lock.Create, s.record)
	case callUpdate:
		r.write(ctx, p, "update", p.lock.Update, s.record)
	case callTry:
		// As leader election does.
		switch reason, err := r.get(ctx, p); {
		case reason == "NotFound":
			r.write(ctx, p, "create", p.lock.Create, s.record)
		case err == nil:
			r.write(ctx, p, "update", p.lock.Update, s.record)
		}
	case callEvent:
		if p.wrote {
			r.note("%s event", p.id)
			p.lock.RecordEvent("became leader")
		}
	}
	r.server.verdicts = nil
}

// get calls Get of the player's lock, and adds the call and its result to the transcript. It returns the error, and the
// reason that the server gave for it, "" for none.
func (r *run) get(ctx context.Context, p *player) (reason string, err error) {
	r.note("%s get", p.id)
	record, raw, err := p.lock.Get(ctx)
	if err == nil {
		r.note("  = %s %q", &record, raw)
	}
	return r.ended(err), err
}

// write calls method, the player's Create or Update with that name, and adds the call and its result to the transcript. If the
// call succeeds it sets p.wrote.
func (r *run) write(
	ctx context.Context, p *player, name string, method func(context.Context, Record) error, record Record,
) {
	r.note("%s %s %s", p.id, name, &record)
	err := method(ctx, record)
	r.ended(err)
	p.wrote = p.wrote || err == nil
}

// ended adds the result of a call to the transcript, and returns the reason of the server's error, "" for none. An error that
// the client made itself is always written as "error", since each library has its own words.
func (r *run) ended(err error) (reason string) {
	if err == nil {
		r.note("  = done")
		return ""
	}
	if reason = r.library.Reason(err); reason == "" {
		r.note("  = error")
		return ""
	}
	r.note("  = %s", reason)
	return reason
}

// Sum returns a short hash of a transcript.
func Sum(transcript string) string {
	h := fnv.New64a()
	h.Write([]byte(transcript))
	return fmt.Sprintf("%016x", h.Sum64())
}

// Difference returns a text that shows the first line in which two transcripts differ, after the first line and all equal lines;
// "" if they are equal.
func Difference(want, got string) string {
	if want == got {
		return ""
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(lines []string) string {
		if i < len(lines) {
			return lines[i]
		}
		return "(no more)"
	}
	return fmt.Sprintf("%s, line %d:\n%s\n- %s\n+ %s", b[0], i+1, strings.Join(b[:i], "\n"), line(a), line(b))
}
