package reuse

// Fifo is a queue of values, first in, first out, whose memory is used again. The zero value is empty.
type Fifo[T any] struct {
	// all are those that were pushed; the first gone of them are no longer in the queue.
	all  []T
	gone int
}

// Len returns how many values are in the queue.
func (q *Fifo[T]) Len() int { return len(q.all) - q.gone }

// First returns the value that has been in the queue for longest; there must be one.
func (q *Fifo[T]) First() T { return q.all[q.gone] }

// Push adds a value. Where half of the memory or more is of values that are gone, it first moves the others there.
func (q *Fifo[T]) Push(value T) {
	if q.gone > 0 && 2*q.gone >= len(q.all) {
		q.all = append(q.all[:0], q.all[q.gone:]...)
		q.gone = 0
	}
	q.all = append(q.all, value)
}

// Pop removes and returns the first value; there must be one.
func (q *Fifo[T]) Pop() T {
	q.gone++
	return q.all[q.gone-1]
}

// Reset removes all values.
func (q *Fifo[T]) Reset() { q.all, q.gone = q.all[:0], 0 }
