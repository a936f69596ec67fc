//go:build !race

package newest

const raceEnabled = false
