package plan_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/plan"
)

func fieldNames() (names []string) {
	for _, field := range plan.FaultFields() {
		names = append(names, field.Name)
	}
	return names
}

// TestFaultFields: the table has every field of a fault but its kind, each once. Each is one of some kind of fault, and a kind has
// its fields in the order of the table.
func TestFaultFields(t *testing.T) {
	names := fieldNames()
	assert.Len(t, names, reflect.TypeFor[plan.Fault]().NumField()-3+reflect.TypeFor[plan.Edit]().NumField()+
		reflect.TypeFor[plan.Rollout]().NumField())
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names))
	ofSome := map[string]bool{}
	for _, kind := range plan.FaultKinds() {
		assert.Equal(t, kind.Fields(), slices.DeleteFunc(fieldNames(), func(name string) bool { return !kind.Has(name) }))
		for _, name := range kind.Fields() {
			ofSome[name] = true
		}
	}
	assert.Len(t, ofSome, len(names))
}

// TestFaultFieldsAreApart: what one field takes away is that field alone.
func TestFaultFieldsAreApart(t *testing.T) {
	full := plan.Fault{}
	for _, field := range plan.FaultFields() {
		fill(reflect.ValueOf(field.In(&full)).Elem())
	}
	for i, field := range plan.FaultFields() {
		f := full
		field.Clear(&f)
		for j, other := range plan.FaultFields() {
			assert.Equal(t, i != j, other.Set(&f), "%s without %s", other.Name, field.Name)
		}
	}
	for _, field := range plan.FaultFields() {
		field.Clear(&full)
	}
	assert.Equal(t, plan.Fault{}, full)
}

// fill gives a value that is not zero to value, and to each field of it.
func fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			fill(value.Field(i))
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
	case reflect.String:
		value.SetString("x")
	case reflect.Bool:
		value.SetBool(true)
	default:
		value.Set(reflect.ValueOf(1).Convert(value.Type()))
	}
}

// TestDocumentedFaults: docs/scenarios.md has a table of the same kinds of fault, with the same fields.
func TestDocumentedFaults(t *testing.T) {
	page, err := os.ReadFile("../docs/scenarios.md")
	require.NoError(t, err)
	_, rows, found := strings.Cut(string(page), "| fault | fields | what it does |\n| --- | --- | --- |\n")
	require.True(t, found)
	rows, _, _ = strings.Cut(rows, "\n\n")
	var documented, known []string
	for _, row := range regexp.MustCompile(`(?m)^(\| \S+ \| [^|]* \|) .* \|$`).FindAllStringSubmatch(rows, -1) {
		documented = append(documented, row[1])
	}
	for _, kind := range plan.FaultKinds() {
		known = append(known, "| "+string(kind)+" | "+strings.Join(kind.Fields(), ", ")+" |")
	}
	assert.Equal(t, known, documented)
}
