package target

import (
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/plan"
)

// Client has the flags about the client of the lock.
type Client struct {
	kind  cliflag.Once
	qps   cliflag.Parsed[float64]
	burst cliflag.Parsed[int]
}

// Register adds the flags to the command.
func (f *Client) Register(c *cobra.Command) {
	flags := c.Flags()
	f.kind = cliflag.Once{Kind: "KIND", Check: cliflag.Among(plan.ClientKindNames()...)}
	flags.Var(&f.kind, "client", "whose limiter, retries and request timeout the client has: "+strings.Join(plan.ClientKindNames(), ", ")+
		"; --max-round-trip is then that of the network and the server alone. For what is not known")
	cliflag.Parse(flags, &f.qps, "qps", "RATE", gate.ParseQPS,
		"requests a second that the client's limiter lets pass, as in rest.Config: 0 is the default of the kind, -1 no limit")
	cliflag.Parse(flags, &f.burst, "burst", "COUNT", gate.ParseBurst, "requests that the client's limiter lets pass at once")
	cliflag.Group(flags, ofClient, "client", "qps", "burst")
}

// said returns what the flags say of the client, as a gate.ClientSaid; a zero one if no flag is given.
func (f *Client) said() gate.ClientSaid {
	return gate.ClientSaid{Kind: f.kind.Text, QPS: f.qps.Value, Burst: f.burst.Value}
}

// check returns an error if the flags contradict each other, or if no bound is known with this client although one is known
// without a client. unsaid has the other flags. command is for the error.
func (f *Client) check(command string, unsaid *gate.Unsaid) error {
	s := f.said()
	client, err := s.Client()
	if err != nil {
		return exit.Usage(command, "--client, --qps, --burst: %v", err)
	}
	judged := bound.Config{Profile: unsaid.Config(machine.Timings{}).Profile, Lock: unsaid.Lock, Client: client}
	alone := judged
	if alone.Client = nil; bound.Unknown(&alone) != nil {
		return nil
	}
	if err := bound.Unknown(&judged); err != nil {
		return exit.Usage(command, "%s: %v", f.first(), err)
	}
	return nil
}

// first returns the name of the first flag about the client that is given. At least one of them must be given.
func (f *Client) first() string {
	switch {
	case f.kind.Text != "":
		return "--client"
	case f.qps.Value != nil:
		return "--qps"
	}
	return "--burst"
}
