package machine

// Strict promises at most one leader at a time. It has none of ClientGo's hazards, and uses the same record.
var Strict = Profile{
	Name:             "strict",
	FromSend:         true,
	CompareExact:     true,
	ForeignObeyed:    true,
	RoundUp:          true,
	FromRenewal:      true,
	StampRequest:     true,
	OwnByTerm:        true,
	VacancyWaitedOut: true,
	WorkFirst:        true,
	Release:          ReleaseOwned,
}

// ClientGo is what k8s.io/client-go v0.37.2 does, hazards included.
var ClientGo = Profile{Name: "client-go"}

// ClientGoV024 is what k8s.io/client-go v0.24.17 does: the algorithm before the optimistic update.
var ClientGoV024 = Profile{
	Name:           "client-go-v0.24",
	ReadFirst:      true,
	ExpiryOwn:      true,
	TicksDropped:   true,
	EventAtFailure: true,
	Release:        ReleaseBlind,
}

// ClientGoV017 is what k8s.io/client-go v0.17.17 does: the algorithm before requests carried a context.
var ClientGoV017 = Profile{
	Name:           "client-go-v0.17",
	ReadFirst:      true,
	ExpiryOwn:      true,
	TicksDropped:   true,
	ContextNone:    true,
	Object:         ObjectLostByAny,
	EventAtFailure: true,
	Release:        ReleaseBlind,
}

// ClientGoNext is a preview: what k8s.io/client-go would do with kubernetes/kubernetes#139991, which no version has yet.
// docs/clients.md says what of it is assumed.
var ClientGoNext = Profile{
	Name:          "client-go-next",
	UntilReturned: true,
}

// Fabric8 is what fabric8's client for Java does, as read in its source (LeaderElector.java of fabric8io/kubernetes-client).
var Fabric8 = Profile{
	Name:          "fabric8",
	Client:        OfFabric8,
	ForeignObeyed: true,
	ReadFirst:     true,
	ExpiryOwn:     true,
	ContextNone:   true,
}

// Python is what Kubernetes' own client for Python does: leaderelection.py of kubernetes-client/python.
var Python = Profile{
	Name:         "python",
	Client:       OfPython,
	CompareExact: true,
	ReadFirst:    true,
	ExpiryOwn:    true,
	ContextNone:  true,
}

// Java is what Kubernetes' own client for Java does, as read in its source (LeaderElector.java of kubernetes-client/java).
var Java = Profile{
	Name:         "java",
	Client:       OfJava,
	CompareExact: true,
	ReadFirst:    true,
	ExpiryOwn:    true,
	ContextNone:  true,
}

// CSharp is what Kubernetes' own client for C# does, as read in its source (LeaderElector.cs of kubernetes-client/csharp).
var CSharp = Profile{
	Name:         "csharp",
	Client:       OfCSharp,
	CompareExact: true,
	ReadFirst:    true,
	ExpiryOwn:    true,
	ContextNone:  true,
}

// Rust is what kube-leader-election for Rust does, as read in its source (src/lease.rs of hendrikmaus/kube-leader-election), in a
// program like that of its README.
var Rust = Profile{
	Name:         "rust",
	Client:       OfRust,
	ReadFirst:    true,
	ContextNone:  true,
	StampRequest: true,
}

// Profiles returns the named variants, in a stable order.
func Profiles() []Profile {
	return []Profile{ClientGo, ClientGoV024, ClientGoV017, ClientGoNext, Strict, Fabric8, Python, Java, CSharp, Rust}
}

// ProfileNames returns the names of Profiles, in the same order.
func ProfileNames() []string {
	var names []string
	for _, p := range Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// ProfileNamed returns the variant of that name, or false if there is none.
func ProfileNamed(name string) (Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
