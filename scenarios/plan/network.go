package plan

import "time"

// Network is the way to the lock service and back.
type Network struct{ Request, Response Delay }

// Delay is the true time that one leg takes: uniform in [Min, Max], Min at least 0.
type Delay struct{ Min, Max time.Duration }
