// Package behaviour says what is usual at a site: how long requests take, how often they fail, and what goes wrong for a while,
// how often and for how long. It also reads the files that say so. The bounds of an environment say what is possible at worst,
// which is something else.
//
// The readers of this package share a reader, which keeps the first problem that any of them finds: they return no errors, and
// what they return after a problem has no meaning. Read turns that problem into its error.
package behaviour

import "time"

// Behaviour is what is usual. In the zero value every request is answered at once, and nothing goes wrong.
type Behaviour struct {
	// RoundTrip is how long a request and its answer take, outside of episodes.
	RoundTrip Distribution
	// Errors are the failures of single requests, outside of episodes. The sum of their probabilities is at most 1.
	Errors []Error
	// Recorded is a recording of requests, which is replayed outside of episodes; RoundTrip and Errors then only sum it up. If it
	// is nil, requests are independent of each other.
	Recorded *Recording
	// Startup is how long it takes until a process has started; nil: nothing is known of that.
	Startup *Distribution
	// Episodes are what goes wrong for a while.
	Episodes []Episode
}

// Error says how often single requests fail in one way.
type Error struct {
	// Status is the status of the answer, 400 to 599. 0 stands for a request that is lost, and never answered.
	Status int
	// Probability is how likely a request fails in this way, 0 to 1.
	Probability float64
}

// Kind says what happens in an episode.
type Kind string

// The kinds of episode. An outage, a stall and a brownout are on messages; the others are on a process.
const (
	// Outage: requests fail at once, as if nobody accepted a connection.
	Outage Kind = "outage"
	// Stall: requests are accepted and never answered.
	Stall Kind = "stall"
	// Brownout: answers are slower by a factor, or have a distribution of their own.
	Brownout Kind = "brownout"
	// Pause: a process stands still.
	Pause Kind = "pause"
	// Crash: a process ends at once, and a new one starts at the end of the episode.
	Crash Kind = "crash"
	// Shutdown: a process is told to stop, and a new one starts at the end of the episode.
	Shutdown Kind = "shutdown"
	// NodeDrain: a process is told to stop, and another one starts in its place on another node, once it has ended and Episode.Lasts is over.
	NodeDrain Kind = "node-drain"
	// Rollout: new processes replace all others, as a Deployment does it. Each new one starts after Episode.Lasts.
	Rollout Kind = "rollout"
)

// Kinds returns all kinds of episode, those on messages first.
func Kinds() []Kind {
	return []Kind{Outage, Stall, Brownout, Pause, Crash, Shutdown, NodeDrain, Rollout}
}

// OnMessages tells whether such an episode is on messages. Otherwise it is on a process.
func (k Kind) OnMessages() bool { return k == Outage || k == Stall || k == Brownout }

// Starts tells whether a new process starts in such an episode: a crash, a shutdown, a node drain or a rollout.
func (k Kind) Starts() bool { return k == Crash || k == Shutdown || k == NodeDrain || k == Rollout }

// Whom says whom an episode affects.
type Whom string

// The values of Whom. An episode on messages is on everybody if nothing is said, one on a process on one of them, drawn evenly.
const (
	Everybody Whom = "everybody"
	One       Whom = "one"
	Leader    Whom = "leader"
)

// Episode is a sort of thing that goes wrong for a while, again and again. Its beginnings are independent of each other (a
// Poisson process), and so are their lengths.
type Episode struct {
	Kind Kind
	// Every is the mean time between two beginnings, more than 0.
	Every time.Duration
	// Lasts is how long an episode lasts. For a rollout and a node drain it is how long a new process takes to start.
	Lasts Distribution
	On    Whom
	// Factor and RoundTrip belong to a brownout, and exactly one of them is set; Factor is 0 if it is not set. With Factor,
	// answers take that many times as long. RoundTrip is the distribution of round trips in place of the usual one.
	Factor    float64
	RoundTrip *Distribution
	// Errors belong to a brownout: requests fail like this in place of Behaviour.Errors. nil: they fail as usual. Empty: none
	// fails.
	Errors []Error
	// Rolling belongs to a rollout.
	Rolling Rolling
}

// Rolling says how a Deployment replaces its pods.
type Rolling struct {
	// Surge is how many more pods than replicas are allowed, and Unavailable is how many of the replicas can be missing. nil is
	// the default of a Deployment: a quarter, which is rounded up for Surge and down for Unavailable.
	Surge, Unavailable *int
	// Leading: a pod is ready only while it leads. Otherwise it is ready as soon as its process has started.
	Leading bool
	// Grace is how long a process that was told to stop can go on before it is killed.
	Grace time.Duration
}

// Of returns Surge and Unavailable as numbers, for that many replicas. Where one is not given it is a quarter of the replicas, for
// surge rounded up, for unavailable down. If both are 0, unavailable is 1, as in a Deployment (ResolveFenceposts of
// pkg/controller/deployment/util in Kubernetes).
func (r *Rolling) Of(replicas int) (surge, unavailable int) {
	surge, unavailable = (replicas+3)/4, replicas/4
	if r.Surge != nil {
		surge = *r.Surge
	}
	if r.Unavailable != nil {
		unavailable = *r.Unavailable
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// Fullest is the largest share of all time that episodes can take on average.
const Fullest = 0.5

// LongestTrip is how long a round trip can be: one in a hundred can be longer.
const LongestTrip = 24 * time.Hour

// Rate returns how often such an episode begins, per second.
func (e *Episode) Rate() float64 { return 1 / e.Every.Seconds() }
