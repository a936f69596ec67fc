package files

import (
	"regexp"
	"strings"
)

// leaders is a word that only programs with a leader have in their names.
var leaders = regexp.MustCompile("(?i)leader|election|elector")

// isAboutLeaders tells whether the program is known, or whether the name of its image or object, of a field around the
// settings or of another variable speaks of a leader.
func (c *candidate) isAboutLeaders() bool {
	return c.program != nil || leaders.MatchString(c.image+" "+c.pos.Object+" "+c.pos.Part+" "+c.within+" "+strings.Join(c.beside, " "))
}
