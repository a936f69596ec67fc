package plan

import "time"

// Network has the delays of requests to the lock service and of its responses.
type Network struct{ Request, Response Delay }

// Delay is the true time that one leg takes: uniform in [Min, Max], Min at least 0.
type Delay struct{ Min, Max time.Duration }
