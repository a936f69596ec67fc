package plan

import "slices"

// ClientKind is a client with the settings that a program has if it gives none.
type ClientKind struct {
	Name string
	Client
	// Halves: its request timeout is HalfOf the RenewDeadline.
	Halves bool
}

// NoClient is the name of the kind without a client's work.
const NoClient = "none"

// What rest.Config of client-go takes 0 for (k8s.io/client-go@v0.37.2, rest/config.go:48-49).
const (
	DefaultQPS   = 5
	DefaultBurst = 10
)

// clientKinds are, after none: rest.Config of k8s.io/client-go (DefaultQPS and DefaultBurst in rest/config.go);
// sigs.k8s.io/controller-runtime, v0.21 and later (pkg/client/config/config.go and pkg/leaderelection/leader_election.go);
// k8s.io/component-base (config/v1alpha1/defaults.go), with the timeout of resourcelock.NewFromKubeconfig.
var clientKinds = []ClientKind{
	{Name: NoClient},
	{Name: "client-go", Client: Client{QPS: DefaultQPS, Burst: DefaultBurst, Retries: true}},
	{Name: "controller-runtime", Client: Client{Retries: true}, Halves: true},
	{Name: "component-base", Client: Client{QPS: 50, Burst: 100, Retries: true}, Halves: true},
}

// ClientKindNames returns the names of all kinds of clients, NoClient first.
func ClientKindNames() (names []string) {
	for i := range clientKinds {
		names = append(names, clientKinds[i].Name)
	}
	return names
}

// ClientKindNamed returns the kind of that name; false if there is none.
func ClientKindNamed(name string) (ClientKind, bool) {
	i := slices.IndexFunc(clientKinds, func(k ClientKind) bool { return k.Name == name })
	if i < 0 {
		return ClientKind{}, false
	}
	return clientKinds[i], true
}
