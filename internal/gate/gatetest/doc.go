// Package gatetest has what tests of the gate and of its witnesses share: random configurations and environments, and a watch of what happens
// in a run.
package gatetest
