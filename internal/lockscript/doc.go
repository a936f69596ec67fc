// Package lockscript compares two implementations of the locks of leader election that cannot be in one build: it runs
// random scripts of calls, interference and faults on an implementation, against a small API server, and writes down
// each request and each result. Equal implementations have equal transcripts.
//
// It uses nothing but the standard library, so that modules with different versions of Kubernetes can run it.
package lockscript
