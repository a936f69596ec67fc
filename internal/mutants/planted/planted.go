// Package planted says which planted bug is in force. Only sources that internal/mutants has patched ask.
package planted

// current is global, since the code that asks is in the middle of functions that know of no tests.
var current string

// On tells whether the planted bug of that name is in force.
func On(name string) bool { return current == name }

// Switch puts a planted bug in force in place of any other; "" is none. Not while something runs.
func Switch(name string) { current = name }
