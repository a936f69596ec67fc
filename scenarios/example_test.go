package scenarios_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"interregnum/scenarios"
)

// A scenario that ships.
func ExampleRun() {
	s, err := scenarios.Named("h01-late-ack")
	if err != nil {
		log.Fatal(err)
	}
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range r.Properties {
		fmt.Printf("%-14s %-12s %v\n", p.Name, p.Verdict, time.Duration(p.OverlapNs))
	}
	fmt.Println("as expected:", r.AsExpected)
	// Output:
	// single-record  held         0s
	// single-belief  violated     3.899s
	// single-work    violated     3.899s
	// safety-window  violated     5s
	// fenced-writes  held         0s
	// liveness       inconclusive 0s
	// as expected: true
}

// A scenario of one's own.
func ExampleRead() {
	s, err := scenarios.Read(strings.NewReader(`
name: handover
horizon: 60s
candidates: [{id: a, releaseOnCancel: true}, {id: b, startAt: 1s}]
faults: [{kind: cancel, at: 20s, on: [leader]}]
`), "handover.yaml")
	if err != nil {
		log.Fatal(err)
	}
	r, err := scenarios.Run(s, scenarios.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range r.Terms {
		fmt.Println(t.Candidate, "works from", time.Duration(t.StartedNs).Round(time.Second))
	}
	// Output:
	// a works from 0s
	// b works from 21s
}

// A field that is not known is an error that says where it is, and what may have been meant.
func ExampleRead_misspelt() {
	_, err := scenarios.Read(strings.NewReader("name: x\nhorizon: 60s\ncandidates: [{id: a}]\nfautls: []\n"), "x.yaml")
	fmt.Println(err)
	// Output:
	// x.yaml:4: fautls: unknown field; did you mean faults? (a scenario has name, about, seed, horizon, defaults, elections, candidates, network, service, coordinator, faults, expect)
}
