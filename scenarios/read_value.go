package scenarios

import (
	"time"

	"interregnum/internal/phrase"
	"interregnum/plan"
)

var (
	clockFields = []plan.Field[Clock]{
		plan.FieldAt("offset", func(c *Clock) *time.Duration { return &c.Offset }),
		plan.FieldAt("driftPPM", func(c *Clock) *int64 { return &c.DriftPPM }),
	}
	networkFields = []plan.Field[Network]{
		plan.FieldAt("request", func(n *Network) *Delay { return &n.Request }),
		plan.FieldAt("response", func(n *Network) *Delay { return &n.Response }),
	}
	delayFields = []string{"min", "max"}
)

// oneOf decodes a text that should be one of names. A text close to one of them is an error that suggests it; any other text
// is returned, for Validate to refuse if it is not one of them. what says in messages what the text names, such as kind of
// lock.
func (d *decoder) oneOf(n *node, what string, names []string) string {
	name := d.word(n)
	if near := phrase.Nearest(name, names); near != "" && near != name {
		d.fail("%s is not a %s; did you mean %s?", phrase.Quote(name), what, near)
	}
	return name
}

// delay decodes the delay of a leg: a duration, or a mapping with both min and max. Anything else is an error.
func (d *decoder) delay(n *node) (out Delay) {
	if n.kind != mapKind {
		if n.kind == listKind {
			d.fail("want a duration such as 1ms, or {min: 1ms, max: 5ms}; got a list")
		}
		constant := d.duration(n)
		return Delay{Min: constant, Max: constant}
	}
	d.mapping(n, "a delay", delayFields, func(name string, n *node) {
		if name == "min" {
			out.Min = d.duration(n)
		} else {
			out.Max = d.duration(n)
		}
	})
	d.need(n, "min", "a delay has both min and max, or is a single duration")
	d.need(n, "max", "a delay has both min and max, or is a single duration")
	return out
}
