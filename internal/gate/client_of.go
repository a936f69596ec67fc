package gate

import (
	"slices"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// clientOf sets t.Client and, as its origin, t.ClientFrom: from the target f that was found in a file, the code of its program,
// or the flags. The whole client of a scenario file counts, and its other traffic becomes t.Other. With a kind that a flag gives,
// clientOf also sets the request timeout, unless one is known. It sets nothing if nobody says anything of clients: no flag, not the
// environment, not f as a whole, and not the code of the program, which has one for leader election alone. What a client adds then
// stays part of the environment's round trip. It also sets nothing for a program with a profile of its own, and leaves out a client
// of which only the program's code says something if no bound is known with it. It returns a files.Problem if what f says of the
// client cannot be read, or if its numbers are bad. A template or a variable is a problem only if somebody says anything of clients.
func (t *Target) clientOf(f *files.Target, unsaid *Unsaid, e *Environment) error {
	if f.Client != nil {
		t.Client, t.Other, t.ClientFrom = f.Client.Clone(), f.Client.Other, "the file"
		t.Client.Other = nil
		return nil
	}
	if t.Own != nil {
		e = t.Own
	}
	asked := unsaid.Client.said() || len(e.OfClients()) > 0
	own := f.Program.OwnsClient()
	s := unsaid.Client
	switch {
	case f.Program != nil && f.Program.Profile != "" || !asked && f.ClientElsewhere:
		return nil
	case f.ClientUnread != "":
		return t.problem("%s", f.ClientUnread)
	case own:
		s, t.ClientFrom = ClientSaid{Kind: programs.OwnClient, QPS: &f.Program.QPS, Burst: &f.Program.Burst}, f.Program.Name
	case s.said():
		t.ClientFrom = "--client"
		t.timeoutOfKind(s.Kind, t.Timeout.Kind != programs.Either)
	}
	if f.SaysClient() && s.Kind != plan.NoClient {
		s.numbers(f)
		t.ClientFrom = numbersFrom(f)
	}
	c, err := s.Client()
	switch {
	case err != nil:
		return t.problem("the client: %v", err)
	case !asked && !(own && t.boundWith(c)): // numbers alone do not say what else the client does
		t.ClientFrom = ""
	default:
		t.Client = c
		if len(f.OtherLimits) > 0 {
			t.Provided = append(slices.Clone(t.Provided), "its election's client has other limits than those of "+phrase.And(f.OtherLimits))
		}
	}
	return nil
}

// numbers stores in s the numbers of the client that f has. A QPS of 0 is that of rest.Config, which is no kind's.
func (s *ClientSaid) numbers(f *files.Target) {
	own := s.Kind == programs.OwnClient
	if f.QPS != nil || !own {
		s.QPS = f.QPS
	}
	if f.Burst != nil || !own {
		s.Burst = f.Burst
	}
	if own && *s.QPS == 0 {
		s.QPS = new(float64(plan.DefaultQPS))
	}
}

// numbersFrom returns in words which of a client's numbers come from the file, which must have one of them. A client without
// a limit has no burst.
func numbersFrom(f *files.Target) string {
	switch {
	case f.Burst == nil && *f.QPS >= 0:
		return "qps: the file"
	case f.QPS == nil:
		return "burst: the file"
	}
	return "the file"
}

// boundWith tells whether a bound is known for the target with the client c, or none is known without it either.
func (t *Target) boundWith(c *plan.Client) bool {
	with, alone := t.Config, t.Config
	with.Client, alone.Client = c, nil
	return bound.Unknown(&with) == nil || bound.Unknown(&alone) != nil
}
