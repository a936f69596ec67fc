package plan

// Field describes a field that a T has in scenario files. Code that reads, writes or measures values switches on the type of what In
// returns.
type Field[T any] struct {
	// Name is its name in scenario files.
	Name string
	// In returns a pointer to the value. If the value is a pointer too, nil is none. For a field that only the file has, it returns
	// nil.
	In func(*T) any
	// Clear sets the value to zero.
	Clear func(*T)
	// Alike tells whether two have the same value. Of lists that are not empty, and of what different pointers point to, it returns
	// false.
	Alike func(a, b *T) bool
}

// FieldAt returns a description of the field to which at returns a pointer.
func FieldAt[T any, V comparable](name string, at func(*T) *V) Field[T] {
	return Field[T]{
		Name:  name,
		In:    func(of *T) any { return at(of) },
		Clear: func(of *T) { *at(of) = *new(V) },
		Alike: func(a, b *T) bool { return *at(a) == *at(b) },
	}
}

// ListAt returns a description of the field to which at returns a pointer, and which is a list.
func ListAt[T, V any](name string, at func(*T) *[]V) Field[T] {
	return Field[T]{
		Name:  name,
		In:    func(of *T) any { return at(of) },
		Clear: func(of *T) { *at(of) = nil },
		Alike: func(a, b *T) bool { return len(*at(a)) == 0 && len(*at(b)) == 0 },
	}
}

// FileField returns a description of a field that only the file has.
func FileField[T any](name string) Field[T] {
	return Field[T]{Name: name, In: func(*T) any { return nil }, Clear: func(*T) {}, Alike: func(_, _ *T) bool { return true }}
}
