package reuse

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSlabHandsOutTheSameValuesAfterAReset(t *testing.T) {
	var s Slab[int]
	first, second := s.Put(1), s.Put(2)
	assert.NotSame(t, first, second)
	s.Reset()
	assert.Same(t, first, s.Next())
	assert.Same(t, second, s.Put(3))
	assert.Equal(t, []int{1, 3}, []int{*first, *second})
	assert.NotSame(t, second, s.Next())
}

func TestSizedKeepsMemory(t *testing.T) {
	s := []int{1, 2, 3}
	assert.Equal(t, []int{1, 2, 3}, Sized(s[:1], 3))
	assert.Equal(t, []int{1, 2, 3, 0}, Sized(s[:0], 4))
	assert.Empty(t, Sized(s, 0))
	assert.Equal(t, []int{0, 0}, Zeroed(s, 2))
	assert.Equal(t, []int{0, 0, 3}, s)
}
