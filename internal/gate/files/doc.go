// Package files finds the timings of leader election in the files that people have: manifests, component
// configurations, Lease objects and scenario files. docs/gate-files.md has what is recognized.
//
// It reads and merges; it does not judge. Timings that client-go would refuse, such as a lease shorter than its
// renew deadline, come out as a target. A value that cannot be known is a problem, never a guess.
package files
