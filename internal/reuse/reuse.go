// Package reuse keeps the memory of one run for the next one.
package reuse

// Slab hands out values one after the other and, once it was reset, the same ones again.
type Slab[T any] struct {
	all  []*T
	used int
}

// Next returns a value that nobody else was given since the last Reset. It is as its last user has left it.
func (s *Slab[T]) Next() *T {
	if s.used == len(s.all) {
		s.all = append(s.all, new(T))
	}
	s.used++
	return s.all[s.used-1]
}

// Put copies the value into the value that Next hands out, and returns a pointer to that.
func (s *Slab[T]) Put(value T) *T {
	p := s.Next()
	*p = value
	return p
}

// Reset takes all values back. Nobody may use them any more.
func (s *Slab[T]) Reset() { s.used = 0 }

// Sized returns a slice of n elements, in the given memory if that has room, otherwise in new memory with a copy of it. Elements
// that the memory has are as their last user has left them, and new ones are zero.
func Sized[T any](memory []T, n int) []T {
	if n > cap(memory) {
		memory = append(memory[:cap(memory)], make([]T, n-cap(memory))...)
	}
	return memory[:n]
}

// Cleared returns an empty map, in the given memory unless that is nil.
func Cleared[K comparable, V any](memory map[K]V) map[K]V {
	if memory == nil {
		return map[K]V{}
	}
	clear(memory)
	return memory
}

// Zeroed returns a slice of n zero elements, in the given memory if that has room.
func Zeroed[T any](memory []T, n int) []T {
	s := Sized(memory, n)
	clear(s)
	return s
}
