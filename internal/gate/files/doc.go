// Package files finds the timings of leader election in the files that people have: manifests, component configurations, Lease
// objects and scenario files. docs/gate-files.md has what is recognized.
//
// It reads and merges; it does not judge. Timings that client-go would refuse, such as a lease shorter than its renew deadline,
// come out as a target. A value that cannot be known is a problem, never a guess.
//
// A walker goes through one file. Each container or configuration with settings of leader election becomes a candidate, which is
// not a candidate of an election. A setting is a flag, variable or field that is about leader election by its name; as it is
// written, it is a raw. settle reads the raws of a candidate, link makes a Target of a candidate, and between them connect finds
// the configuration that a container mounts. A stanza is a mapping named leaderElection.
package files
