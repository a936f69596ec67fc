package text_test

import (
	"log"
	"os"

	"interregnum/reports"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

// What simulate run prints of several scenarios.
func ExampleTable() {
	var runs []reports.Run
	for _, name := range []string{"healthy-failover", "h01-late-ack"} {
		s, err := scenarios.Named(name)
		if err != nil {
			log.Fatal(err)
		}
		r, err := scenarios.Run(s, scenarios.Options{Brief: true})
		runs = append(runs, reports.Run{Scenario: s, Result: r, Err: err, Command: "simulate run " + name})
	}
	if err := text.Table(os.Stdout, runs, 100); err != nil {
		log.Fatal(err)
	}
	// Output:
	// scenario           verdict                                     overlap
	// healthy-failover   held                                        -         as expected
	// h01-late-ack       single-belief, single-work, safety-window   3.899s    as expected
	//
	// 2 scenarios, all as expected
}

// A timeline gathers what it shows while the scenario runs.
func ExampleTimeline() {
	s, err := scenarios.Named("h01-late-ack")
	if err != nil {
		log.Fatal(err)
	}
	timeline := reports.NewTimeline(s.Header(), s.Faults)
	var o scenarios.Options
	o.Sinks = append(o.Sinks, timeline)
	r, err := scenarios.Run(s, o)
	if err != nil {
		log.Fatal(err)
	}
	if err := text.Timeline(os.Stdout, timeline, r, 72); err != nil {
		log.Fatal(err)
	}
	// Output:
	// SPLIT BRAIN: a and b work at once for 3.899s, from 38.026s to 41.925s
	//
	//               0s       10s       20s      30s       40s      50s     60s
	//               +--------+---------+--------+---------+--------+---------+
	// lease         aa-a-a-a-a-a-a-a-a-a----------------b-bb-b-b-b-b-b-b-b-b-
	//
	// a      belief ════════════════════════════════════XXXX
	//        work   ████████████████████████████████████XXXX
	//        faults                    [] delay response 9.9s
	//                                   [partition-------------------------->
	//
	// b      belief   ··································XXXX═════════════════
	//        work                                       XXXX█████████████████
	//
	// single-work                                       XXXX 3.899s a+b
	// single-belief                                     XXXX 3.899s a+b
	// safety-window                                        XXXXXX 5s a+b
	//
	// X two at once, or another violation   █ works   ═ believes that it leads
	// · runs (blank: no process)
	// lease: a letter where its holder writes   - held
	// a column is 1.05s
}
