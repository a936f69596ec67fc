package sim

// pool holds numbered values, for entries of the queue to refer to. A number is used again once its value was freed.
type pool[T any] struct {
	all   []T
	freed []int32
}

// next is a number for a value that is yet to be filled in: it may hold what it held before.
func (p *pool[T]) next() int32 {
	if last := len(p.freed) - 1; last >= 0 {
		ref := p.freed[last]
		p.freed = p.freed[:last]
		return ref
	}
	var none T
	p.all = append(p.all, none)
	return int32(len(p.all) - 1)
}

// put stores a value and returns its number.
func (p *pool[T]) put(value T) int32 {
	ref := p.next()
	p.all[ref] = value
	return ref
}

func (p *pool[T]) at(ref int32) *T { return &p.all[ref] }

func (p *pool[T]) free(ref int32) { p.freed = append(p.freed, ref) }

// take returns the value of that number and frees the number.
func (p *pool[T]) take(ref int32) T {
	value := p.all[ref]
	p.free(ref)
	return value
}
