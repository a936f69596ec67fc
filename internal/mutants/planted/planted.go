// Package planted says which planted bug is in force. Only sources that internal/mutants has patched import it.
package planted

// current is global, since the code that asks for it is deep in functions that know nothing of tests.
var current string

// On tells whether the planted bug of that name is in force.
func On(name string) bool { return current == name }

// Switch puts a planted bug in force in place of any other; "" means none. It must not be called during a simulation.
func Switch(name string) { current = name }
