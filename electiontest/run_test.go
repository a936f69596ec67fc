package electiontest_test

import "testing"

// TestExamples runs the examples, each of which is the body of a test.
func TestExamples(outer *testing.T) {
	for name, example := range map[string]func(){
		"RunFile": ExampleRunFile, "Run": ExampleRun, "Guard": ExampleGuard, "Check": ExampleOptions_Check, "Gate": ExampleGate,
		"Election": ExampleCandidate_Election,
	} {
		outer.Run(name, func(inner *testing.T) {
			t = inner
			example()
		})
	}
}
