// Package behaviour says what is usual at a site: how long requests take, how often they fail, and what goes wrong for a while,
// how often and for how long. An environment's bounds say what is possible at worst, which is something else.
package behaviour

import "time"

// Behaviour is what is usual. The zero value is a site where every request is answered at once.
type Behaviour struct {
	// RoundTrip is how long a request and its answer take, outside of episodes.
	RoundTrip Distribution
	// Errors are the failures of single requests, outside of episodes. Their probabilities are 1 in all at most.
	Errors []Error
	// Recorded is what requests meet outside of episodes; nil: they are independent of each other. RoundTrip and Errors then only sum it
	// up.
	Recorded *Recording
	// Startup is how long it takes until a process has started; nil: nothing is known of that.
	Startup *Distribution
	// Episodes are what goes wrong for a while.
	Episodes []Episode
}

// Error is how often requests fail one by one.
type Error struct {
	// Status is that of the answer, 400 to 599; 0: the request is lost, and is never answered.
	Status int
	// Probability is that of a request, 0 to 1.
	Probability float64
}

// Kind is what happens in an episode.
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

// Kinds returns the kinds of episode.
func Kinds() []Kind {
	return []Kind{Outage, Stall, Brownout, Pause, Crash, Shutdown, NodeDrain, Rollout}
}

// OnMessages tells whether such an episode is on messages, and not on a process.
func (k Kind) OnMessages() bool { return k == Outage || k == Stall || k == Brownout }

// Starts tells whether such an episode lasts until a new process has started.
func (k Kind) Starts() bool { return k == Crash || k == Shutdown || k == NodeDrain || k == Rollout }

// Whom is who is affected by an episode.
type Whom string

// The values of Whom. An episode on messages is on everybody if nothing is said, one on a process on one of them, drawn evenly.
const (
	Everybody Whom = "everybody"
	One       Whom = "one"
	Leader    Whom = "leader"
)

// Episode is something that goes wrong for a while, again and again. Its beginnings are independent of each other (a Poisson
// process), and so are their lengths.
type Episode struct {
	Kind Kind
	// Every is the mean time between two beginnings, more than 0.
	Every time.Duration
	// Lasts is how long an episode lasts; of a rollout, how long it takes until a new process has started.
	Lasts Distribution
	On    Whom
	// Factor and RoundTrip belong to a brownout: answers take that many times as long, or have that distribution in place of the
	// usual one. One of the two is given; Factor is 0 otherwise.
	Factor    float64
	RoundTrip *Distribution
	// Errors belong to a brownout: requests fail like that in place of Behaviour.Errors; nil: as usual, empty: none does.
	Errors []Error
	// Rolling belongs to a rollout.
	Rolling Rolling
}

// Rolling is how a Deployment replaces its pods.
type Rolling struct {
	// Surge is how many pods there may be more than replicas, Unavailable how many of these may be missing; nil is the default of a Deployment,
	// a quarter, which is rounded up for Surge and down for Unavailable.
	Surge, Unavailable *int
	// Leading: a pod is ready only while it leads; else as soon as its process has started.
	Leading bool
	// Grace is after how long a process is killed that was told to stop.
	Grace time.Duration
}

// Of returns, for so many replicas, how many more pods there may be, and how many may be missing. If both come to 0 one may be
// missing, as a Deployment has it (ResolveFenceposts of pkg/controller/deployment/util in Kubernetes).
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

// Fullest is the share of all time that episodes may take on average.
const Fullest = 0.5

// Rate returns how often such an episode begins, per second.
func (e *Episode) Rate() float64 { return 1 / e.Every.Seconds() }
