// Package goroutines reads what the runtime prints of the program's goroutines: who waits for what, and who began whom.
package goroutines

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Stack is a goroutine at one instant.
type Stack struct {
	ID, State string
	// Bubble is the id of its bubble of testing/synctest, "" outside of any.
	Bubble string
	// Text is what the runtime prints of it.
	Text string
	// Parent is the goroutine that began it, "" for none.
	Parent string
}

var (
	headOf   = regexp.MustCompile(`^goroutine (\d+)[^\[\n]* \[([^\]\n]*)\]`)
	bubbleOf = regexp.MustCompile(`synctest bubble (\d+)`)
	parentOf = regexp.MustCompile(`(?m)^created by .* in goroutine (\d+)$`)
)

// All returns the stacks of all goroutines of the program, at one instant.
func All() (all []Stack) {
	for _, text := range strings.Split(strings.TrimSpace(print()), "\n\n") {
		if s, ok := parse(text); ok {
			all = append(all, s)
		}
	}
	return all
}

// print returns what the runtime prints of all goroutines. What goes beyond 64 MiB is cut off.
func print() string {
	for size := 1 << 20; ; size *= 4 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size || size >= 64<<20 {
			return string(text[:n])
		}
	}
}

// parse reads what the runtime prints of one goroutine; ok is false for a text of another kind.
func parse(text string) (s Stack, ok bool) {
	if s, ok = parseHead(text); !ok {
		return s, false
	}
	if m := parentOf.FindStringSubmatch(text); m != nil {
		s.Parent = m[1]
	}
	return s, true
}

// parseHead does what parse does, but leaves the parent out.
func parseHead(text string) (s Stack, ok bool) {
	head := headOf.FindStringSubmatch(text)
	if head == nil {
		return s, false
	}
	s = Stack{ID: head[1], Text: text}
	s.State, _, _ = strings.Cut(head[2], ",")
	if m := bubbleOf.FindStringSubmatch(head[2]); m != nil {
		s.Bubble = m[1]
	}
	return s, true
}

// Durable tells whether the goroutine waits in such a way that virtual time can go on. testing/synctest calls that durably
// blocked.
func (s *Stack) Durable() bool { return strings.HasSuffix(s.State, "(durable)") }

// Current returns the id of the calling goroutine, and the id of its bubble, "" outside of any.
func Current() (id, bubble string) {
	text := make([]byte, 200)
	s, _ := parseHead(string(text[:runtime.Stack(text, false)]))
	return s.ID, s.Bubble
}

// Owner returns the owner of goroutine id: its own entry in owners, or else that of its nearest ancestor with an entry. An
// ancestor that has ended is not in all: it is still looked up in owners, but its own ancestors are not known. ok is false if no
// owner is found.
func Owner[T any](all []Stack, id string, owners map[string]T) (owner T, ok bool) {
	parents := map[string]string{}
	for i := range all {
		parents[all[i].ID] = all[i].Parent
	}
	for ; id != ""; id = parents[id] {
		if owner, ok = owners[id]; ok {
			return owner, true
		}
	}
	return owner, false
}

// Branch returns the first among goroutine id and its ancestors for which in returns true. Ancestors of one that has ended are not known.
// ok is false if there is none.
func Branch(all []Stack, id string, in func(*Stack) bool) (s Stack, ok bool) {
	for id != "" {
		i := slices.IndexFunc(all, func(s Stack) bool { return s.ID == id })
		if i < 0 {
			break
		}
		if in(&all[i]) {
			return all[i], true
		}
		id = all[i].Parent
	}
	return s, false
}

// most is how many goroutines Text shows.
const most = 4

// Text returns the texts of the first few stacks, and says how many more there are.
func Text(all []Stack) string {
	var texts []string
	for i := range all {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		texts = append(texts, all[i].Text)
	}
	return strings.Join(texts, "\n\n")
}
