package electiontest

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
)

// stack is a goroutine at an instant: what the runtime prints of it.
type stack struct {
	// bubble is "" outside of any.
	id, state, bubble string
	// parent is the goroutine that began it, "" for none.
	parent string
	text   string
}

var (
	headOf   = regexp.MustCompile(`^goroutine (\d+)[^\[\n]* \[([^\]\n]*)\]`)
	bubbleOf = regexp.MustCompile(`synctest bubble (\d+)`)
	parentOf = regexp.MustCompile(`(?m)^created by .* in goroutine (\d+)$`)
)

// stacks are those of all goroutines, at one instant.
func stacks() (all []stack) {
	for _, text := range strings.Split(strings.TrimSpace(allStacks()), "\n\n") {
		if s, ok := parseStack(text); ok {
			all = append(all, s)
		}
	}
	return all
}

// allStacks is what the runtime prints of all goroutines. More than 64 MiB are cut.
func allStacks() string {
	for size := 1 << 20; ; size *= 4 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size || size >= 64<<20 {
			return string(text[:n])
		}
	}
}

// parseStack reads what the runtime prints of one goroutine; ok is false where the text is nothing of that kind.
func parseStack(text string) (s stack, ok bool) {
	head := headOf.FindStringSubmatch(text)
	if head == nil {
		return s, false
	}
	s = stack{id: head[1], text: text}
	s.state, _, _ = strings.Cut(head[2], ",")
	if m := bubbleOf.FindStringSubmatch(head[2]); m != nil {
		s.bubble = m[1]
	}
	if m := parentOf.FindStringSubmatch(text); m != nil {
		s.parent = m[1]
	}
	return s, true
}

// durable tells whether the goroutine waits in such a way that virtual time can go on: what testing/synctest calls
// durably blocked.
func (s *stack) durable() bool { return strings.HasSuffix(s.state, "(durable)") }

// goroutine is the id of the calling goroutine, and that of its bubble, "" outside of any.
func goroutine() (id, bubble string) {
	text := make([]byte, 200)
	s, _ := parseStack(string(text[:runtime.Stack(text, false)]))
	return s.id, s.bubble
}

// ancestry finds the owner of a goroutine: its own, or else that of the nearest goroutine among those that began it, as
// far back as they still exist. It tells whether there is one.
func ancestry[T any](all []stack, id string, owners map[string]T) (owner T, ok bool) {
	parents := map[string]string{}
	for i := range all {
		parents[all[i].id] = all[i].parent
	}
	for ; id != ""; id = parents[id] {
		if owner, ok = owners[id]; ok {
			return owner, true
		}
	}
	return owner, false
}

// shown is how many goroutines are shown.
const shown = 4

// goroutines are the stacks, as text, of the bubble's goroutines in such a state, without those that this package has
// begun for itself.
func (b *bubble) goroutines(in func(state string) bool) string {
	return print(b.among(stacks(), func(s *stack) bool { return in(s.state) }))
}

// among are the bubble's goroutines for which in is true, without those that this package has begun for itself.
func (b *bubble) among(all []stack, in func(*stack) bool) (found []stack) {
	id, _ := b.id.Load().(string)
	for i := range all {
		if s := &all[i]; s.bubble != "" && s.bubble == id && in(s) && !kitsOwn.MatchString(s.text) {
			found = append(found, *s)
		}
	}
	return found
}

// print is the text of the stacks: of the first few, and how many more there are.
func print(all []stack) string {
	var texts []string
	for i := range all {
		if i == shown {
			texts = append(texts, fmt.Sprintf("and %d more", len(all)-shown))
			break
		}
		texts = append(texts, all[i].text)
	}
	return strings.Join(texts, "\n\n")
}

// kitsOwn are goroutines that the kit has begun for itself: not those of candidates.
var kitsOwn = regexp.MustCompile(`(?m)^(internal/synctest\.Run\(|created by (testing/synctest|internal/synctest|` +
	`interregnum/electiontest\.\(\*(world|transport|stalled)\)))`)
