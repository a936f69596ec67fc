package scenarios

import (
	"reflect"
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// names returns the names of the fields of a table.
func names[T any](table []plan.Field[T]) []string {
	all := make([]string, len(table))
	for i := range table {
		all[i] = table[i].Name
	}
	return all
}

// placeOf returns what In of the field of that name returns for of; nil if the table has no such field.
func placeOf[T any](table []plan.Field[T], name string, of *T) any {
	for i := range table {
		if table[i].Name == name {
			return table[i].In(of)
		}
	}
	return nil
}

// fields decodes the mapping n into out. It changes only those fields that n has. The table has all that n may have; what is the mapping's
// name in messages, with the article: see mapping.
func fields[T any](d *decoder, n *node, what string, table []plan.Field[T], out *T) {
	d.mapping(n, what, names(table), func(name string, n *node) { d.value(n, placeOf(table, name, out)) })
}

// value decodes n into the value that in points to. in is what In of a plan.Field returns; nothing is decoded into nil.
func (d *decoder) value(n *node, in any) {
	switch out := in.(type) {
	case *time.Duration:
		*out = d.duration(n)
	case **time.Duration:
		*out = new(d.duration(n))
	case *bool:
		*out = d.boolean(n)
	case *string:
		*out = d.word(n)
	case **string:
		*out = new(d.text(n))
	case *int:
		*out = int(d.whole(n))
	case *int64:
		*out = d.whole(n)
	case **int64:
		*out = new(d.whole(n))
	case **float64:
		*out = new(d.number(n))
	case *plan.Rate:
		*out = plan.Rate(rateOf(d.number(n)))
	case *plan.Count:
		*out = plan.Count(d.whole(n))
	case *Delay:
		*out = d.delay(n)
	case **Delay:
		*out = new(d.delay(n))
	case *Clock:
		fields(d, n, "a clock", clockFields, out)
	case *[]plan.Traffic:
		*out = d.other(n)
	case plan.Draws:
		*out.Rest, *out.First = d.draws(n)
	case **plan.LivenessProbe:
		*out = d.livenessProbe(n, *out)
	case **plan.Client:
		*out = d.client(n, *out)
	default:
		d.named(n, in)
	}
}

// named does for types whose values have names what value does for all.
func (d *decoder) named(n *node, in any) {
	switch out := in.(type) {
	case *machine.Profile:
		*out = d.profile(n)
	case *plan.HTTP1:
		*out = d.protocol(n) == http1
	case *plan.Lock:
		*out = plan.Lock(d.oneOf(n, "kind of lock", plan.LockNames()))
	case *plan.OnLoss:
		*out = plan.OnLoss(d.oneOf(n, "thing to do", []string{string(plan.LossExit), string(plan.LossRejoin), string(plan.LossIgnore)}))
	case *plan.Now:
		*out = plan.Now(d.oneOf(n, "clock", []string{string(plan.CallerNow), string(plan.DatabaseNow)}))
	case *plan.Leg:
		*out = plan.Leg(d.word(n))
	case *plan.Identity:
		*out = plan.Identity(d.word(n))
	case *plan.Readiness:
		*out = plan.Readiness(d.word(n))
	case *machine.Verb:
		*out = d.verb(n)
	}
}

// membersOf returns the fields of the table to write for of: those that have another value in usual, except pointers that are nil.
func membersOf[T any](table []plan.Field[T], of, usual *T) (m members) {
	for i := range table {
		if !table[i].Alike(of, usual) {
			value := valueOf(table[i].In(of))
			m.add(value != nil, table[i].Name, value)
		}
	}
	return m
}

// valueOf returns the value that in points to, in the form that is written to a file; nil for a value that a file can only leave out. in
// is what In of a plan.Field returns.
func valueOf(in any) any {
	if client, is := in.(**plan.Client); is && *client == nil {
		return plan.NoClient
	}
	value := reflect.ValueOf(in)
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if !value.IsValid() {
		return nil
	}
	switch v := value.Interface().(type) {
	case time.Duration:
		return durationText(v)
	case bool:
		return literal(strconv.FormatBool(v))
	case int, int64, plan.Count:
		return wholeText(value.Int())
	case float64:
		return floatText(v)
	case string, []string:
		return v
	case machine.Verb:
		return v.String()
	case machine.Profile:
		return v.Name
	case Delay:
		return delayValue(v)
	case Clock:
		return membersOf(clockFields, &v, &Clock{})
	case plan.Draws:
		return drawsValue(v)
	case plan.LivenessProbe:
		return probeMembers(&v)
	case plan.Client:
		return clientMembers(&v)
	case plan.Rate:
		if v == 0 {
			return literal("-1")
		}
		return floatText(float64(v))
	case plan.HTTP1:
		if v {
			return http1
		}
		return protocols[0]
	case []plan.Traffic:
		return otherValue(v)
	}
	if name := value.String(); name != "" {
		return name
	}
	return nil
}
