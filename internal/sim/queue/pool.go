package queue

// Pool holds numbered values, for entries of the queue to refer to. A number is used again once its value was freed.
type Pool[T any] struct {
	all   []T
	freed []int32
}

// Next returns a number for a value that is yet to be filled in. The value can still be what an earlier user of the
// number left.
func (p *Pool[T]) Next() int32 {
	if last := len(p.freed) - 1; last >= 0 {
		ref := p.freed[last]
		p.freed = p.freed[:last]
		return ref
	}
	var none T
	p.all = append(p.all, none)
	return int32(len(p.all) - 1)
}

// Put stores a value and returns its number.
func (p *Pool[T]) Put(value T) int32 {
	ref := p.Next()
	p.all[ref] = value
	return ref
}

// At returns a pointer to the value of that number. It is good until the next call of Next or Put.
func (p *Pool[T]) At(ref int32) *T { return &p.all[ref] }

// Free lets a later Next or Put use the number again.
func (p *Pool[T]) Free(ref int32) { p.freed = append(p.freed, ref) }

// Take returns the value of that number and frees the number.
func (p *Pool[T]) Take(ref int32) T {
	value := p.all[ref]
	p.Free(ref)
	return value
}

// Reset removes all values; all numbers are free again.
func (p *Pool[T]) Reset() { p.all, p.freed = p.all[:0], p.freed[:0] }

// Size returns how many values there is room for, and how many of them are in use.
func (p *Pool[T]) Size() (room, used int) { return len(p.all), len(p.all) - len(p.freed) }
