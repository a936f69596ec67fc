// Package files finds the timings of leader election in the files that people have: manifests, component configurations, Lease
// objects and scenario files. docs/gate-files.md has what is recognized.
//
// It reads and merges; it does not judge. Timings that client-go would refuse, such as a lease shorter than its renew deadline,
// come out as a target. A value that cannot be known is a problem, never a guess.
//
// From top to bottom: ReadAll reads files together. A walker goes through one file (walk.go); each container or configuration with
// settings of leader election becomes a candidate, which is not a candidate of an election. A setting is a flag, variable or field that
// is about leader election by its name (package setting); as it is written, it is a raw. settle reads the raws of a candidate, connect
// finds the configuration that a container mounts, and link makes a Target of a candidate. A stanza is a mapping named leaderElection.
//
// What does not concern a candidate is in packages below: trees of YAML and values as text (tree, scalar), what scripts run (shell), what
// is known of programs (programs), what kustomizations change (kustomize), and what was left unread (unread).
package files
