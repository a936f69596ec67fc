package gate

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
)

// Overrides has entries that change single targets: their environment, drain, request timeout, release or version of client-go. Each
// entry names its targets.
type Overrides struct{ all []override }

// override is one entry: what it sets for the targets whose names match.
type override struct {
	files.Position
	// name is a pattern for the names of targets, in which a * is any text. full is the same pattern with the whole path of the
	// file.
	name    string
	full    string
	numbers []Number
	timeout *programs.Timeout
	release *bool
	// clientGo is the second number of client-go's version; 0 where the entry does not say it.
	clientGo int
}

// ReadOverrides reads a file of overrides, or stdin if path is "-". It returns an error if the file cannot be read or has another
// form, if an entry has no name or an unknown field, and for a bad value. Every error is a files.Problem.
func ReadOverrides(path string, stdin io.Reader) (*Overrides, error) {
	entries, err := readEntries(path, "targets", stdin)
	if err != nil {
		return nil, err
	}
	o := &Overrides{}
	for _, e := range entries {
		one := override{Position: files.Position{File: path, Line: e.line}}
		if err := e.each(path, one.set); err != nil {
			return nil, err
		}
		if one.name == "" {
			return nil, environmentProblem(path, e.line, "name: want the name of a target, as the report has it; * is any text")
		}
		o.all = append(o.all, one)
	}
	return o, nil
}

// set parses one field of an entry into o: name, environment, drain, requestTimeout, releaseOnCancel or clientGo. Any other name, or a
// bad value, is an error.
func (o *override) set(name string, value *yaml.Node) error {
	if name == "environment" {
		if value.Kind != yaml.MappingNode {
			return fmt.Errorf("want fields such as maxRoundTrip: 2s")
		}
		e := entry{fields: value.Content}
		return e.each(o.File, o.number)
	}
	if value.Kind != yaml.ScalarNode {
		return fmt.Errorf("want a single value")
	}
	switch name {
	case "name":
		o.name, o.full = value.Value, fullName(value.Value)
	case "drain":
		return o.number(name, value)
	case "requestTimeout":
		t, err := programs.ParseTimeout(value.Value)
		if err == nil && t.Kind == programs.Unknown {
			err = fmt.Errorf("want half, none, either or a duration such as 5s")
		}
		o.timeout = &t
		return err
	case "releaseOnCancel":
		b, err := strconv.ParseBool(value.Value)
		if err != nil {
			return fmt.Errorf("want true or false, got %s", phrase.Quote(value.Value))
		}
		o.release = &b
	case "clientGo":
		minor, err := ParseClientGo(value.Value)
		o.clientGo = minor
		return err
	default:
		return fmt.Errorf("unknown field; an entry has name, environment, drain, requestTimeout, releaseOnCancel and clientGo")
	}
	return nil
}

// named is the name of a target as reports have it, and full is that name with the whole path of its file.
type named struct{ name, full string }

// nameOf returns the name of the target or the problem at a position.
func nameOf(p files.Position) named {
	name := p.Name()
	return named{name, fullName(name)}
}

// meets tells whether the entry is about the target with name n, however the path of its file is written.
func (o *override) meets(n named) bool { return matches(o.name, n.name) || matches(o.full, n.full) }

// fullName returns name, which is that of a target or a pattern for some, with the path before its first ": " made absolute. It
// leaves an empty path, "-" and a path that begins with * as they are.
func fullName(name string) string {
	path, rest, of := strings.Cut(name, ": ")
	if whole, err := filepath.Abs(path); err == nil && path != "" && path != "-" && !strings.HasPrefix(path, "*") {
		path = whole
	}
	if of {
		rest = ": " + rest
	}
	return path + rest
}

// number parses one field of an entry's environment, and appends it to o.numbers with its file and line. An unknown name or a bad
// value is an error.
func (o *override) number(name string, value *yaml.Node) error {
	if value.Kind != yaml.ScalarNode {
		return fmt.Errorf("want a single value")
	}
	var e Environment
	if err := e.Set(name, value.Value, ""); err != nil {
		return err
	}
	o.numbers = append(o.numbers, Number{Name: name, Value: value.Value, Source: fmt.Sprintf("%s:%d", o.File, value.Line)})
	return nil
}

// apply changes t as those entries say that meet its name: numbers of its environment, Timeout with TimeoutFrom,
// ReleaseOnCancel with ReleaseFrom, and ClientGo with what follows from it. If several entries set one field, the last one counts. e is the environment of the run: if an
// entry changes the environment and t has none of its own, apply first copies e into t.Own. An entry that sets the drain also
// sets t.Drain to 0, so that a scenario file's drain no longer counts. A nil o changes nothing. The error is a files.Problem.
func (o *Overrides) apply(t *Target, e *Environment) error {
	if o == nil {
		return nil
	}
	name := nameOf(t.Position)
	for i := range o.all {
		one := &o.all[i]
		if !one.meets(name) {
			continue
		}
		from := one.Position.String()
		if len(one.numbers) > 0 && t.Own == nil {
			own := *e
			t.Own = &own
		}
		for _, n := range one.numbers {
			if err := t.Own.Set(n.Name, n.Value, n.Source); err != nil {
				return t.problem("%s: %v", n.Source, err) // it was read before
			}
			if n.Name == "drain" {
				t.Drain = 0 // the list knows better than a scenario file
			}
		}
		if one.timeout != nil {
			t.Timeout, t.TimeoutFrom = *one.timeout, from
		}
		if one.release != nil {
			t.ReleaseOnCancel, t.ReleaseFrom = *one.release, from
		}
		if one.clientGo > 0 {
			if !t.takesVersion() {
				return t.problem("%s: clientGo v0.%d of a target with profile %s: want one with client-go and a lock on an object of Kubernetes", from,
					one.clientGo, t.Profile.Name)
			}
			t.SetClientGo(one.clientGo, from)
		}
	}
	return nil
}
