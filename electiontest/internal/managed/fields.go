// Package managed reads and changes the manager.Options of controller-runtime. It finds their fields by their names: the module of
// controller-runtime is too large to be asked of everybody for one type.
package managed

import (
	"fmt"
	"reflect"
	"time"
)

// fields are the fields of a struct, to be read and set by name. err is the error of the first one that was missing.
type fields struct {
	all reflect.Value
	err error
}

// field returns the value of the field of that name and type. If there is none it returns the zero value and sets f.err,
// unless that is set already.
func field[T any](f *fields, name string) (value T) {
	v := f.all.FieldByName(name)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		if f.err == nil {
			f.err = fmt.Errorf("want a manager.Options of controller-runtime, with a field %s of type %v; got %v",
				name, reflect.TypeFor[T](), f.all.Type())
		}
		return value
	}
	value, _ = v.Interface().(T) // a nil interface has no type
	return value
}

// duration returns the value of the *time.Duration field of that name. If the field is nil or missing it returns unsaid; a
// missing field also sets f.err.
func (f *fields) duration(name string, unsaid time.Duration) time.Duration {
	if d := field[*time.Duration](f, name); d != nil {
		return *d
	}
	return unsaid
}

// find returns the field at a path of names; the result is not valid if there is none.
func (f *fields) find(path ...string) reflect.Value {
	v := f.all
	for _, name := range path {
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(name)
	}
	return v
}

// set sets the field at a path of names. If there is no field of the value's type at that path, it sets nothing but f.err,
// unless f.err is set already.
func set[T any](f *fields, value T, path ...string) {
	v := f.find(path...)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		f.missing(fmt.Sprint(path), reflect.TypeFor[T]())
		return
	}
	v.Set(reflect.ValueOf(&value).Elem())
}

// missing sets f.err to say that there is no field of such a name and type, unless it is set already.
func (f *fields) missing(name string, want reflect.Type) {
	if f.err == nil {
		f.err = fmt.Errorf("want a pointer to the manager.Options of controller-runtime, with a field %s of type %v; got %v",
			name, want, f.all.Type())
	}
}
