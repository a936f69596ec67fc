package goroutines

import "strings"

// Origin returns the function that began the goroutine, with its package's path, and the place, as file and line. Both are "" if
// that is not known. If a function such as sync.WaitGroup.Go began the goroutine, Origin returns the function that was given to
// it, and the place where the goroutine is in that function.
func (s *Stack) Origin() (function, place string) {
	calls, created, found := strings.Cut(s.Text, "\ncreated by ")
	if !found {
		return "", ""
	}
	function, place, _ = strings.Cut(created, "\n")
	// Each call has a line for the function and a line for the place. The last call is that of the starter's own function.
	if lines := strings.Split(calls, "\n"); starts(function) && len(lines) > 4 {
		function, place = lines[len(lines)-4], lines[len(lines)-3]
	}
	function, _, _ = strings.Cut(function, " in goroutine ")
	place, _, _ = strings.Cut(place, "\n")
	place, _, _ = strings.Cut(place, " +")
	return function, strings.TrimSpace(place)
}

// starts tells whether a function, by its full name in a stack trace, belongs to a package that begins goroutines for its
// callers: sync.WaitGroup, errgroup, or wait of apimachinery.
func starts(function string) bool {
	return strings.HasPrefix(function, "sync.(*WaitGroup)") || strings.HasPrefix(function, "golang.org/x/sync/errgroup.") ||
		strings.HasPrefix(function, "k8s.io/apimachinery/pkg/util/wait.")
}
