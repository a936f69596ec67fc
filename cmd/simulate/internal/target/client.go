package target

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

// Client has the flags about the client of the lock.
type Client struct{ kind, qps, burst cliflag.Once }

// register adds the flags to the command.
func (f *Client) register(c *cobra.Command) {
	flags := c.Flags()
	f.kind = cliflag.Once{Kind: "KIND", Check: checkKind}
	f.qps = cliflag.Once{Kind: "RATE", Check: func(text string) error {
		_, err := gate.ParseQPS(text)
		return err
	}}
	f.burst = cliflag.Once{Kind: "COUNT", Check: func(text string) error {
		_, err := gate.ParseBurst(text)
		return err
	}}
	flags.Var(&f.kind, "client", "whose limiter, retries and request timeout the client has: "+strings.Join(plan.ClientKindNames(), ", ")+
		"; --max-round-trip is then that of the network and the server alone. For what is not known")
	flags.Var(&f.qps, "qps", "requests a second that the client's limiter lets pass, as in rest.Config: 0 is the default of the kind, -1 no limit")
	flags.Var(&f.burst, "burst", "requests that the client's limiter lets pass at once")
	cliflag.Group(flags, ofClient, "client", "qps", "burst")
}

// said returns what the flags say of the client.
func (f *Client) said() gate.ClientSaid {
	s := gate.ClientSaid{Kind: f.kind.Text}
	if f.qps.Text != "" {
		qps, _ := gate.ParseQPS(f.qps.Text) // it was checked when it was set
		s.QPS = &qps
	}
	if f.burst.Text != "" {
		burst, _ := gate.ParseBurst(f.burst.Text)
		s.Burst = &burst
	}
	return s
}

// check refuses flags that contradict each other, or that no derivation takes. unsaid has the other flags.
func (f *Client) check(command string, unsaid *gate.Unsaid) error {
	s := f.said()
	client, err := s.Client()
	if err != nil {
		return exit.Usage(command, "--client, --qps, --burst: %v", err)
	}
	judged := bound.Config{Profile: unsaid.Profile, Lock: unsaid.Lock, Client: client}
	alone := judged
	if alone.Client = nil; bound.Unknown(&alone) != nil {
		return nil
	}
	if err := bound.Unknown(&judged); err != nil {
		return exit.Usage(command, "%s: %v", f.first(), err)
	}
	return nil
}

// first returns the first flag about the client that is given.
func (f *Client) first() string {
	switch {
	case f.kind.Text != "":
		return "--client"
	case f.qps.Text != "":
		return "--qps"
	}
	return "--burst"
}

// checkKind returns an error unless name is that of a kind of client.
func checkKind(name string) error {
	if !slices.Contains(plan.ClientKindNames(), name) {
		return fmt.Errorf("want %s, got %s", phrase.Or(plan.ClientKindNames()), phrase.Quote(name))
	}
	return nil
}
