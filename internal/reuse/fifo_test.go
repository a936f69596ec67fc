package reuse

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFifo: values come out as they went in, and a queue that never has more than a few takes little memory.
func TestFifo(t *testing.T) {
	var q Fifo[int]
	out := 0
	for in := range 1000 {
		q.Push(in)
		for q.Len() > in%7 {
			assert.Equal(t, out, q.First())
			assert.Equal(t, out, q.Pop())
			out++
		}
	}
	assert.Equal(t, 1000, out+q.Len())
	assert.LessOrEqual(t, cap(q.all), 16)
	q.Reset()
	assert.Zero(t, q.Len())
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for i := range 100 {
			q.Push(i)
			q.Pop()
		}
	}))
}
